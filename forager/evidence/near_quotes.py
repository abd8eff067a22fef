"""Finds the sentences that a nearly verbatim quote stands for."""

import re
from difflib import SequenceMatcher
from functools import lru_cache

from forager.text.sentences import Span, split_sentences

WORD = re.compile(r"[^\W_]+")
MIN_WORDS = 5
"""Shorter quotes are not looked for, since too much text resembles them."""
WORDS_PER_SLIP = 10
"""One in this many words may be misspelt."""
MIN_LIKENESS = 0.75
"""The least similarity of a misspelt word and the word on the page, 0 to 1."""


def find_near_quote(text: str, quote: str) -> Span | None:
    """The span of the sentences that hold a quote, or None.

    The words must be those of the text, in their order, with nothing left out: only marks between
    them may differ, and a few words may be misspelt by some letters, but never a number.
    """
    wanted = WORD.findall(quote.lower())
    if len(wanted) < MIN_WORDS:
        return None
    words, spans = _words(text)
    slips = len(wanted) // WORDS_PER_SLIP
    places = (
        (_count_slips(wanted, words[n : n + len(wanted)], slips), n)
        for n in _starts(wanted, words, slips)
    )
    fitting = [(count, n) for count, n in places if count is not None]
    if not fitting:
        return None
    _, first = min(fitting)
    start, end = spans[first][0], spans[first + len(wanted) - 1][1]
    touched = [span for span in split_sentences(text) if span[0] < end and start < span[1]]
    return (touched[0][0], touched[-1][1]) if touched else (start, end)


@lru_cache(maxsize=8)
def _words(text: str) -> tuple[list[str], list[Span]]:
    """The words of a text in lower case, and their spans."""
    found = list(WORD.finditer(text))
    return [each[0].lower() for each in found], [each.span() for each in found]


def _starts(wanted: list[str], words: list[str], slips: int) -> list[int]:
    """The positions where the quote may begin, because one of its first words is in place."""
    sure = list(enumerate(wanted[: slips + 1]))
    last = len(words) - len(wanted)
    known = {word for _, word in sure}
    hits = [(n, word) for n, word in enumerate(words) if word in known]
    starts = {n - place for n, word in hits for place, own in sure if own == word}
    return sorted(n for n in starts if 0 <= n <= last)


def _count_slips(wanted: list[str], words: list[str], most: int) -> int | None:
    """The number of misspelt words; None if it exceeds `most` or the words differ."""
    count = 0
    for one, other in zip(wanted, words, strict=True):
        if one == other:
            continue
        count += 1
        if count > most or not _is_misspelt(one, other):
            return None
    return count


def _is_misspelt(one: str, other: str) -> bool:
    """Are both spellings of one word? Numbers have only one."""
    if any(map(str.isdigit, one + other)):
        return False
    return SequenceMatcher(None, one, other).ratio() >= MIN_LIKENESS
