"""Reading units: sentences, each with the fragments (headings, labels, items) that lead to it."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from forager.text.quotes import sentences

FRAGMENT_WORDS = 14
"""Fragments are joined until they have so many words."""
MOST_WORDS = 40
COMPLETE = re.compile(r"[.!?。！？…][\"'”’»)\]]*$")


class Unit(NamedTuple):
    """A piece of a document, `text[start:end]`, under the heading of that number (-1: none)."""

    start: int
    end: int
    heading: int


def units(text: str, headings: Sequence[int] = ()) -> Iterator[Unit]:
    """Split a document's text; `headings` are the offsets where its headings start, ascending."""
    start = end = words = 0
    section = -1
    for left, right in sentences(text):
        sentence = text[left:right]
        count = len(sentence.split())
        opens = section + 1 < len(headings) and left >= headings[section + 1]
        if words and (opens or words + count > MOST_WORDS):
            yield Unit(start, end, section)
            words = 0
        while section + 1 < len(headings) and left >= headings[section + 1]:
            section += 1
        start = start if words else left
        end, words = right, words + count
        if not opens and (words >= FRAGMENT_WORDS or COMPLETE.search(sentence)):
            yield Unit(start, end, section)
            words = 0
    if words:
        yield Unit(start, end, section)
