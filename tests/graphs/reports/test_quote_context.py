import json
from pathlib import Path

import pytest

from forager.adapters.store.blobs import SqliteBlobs
from forager.errors import UsageError
from forager.settings import Settings
from graphs.reports.quote_context import MAX_CONTEXT_CHARACTERS, read_quote_context
from graphs.reports.report import Report, ReportedEvidence

WORDS = "".join(f"word{number} " for number in range(500))
QUOTE = "The lamp was lit in 1874."


def report(blob: str, start: int) -> Report:
    kept = ReportedEvidence(
        id="e1",
        url="http://127.0.0.1/a",
        title="A",
        quote=QUOTE,
        part="p1",
        round=1,
        blob=blob,
        start=start,
        end=start + len(QUOTE),
    )
    return Report(
        session="s",
        graph="g",
        graph_hash="h",
        model="m",
        status="partial",
        answer="",
        evidence=(kept,),
    )


def stored(data: Path, text: str) -> str:
    blobs = SqliteBlobs(data / "blobs.sqlite")
    body = json.dumps({"url": "http://127.0.0.1/a", "text": text})
    digest = blobs.put(body.encode(), "document")
    blobs.close()
    return digest


def test_a_quote_is_shown_between_whole_words(tmp_path: Path) -> None:
    text = f"{WORDS}{QUOTE} {WORDS}"
    blob = stored(tmp_path, text)
    found = read_quote_context(report(blob, len(WORDS)), "e1", Settings(data=tmp_path))
    assert found.stands
    assert found.quote == QUOTE
    assert found.before.startswith("…word")
    assert found.after.endswith("…")
    assert found.before[1:] in text
    assert found.after[:-1].strip() in text
    assert max(len(found.before), len(found.after)) <= MAX_CONTEXT_CHARACTERS + 1
    assert found.share == round(len(WORDS) / len(text), 3)
    assert found.link.startswith("http://127.0.0.1/a#:~:text=")
    pieces = [piece for block in found.blocks for cell in block.cells for piece in cell]
    assert [piece.text for piece in pieces if piece.marked] == [QUOTE]


def test_a_missing_or_changed_page_does_not_stand(tmp_path: Path) -> None:
    blob = stored(tmp_path, WORDS)
    for at in (report("0" * 64, 0), report(blob, 0)):
        found = read_quote_context(at, "e1", Settings(data=tmp_path))
        assert (found.quote, found.stands, found.before, found.after) == (QUOTE, False, "", "")
    with pytest.raises(UsageError, match="no quote 'e7'"):
        read_quote_context(report(blob, 0), "e7", Settings(data=tmp_path))


def test_the_lines_around_a_quote_are_code_where_they_are_on_the_page(tmp_path: Path) -> None:
    code = "\n".join(f">>> run_the_step(number={at}, of_all=9)" for at in range(20))
    start = f"Before.\n\n```\n{code}\n```\n\n"
    blob = stored(tmp_path, f"{start}{QUOTE}\n\n```\n{code}\n```\n")
    found = read_quote_context(report(blob, len(start)), "e1", Settings(data=tmp_path))
    kinds = [block.kind for block in found.blocks]
    assert kinds == ["code"] * kinds.index("text") + ["text"] + ["code"] * kinds[::-1].index("text")
    assert [block.text for block in found.blocks if block.kind == "text"] == [QUOTE]
    assert (found.blocks[0].text[0], found.blocks[-1].text[-1]) == ("…", "…")
