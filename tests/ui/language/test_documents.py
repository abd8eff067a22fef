"""Documents say what is ours in the language of their reader, and leave the rest as it is."""

from collections.abc import Iterator
from functools import partial

import pytest

from forager.domain.answers import Doubt, Lead, NearestQuote
from graphs.reports.exports.document import Export
from graphs.reports.exports.html_format import as_html
from graphs.reports.exports.markdown_format import as_markdown
from graphs.reports.exports.wording import Wording, speak
from graphs.reports.report import ReportedSpend
from graphs.reports.turns import EarlierTurn
from tests.graphs.sample_export import MADE, TABLE
from tests.ui.language.test_catalogues import OTHERS
from ui.language.catalogue import LANGUAGES, QUOTED, read_catalogue, translate_told
from ui.language.document_wording import document_wording

QUOTE = MADE.citations[0]
NEAREST = NearestQuote(**QUOTE.model_dump(), why="It does not say what is asked.")
SPENT = ReportedSpend(
    tokens_in=12345, tokens_cached=1200, tokens_out=30, usd=0.5, refused=1, seconds=2.5
)


def documents() -> Iterator[Export]:
    """All that a document may say of a session."""
    entry = MADE.evidence[0].model_copy(
        update={
            "dated": "2024-05",
            "also": ("http://h/b",),
            "conflicts": ("e2",),
            "agrees": ("e2",),
        }
    )
    lead = Lead(
        part="what?",
        kind="sentence",
        text="a",
        quote="e1",
        start=0,
        end=1,
        sentence_start=0,
        sentence_end=9,
        confidence=0.5,
    )
    turn = EarlierTurn(number=1, question="Who?", meant="Who is it?", answer="", status="partial")
    doubt = Doubt(sentence="So.", why="It gives no number.")
    filled = MADE.model_copy(
        update={
            "evidence": (entry, *MADE.evidence[1:]),
            "leads": (lead,),
            "turns": (turn,),
            "spent": SPENT,
            "table": TABLE,
            "nearest": NEAREST,
            "meant": "Why so?",
            "reason": "No other page looked likely.",
            "visited": (),
            "doubts": (doubt,),
            "actions": MADE.actions[:2],
            "pleas": MADE.pleas[:1],
        }
    )
    yield filled
    for status in ("answered", "abstained", "failed", "running", "waiting", "paused"):
        yield filled.model_copy(update={"status": status, "turns": ()})
    yield filled.model_copy(update={"status": "partial", "answer": ""})
    yield filled.model_copy(update={"status": "failed", "answer": "", "error": "No page was read."})


NOT_OURS = frozenset({"It [x](y)."})
"""What the sample says in the place of our own texts."""


@pytest.mark.parametrize("language", OTHERS)
def test_whatever_a_document_says_of_ours_is_translated(language: str) -> None:
    said: set[str] = set()

    def take(text: str) -> str:
        said.add(text)
        return translate_told(language, text)

    with speak(Wording(language, take)):
        for made in documents():
            assert f'<html lang="{language}">' in as_html(made)
            assert as_markdown(made)
    known = NOT_OURS | read_catalogue(language).sentences.keys()
    ours = {text for text in said - known if not QUOTED.fullmatch(text)}
    assert sorted(text for text in ours if translate_told(language, text) == text) == []


def test_a_document_in_german() -> None:
    made = next(documents())
    with speak(document_wording("de")):
        text = as_markdown(made)
    assert "*Teilweise beantwortet · gefragt am 2026-02-03 04:00 UTC · http://h/*" in text
    assert "## Quellen" in text
    assert "Gelesene Tokens: 12.345, davon 1.200 zwischengespeichert" in text
    assert made.question in text
    assert "Sources" not in text
    assert as_markdown(made) != text


@pytest.mark.parametrize("language", LANGUAGES)
def test_numbers_are_written_as_in_the_language(language: str) -> None:
    number = partial(document_wording(language).number, 1234.5)
    assert number(1) == {"de": "1.234,5"}.get(language, "1,234.5")
