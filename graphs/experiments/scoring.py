"""Scorers: gold beside what a session brought. Pure."""

import re
from collections.abc import Callable, Collection, Iterable, Sequence

from forager.domain.answers import Citation
from forager.domain.base import Frozen
from forager.domain.state import Evidence
from forager.text.quotes import sentences, verify

MARK = re.compile(r"\[e\d+\]")
SPACE = re.compile(r"\s+")
STOP = re.compile(r"(?<=[.!?])\s+")

ReadText = Callable[[str], str]
"""The text of the page that a blob holds."""


def fold_text(text: str) -> str:
    """Lower case, each run of white space one blank."""
    return SPACE.sub(" ", text.lower()).strip()


def missing_gold(text: str, answer: Iterable[str], *, whole: bool = False) -> tuple[str, ...]:
    """The gold strings that an answer's text lacks in all their alternatives.

    The ledger's ids in brackets are no part of the text. With `whole`, a gold string must not
    begin or end within a word or a number: `9` does not stand in `1997` or `0.9`.
    """
    said = fold_text(MARK.sub(" ", text))
    return tuple(
        gold
        for gold in answer
        if not any(_contains_gold(said, one, whole) for one in gold.split("|"))
    )


def _contains_gold(said: str, wanted: str, whole: bool) -> bool:
    wanted = fold_text(wanted)
    if not whole:
        return wanted in said
    left = r"(?<![a-z0-9])(?<!\d[.,])" if wanted[:1].isalnum() else ""
    right = r"(?![a-z0-9])(?![.,]\d)" if wanted[-1:].isalnum() else ""
    return re.search(f"{left}{re.escape(wanted)}{right}", said) is not None


class QuoteCounts(Frozen):
    """How many quotes a session shows, and how many of them stand where it says."""

    shown: int = 0
    verbatim: int = 0


def check_quotes(
    citations: Sequence[Citation], evidence: Sequence[Evidence], read: ReadText
) -> QuoteCounts:
    """Look for each quote, cited or in the ledger, at its offsets in the stored page."""
    places = [(item.blob, item.start, item.end, item.quote) for item in citations]
    passages = [item.passage for item in evidence]
    places += [(item.blob, item.start, item.end, item.text) for item in passages]
    texts = {blob: read(blob) for blob in {place[0] for place in places}}
    valid = [verify(texts[blob], start, end, quote) for blob, start, end, quote in places]
    return QuoteCounts(shown=len(valid), verbatim=sum(valid))


def longest_quote(quotes: Iterable[str]) -> int:
    """The sentences of the longest quote; a heading, a list item or a table row is one, too."""
    return max((len(sentences(quote)) for quote in quotes), default=0)


def longest_quote_by_stops(quotes: Iterable[str]) -> int:
    """The same with nothing but a stop before white space to end a sentence."""
    return max((len(STOP.split(quote.strip())) for quote in quotes), default=0)


def count_recalled(ranked: Sequence[str], gold: Collection[str], top: int) -> int:
    """How many of the gold pages stand among the first `top`."""
    return len(set(ranked[:top]) & set(gold))


def ratio(part: float, whole: float) -> float | None:
    """A share, or None of nothing."""
    return part / whole if whole else None
