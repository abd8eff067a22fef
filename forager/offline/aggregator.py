"""Which passages enter the ledger, and what stays open, without a model."""

from collections.abc import Sequence
from typing import NamedTuple

from forager.domain.state import Evidence, Passage, SubQuestion
from forager.evidence.agreement import repeats_passage
from forager.evidence.ledger import compare_with_ledger
from forager.evidence.passages import passages_overlap


class Addition(NamedTuple):
    """The number (from 1) of a passage to add; ids of entries it agrees or conflicts with."""

    passage: int
    agrees: list[str]
    against: list[str]


def edit_ledger(
    passages: Sequence[Passage],
    ledger: Sequence[Evidence],
    parts: Sequence[SubQuestion],
    least: float,
) -> tuple[list[Addition], list[str]]:
    """The passages that say something new, and what is open after them.

    A part is open, given by its text, if nothing in the ledger scores `least` for it.
    """
    added: list[Addition] = []
    known = [item.passage for item in ledger]
    for number, passage in enumerate(passages, start=1):
        if not any(_says_the_same(passage, other) for other in known):
            added.append(Addition(number, *compare_with_ledger(passage, ledger, parts)))
            known.append(passage)
    best = {part.text: 0.0 for part in parts}
    for part in parts:
        scores = [passage.scores.get(part.id, 0.0) for passage in known]
        best[part.text] = max([best[part.text], *scores])
    return added, [text for text, score in best.items() if score < least]


def _says_the_same(one: Passage, other: Passage) -> bool:
    """Do both overlap on one page, or say the same in nearly the same words on two?"""
    return passages_overlap(one, other) if one.blob == other.blob else repeats_passage(one, other)
