"""Splits a set into two halves that share no package, equal in number and alike in kinds."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from bench.make_set.set_questions import Question

DRAWS = 20_000
EVEN = 0.5


def split_halves(questions: Sequence[Question], seed: int) -> tuple[list[Question], list[Question]]:
    """Draw halves at random and keep the most balanced; the same seed gives the same halves.

    Whole packages are drawn, those together that a question joins. Equal numbers count first, then
    kinds, then languages.
    """
    groups = _joined_groups(questions)
    counts = [_count(group) for group in groups]
    keys = sorted({key for each in counts for key in each})
    table = np.array([[each[key] for key in keys] for each in counts], dtype=np.float64)
    weights = np.array([_weight(key) for key in keys])
    picked = np.random.default_rng(seed).random((DRAWS, len(groups))) < EVEN
    costs = np.abs(2 * (picked @ table) - table.sum(axis=0)) @ weights
    best = picked[int(costs.argmin())]
    of_first = {one.id for group, into in zip(groups, best, strict=True) if into for one in group}
    return (
        [one for one in questions if one.id in of_first],
        [one for one in questions if one.id not in of_first],
    )


def _joined_groups(questions: Sequence[Question]) -> list[list[Question]]:
    """The questions of each package; of packages that a question joins, together."""
    joined: list[set[str]] = []
    for one in questions:
        names = set(one.sites)
        touched = [group for group in joined if group & names]
        joined = [group for group in joined if not group & names]
        joined.append(names.union(*touched))
    return [[one for one in questions if set(one.sites) <= names] for names in joined]


def _count(group: Sequence[Question]) -> Counter[str]:
    return Counter(
        key for one in group for key in ("number", f"kind {one.type}", f"language {one.lang}")
    )


def _weight(key: str) -> float:
    return 100.0 if key == "number" else 3.0 if key.startswith("kind") else 1.0
