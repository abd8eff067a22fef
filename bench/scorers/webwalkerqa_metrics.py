"""WebWalkerQA (arXiv 2501.07572): accuracy per type and difficulty, and actions of right runs.

The verdict of a judge model (chain-of-thought QA, CORRECT or INCORRECT) counts if there is one.
Without one, an answer is right if it contains the gold: stricter than a judge, as many golds are
sentences.
"""

import statistics
from collections.abc import Sequence
from typing import get_args

from bench.scorers.word_overlap import Overlap, compare_words
from bench.sets.webwalkerqa import Difficulty, Kind, WebWalkerQuestion
from forager.domain.base import Frozen

OVERALL = "overall"


class Graded(Frozen):
    """A graded answer; `actions` is the number of actions it took, if known."""

    kind: Kind
    difficulty: Difficulty
    overlap: Overlap
    right: bool
    actions: int | None = None


class Bucket(Frozen):
    """Shares over the questions of one type and difficulty, and the mean actions of right runs.

    `actions` is the paper's A.C.; None if no right run reports its actions.
    """

    kind: Kind | str
    difficulty: Difficulty | str
    n: int
    right: float
    contained: float
    exact: float
    f1: float
    actions: float | None


def grade_answer(
    question: WebWalkerQuestion,
    answer: str,
    verdict: bool | None = None,
    actions: int | None = None,
) -> Graded:
    """Grade an answer (empty if missing) by a judge's verdict, or by its words without one."""
    found = compare_words(answer, question.gold)
    return Graded(
        kind=question.kind,
        difficulty=question.difficulty,
        overlap=found,
        right=found.contained if verdict is None else verdict,
        actions=actions,
    )


def group_answers(graded: Sequence[Graded]) -> tuple[Bucket, ...]:
    """Return the paper's six buckets, without empty ones, and one of all answers."""
    found = [
        _make_bucket(kind, difficulty, of)
        for kind in get_args(Kind)
        for difficulty in get_args(Difficulty)
        if (of := [one for one in graded if (one.kind, one.difficulty) == (kind, difficulty)])
    ]
    return (*found, _make_bucket(OVERALL, "", graded)) if graded else ()


def _make_bucket(kind: str, difficulty: str, graded: Sequence[Graded]) -> Bucket:
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
