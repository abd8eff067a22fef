"""Questions whose answer stands in a sentence of their quote, for fitting what finds its words."""

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from forager.text.quotes import split_sentences

FOLDS = 5
ADDED = 14
"""Words that hold the answer are right if they have at most this many characters more."""
MARKS = " .,;:\"'“”‘’`()"


class Asked(NamedTuple):
    """A question, the sentence of its gold quote that answers, and its answers."""

    site: str
    kind: str
    question: str
    sentence: str
    answers: tuple[str, ...]


def read_asked(paths: Iterable[Path]) -> Iterator[Asked]:
    """The questions whose answer stands in a sentence of their quote; of yes or no, all."""
    lines = [line for path in paths for line in path.read_text("utf-8").splitlines()]
    for row in map(json.loads, lines):
        if not row.get("answerable", True) or not row.get("pages"):
            continue
        quote = row["pages"][0]["quote"]
        spans = [quote[start:end] for start, end in split_sentences(quote)]
        answers = tuple(each for said in row["answer"] for each in said.split("|"))
        kind = row.get("kind") or row.get("type")
        if kind == "yesno":
            answers = answers[:1]
            said: str | None = quote
        else:
            folded = [fold(each) for each in answers]
            said = next((each for each in spans if any(a in fold(each) for a in folded)), None)
        if said:
            site = row.get("site") or row["sites"][0]
            yield Asked(site, kind, row["question"], said, answers)


def fold(text: str) -> str:
    """In lower case, without outer marks and repeated white space."""
    return " ".join(text.lower().split()).strip(MARKS)


def is_right(words: str, answers: Sequence[str]) -> bool:
    """Are some words an answer, or do they hold one and little else?"""
    said = fold(words)
    return any(
        each == said or (each in said and len(said) <= len(each) + ADDED)
        for each in map(fold, answers)
        if each
    )


def site_folds(rows: Iterable[Asked]) -> dict[str, int]:
    """The fold of each site."""
    return {site: place % FOLDS for place, site in enumerate(sorted({row.site for row in rows}))}
