"""Splits an answer into its text and its citations."""

import re
from collections.abc import Iterator, Sequence

from forager.domain.answers import Quote

CITATION_GROUP = re.compile(r"\[([^\[\]]+)\]")
ID_SEPARATOR = re.compile(r"[\s,;]+")


def split_citations(text: str, citations: Sequence[Quote]) -> Iterator[str | int]:
    """Pieces of text, and the numbers (from 1) of the citations in brackets, in order."""
    numbers = {item.id: number for number, item in enumerate(citations, 1)}
    done = 0
    for found in CITATION_GROUP.finditer(text):
        ids = ID_SEPARATOR.split(found[1].strip())
        if not numbers.keys() >= set(ids):
            continue  # brackets that cite nothing
        if text[done : found.start()]:
            yield text[done : found.start()]
        yield from (numbers[id] for id in ids)
        done = found.end()
    if text[done:]:
        yield text[done:]
