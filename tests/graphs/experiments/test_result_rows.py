"""Rows: written once each, read back, and never asked again."""

from pathlib import Path

import pytest

from forager.errors import StoreError, UsageError
from graphs.experiments import result_rows, summary
from graphs.experiments.result_rows import Cost, Row
from graphs.experiments.verdicts import Verdict


def row(**given: object) -> Row:
    values: dict[str, object] = {
        "graph": "forager",
        "graph_hash": "h",
        "model": "offline",
        "seed": 0,
        "id": "coast-01",
        "type": "single",
        "session": "s",
        "status": "answered",
        "answer": "Lindqvist [e1]",
        "abstain": False,
        "correct": True,
        "whole": True,
        "missing": (),
        "pages": 1,
        "opened": 1,
        "citations": 5,
        "sentences": 4,
        "stops": 3,
        "quotes": 4,
        "verbatim": 4,
        "rounds": 1,
        "loads": 2,
        "fetched": 0,
        "calls": 9,
        "cold": False,
        "before": 0.5,
        "seconds": 2.0,
    }
    return Row.model_validate({**values, **given})


def test_rows_are_read_without_failed_ones(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "rows.jsonl"
    assert result_rows.read_finished_rows(path) == {}
    again, failed = row(seed=1), row(id="coast-02", status="failed")
    for each in (row(), again, failed):
        result_rows.append_line(path, each)
    assert result_rows.read_finished_rows(path) == {row().key: row(), again.key: again}


def test_older_rows_still_load(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(row().model_dump_json(exclude={"cost", "verdict"}) + "\n")
    assert result_rows.read_finished_rows(path) == {row().key: row()}


def test_a_later_row_replaces_an_earlier_one(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    judged = row(verdict=Verdict(judge="m", correct=True))
    for each in (row(), row(id="coast-02"), judged):
        result_rows.append_line(path, each)
    assert list(result_rows.read_finished_rows(path).values()) == [judged, row(id="coast-02")]


def test_an_incomplete_row_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    result_rows.append_line(path, row())
    path.write_text(path.read_text() + row(id="coast-02").model_dump_json()[:40])
    assert list(result_rows.read_finished_rows(path)) == [row().key]
    result_rows.append_line(path, row(id="coast-03"))
    assert [key.id for key in result_rows.read_finished_rows(path)] == ["coast-01", "coast-03"]


def test_other_files_are_refused_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("Buy milk.")
    with pytest.raises(UsageError, match="line 1 is not a row"):
        result_rows.read_finished_rows(path)
    with pytest.raises(StoreError, match="cannot be written"):
        result_rows.append_line(path / "rows.jsonl", row())
    assert path.read_text() == "Buy milk."


def test_short_citations_are_few_and_short() -> None:
    assert row().is_short(3)
    assert not row().is_short(4)
    assert not row(citations=6).is_short(1)


def test_the_table_has_a_row_per_graph_and_type() -> None:
    silent = {"type": "abstain", "abstain": True, "pages": 0, "opened": 0, "citations": 0}
    told = "\n".join(
        summary.summary_lines(
            [
                row(),
                row(id="2", opened=0, correct=False, whole=False, cold=True, seconds=90.0),
                row(id="3", status="abstained", **silent),
                row(id="4", graph="mango", status="abstained", correct=False, verbatim=1),
                row(id="5", graph="mango", status="failed", error="It broke.", before=None),
            ]
        )
    )
    table = [" ".join(line.split()) for line in told.splitlines()]
    assert "forager all 3 50 50 67 67 0 100 100 2.0 0.0 0.50 2.00" in table
    assert "forager abstain 1 – – 100 100 – – 100 2.0 0.0 0.50 2.00" in table
    assert "forager: abstained on 1 of the 1" in told
    assert "mango: abstained on 0 of the 0 that no page answers, and not on 1 of 2 others" in told
    assert "mango: 1 failed, the first (5): It broke." in told
    assert summary.CONVERSATIONS not in told
    assert summary.CONVERSATIONS in summary.summary_lines([row(type="conversation")])


def table(found: list[Row]) -> list[str]:
    return [" ".join(line.split()) for line in summary.summary_lines(found)]


def test_without_a_model_there_is_no_cost_table() -> None:
    told = "\n".join(table([row()]))
    assert "judge" not in told
    assert "wall/path" not in told


def test_model_costs_have_a_table() -> None:
    cost = Cost(
        tokens_in=3000, tokens_out=200, tokens_cached=1500, usd=0.01, calls=6, chain=4, path=4.0
    )
    timed = row(cost=cost, seconds=5.0)
    told = table([timed, row(id="2", cost=cost, seconds=50.0, cold=True), row(id="3")])
    assert "graph type n calls chain in out cached $ wall/path" in told
    assert "forager single 3 4.0 2.7 2,000 133 1,000 0.0067 1.25" in told
    assert "forager all 1 6.0 4.0 3,000 200 1,500 0.0100 12.50" in table(
        [row(cost=cost, seconds=50.0, cold=True)]
    )


def test_the_judge_has_a_column() -> None:
    paid = Verdict(judge="openai:m", correct=True, asked="d", calls=1, tokens_in=1200, usd=0.5)
    ruled = paid.model_copy(update={"correct": False, "ruled": True, "calls": 2})
    silent = Verdict(judge="openai:m", correct=False)
    told = table([row(verdict=paid), row(id="2", verdict=ruled), row(id="3", verdict=silent)])
    assert told[0].startswith("graph type n read % all % right % whole % judged % short %")
    assert any(line.startswith("forager all 3 100 100 100 100 33 0") for line in told)
    assert told[-1] == (
        "judge openai:m: 2 of 3 answers graded, 1 of them by the string metric; "
        "3 calls, 2,400 tokens in (0 cached), 0 out, $1.0000"
    )
