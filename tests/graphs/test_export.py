import csv
import io
import json

import pytest

from forager.errors import UsageError
from graphs.export import export
from graphs.report import Kept, Quote, Report, Spent

NASTY = 'a <script>alert(1)</script> ![x](http://e/p.png) [y](javascript:z) \\ "q"\nline'
REPORT = Report(
    session="s",
    graph="g",
    graph_hash="0" * 64,
    model="offline",
    status="partial",
    answer=f"{NASTY} [e1].",
    citations=(Quote(id="e1", url="http://h/a(b)", title="T\n# U", quote=NASTY),),
    evidence=(
        Kept(id="e1", url="http://h/a(b)", title="T", quote=NASTY, part="p1", round=1),
        Kept(id="e2", url="http://h/", title="=1+1", quote="@SUM(A1)", part="p2", round=2),
    ),
    open=("what <b>else</b>",),
    spent=Spent(rounds=1, seconds=2.5),
    question="Why?",
)


def test_nothing_from_a_page_acts_in_markdown() -> None:
    text = export(REPORT, "md")
    assert "<script>" not in text
    assert "<b>" not in text
    assert "](javascript:" not in text
    assert "](http://e/p.png" not in text
    assert "**[e1]** [T # U](http://h/a%28b%29)" in text
    assert "> line" in text
    assert "## Other evidence\n\n**[e2]**" in text


def test_nothing_from_a_page_is_a_formula_in_a_table() -> None:
    rows = list(csv.DictReader(io.StringIO(export(REPORT, "csv"))))
    assert rows[0]["quote"] == NASTY
    assert rows[0]["cited"] == "True"
    assert rows[1]["title"] == "'=1+1"
    assert rows[1]["quote"] == "'@SUM(A1)"


def test_json_holds_the_report_and_the_question() -> None:
    body = json.loads(export(REPORT, "json"))
    assert body.pop("question") == "Why?"
    assert body == json.loads(REPORT.model_dump_json())


def test_an_unknown_format_is_guessed() -> None:
    with pytest.raises(UsageError, match="Did you mean 'json'"):
        export(REPORT, "jsn")
