"""Scorers: the outcome of a session against gold. Pure functions."""

import re
from collections.abc import Callable, Collection, Iterable, Sequence

from forager.domain.answers import Citation
from forager.domain.base import Frozen
from forager.domain.state import Evidence
from forager.text.quotes import split_sentences, verify_quote

MARK = re.compile(r"\[e\d+\]")
SPACE = re.compile(r"\s+")
STOP = re.compile(r"(?<=[.!?])\s+")

ReadText = Callable[[str], str]
"""Returns the text of the page in a blob."""


def fold_text(text: str) -> str:
    """The text in lower case, with single spaces."""
    return SPACE.sub(" ", text.lower()).strip()


def missing_gold(text: str, answer: Iterable[str], *, whole: bool = False) -> tuple[str, ...]:
    """The gold strings of which an answer's text has no alternative.

    Citation ids in brackets do not count as text. With `whole`, a gold string must not begin or end
    inside a word or number: `9` is not in `1997` or `0.9`.
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
    """The quotes that a session shows, and those of them that are where it says."""

    shown: int = 0
    verbatim: int = 0


def check_quotes(
    citations: Sequence[Citation], evidence: Sequence[Evidence], read: ReadText
) -> QuoteCounts:
    """Look up each quote, cited or in the ledger, at its offsets in the stored page."""
    places = [(item.blob, item.start, item.end, item.quote) for item in citations]
    passages = [item.passage for item in evidence]
    places += [(item.blob, item.start, item.end, item.text) for item in passages]
    texts = {blob: read(blob) for blob in {place[0] for place in places}}
    valid = [verify_quote(texts[blob], start, end, quote) for blob, start, end, quote in places]
    return QuoteCounts(shown=len(valid), verbatim=sum(valid))


def longest_quote(quotes: Iterable[str]) -> int:
    """The sentences of the longest quote. A heading, list item or table row counts as one."""
    return max((len(split_sentences(quote)) for quote in quotes), default=0)


def longest_quote_by_stops(quotes: Iterable[str]) -> int:
    """The same, where only a stop before white space ends a sentence."""
    return max((len(STOP.split(quote.strip())) for quote in quotes), default=0)


def count_recalled(ranked: Sequence[str], gold: Collection[str], top: int) -> int:
    """The number of gold pages among the first `top`."""
    return len(set(ranked[:top]) & set(gold))


def ratio(part: float, whole: float) -> float | None:
    """The quotient, or None where `whole` is zero."""
    return part / whole if whole else None
