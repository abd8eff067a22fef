"""WebWalkerQA (arXiv 2501.07572): per type and difficulty, and the actions of right runs.

Graded by a judge model (chain-of-thought QA, CORRECT or INCORRECT); its verdict counts where there
is one. Without, an answer is right that contains the gold: stricter than a judge, for many golds
are sentences.
"""

import statistics
from collections.abc import Sequence
from typing import get_args

from bench.scorers.word_overlap import Overlap, overlap
from bench.sets.webwalkerqa import Difficulty, Kind, WebWalkerQuestion
from forager.domain.base import Frozen

OVERALL = "overall"


class Graded(Frozen):
    """One answer beside its question; `actions` is how many it took, if known."""

    kind: Kind
    difficulty: Difficulty
    overlap: Overlap
    right: bool
    actions: int | None = None


class Bucket(Frozen):
    """The shares of the questions of one type and difficulty, and the mean actions of right runs.

    `actions` is the paper's A.C.; None where no right run says how many it took.
    """

    kind: Kind | str
    difficulty: Difficulty | str
    n: int
    right: float
    contained: float
    exact: float
    f1: float
    actions: float | None


def grade(
    question: WebWalkerQuestion,
    answer: str,
    verdict: bool | None = None,
    actions: int | None = None,
) -> Graded:
    """An answer beside its question; none is an empty text. The verdict is a judge's."""
    found = overlap(answer, question.gold)
    return Graded(
        kind=question.kind,
        difficulty=question.difficulty,
        overlap=found,
        right=found.contained if verdict is None else verdict,
        actions=actions,
    )


def buckets(graded: Sequence[Graded]) -> tuple[Bucket, ...]:
    """The six of the paper as far as there are questions, then all of them."""
    found = [
        _bucket(kind, difficulty, of)
        for kind in get_args(Kind)
        for difficulty in get_args(Difficulty)
        if (of := [one for one in graded if (one.kind, one.difficulty) == (kind, difficulty)])
    ]
    return (*found, _bucket(OVERALL, "", graded)) if graded else ()


def _bucket(kind: str, difficulty: str, graded: Sequence[Graded]) -> Bucket:
    taken = [one.actions for one in graded if one.right and one.actions is not None]
    return Bucket(
        kind=kind,
        difficulty=difficulty,
        n=len(graded),
        right=statistics.mean(one.right for one in graded),
        contained=statistics.mean(one.overlap.contained for one in graded),
        exact=statistics.mean(one.overlap.exact for one in graded),
        f1=statistics.mean(one.overlap.f1 for one in graded),
        actions=statistics.mean(taken) if taken else None,
    )
