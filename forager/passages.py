"""Reading units: sentences, with fragments too short to stand alone joined to their neighbours."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from forager.quotes import sentences

LEAST_WORDS = 8
LEAST_WORDS_IN_ROWS = 14
MOST_WORDS_JOINED = 40
FULL_SENTENCE = 6


class Unit(NamedTuple):
    """A piece of a document, `text[start:end]`, under the heading of that number (-1: none)."""

    start: int
    end: int
    heading: int


def units(text: str, headings: Sequence[int] = ()) -> Iterator[Unit]:
    """Split a document's text; `headings` are the offsets where its headings start, ascending."""
    start = end = words = 0
    section = -1
    least = LEAST_WORDS
    for left, right in sentences(text):
        count = len(text[left:right].split())
        opens = section + 1 < len(headings) and left >= headings[section + 1]
        if words and (opens or _apart(words, count)):
            yield Unit(start, end, section)
            words = 0
        while section + 1 < len(headings) and left >= headings[section + 1]:
            section += 1
        if not words:
            start = left
            least = LEAST_WORDS_IN_ROWS if _is_row(text, left, right) else LEAST_WORDS
        end, words = right, words + count
        if words >= least and not opens:
            yield Unit(start, end, section)
            words = 0
    if words:
        yield Unit(start, end, section)


def _is_row(text: str, left: int, right: int) -> bool:
    return text.startswith("```", left) or " | " in text[left:right]


def _apart(words: int, following: int) -> bool:
    both_stand_alone = words >= FULL_SENTENCE and following >= FULL_SENTENCE
    return both_stand_alone or words + following > MOST_WORDS_JOINED
