"""An arm as a report shows it: what was believed of it before and is now, and what came of it."""

from typing import Literal

from forager.bandit.posterior import posterior
from forager.domain.base import Frozen
from forager.domain.experience import Outcome
from forager.domain.state import Arm, Lesson, State

Standing = Literal["", "found", "nothing"] | Outcome


class ArmReport(Frozen):
    """An arm with its posterior and how often it was judged.

    `prior` is α and β before the first visit, `round` that of the last one (0: none), `outcome`
    how that was judged. The round that ends a run is judged by nobody: `found` or `nothing`.
    """

    url: str
    title: str
    site: str
    score: float
    alpha: float
    beta: float
    draws: int
    prior: tuple[float, float] = (1.0, 1.0)
    round: int = 0
    outcome: Standing = ""


def arm_reports(state: State) -> tuple[ArmReport, ...]:
    """All arms, in the order of their rank."""
    beliefs = posterior(state.arms, state.lessons)
    last = {lesson.url: lesson for lesson in state.lessons}
    return tuple(
        ArmReport(
            url=arm.url,
            title=arm.title,
            site=arm.site,
            score=arm.score,
            alpha=beliefs[arm.url].alpha,
            beta=beliefs[arm.url].beta,
            draws=beliefs[arm.url].pulls,
            prior=(arm.alpha, arm.beta),
            round=_round(arm, state, last.get(arm.url)),
            outcome=_outcome(arm, state, last.get(arm.url)),
        )
        for arm in state.arms
    )


def _open(arm: Arm, state: State, lesson: Lesson | None) -> bool:
    """Was it drawn in the present round, which nobody has judged yet?"""
    judged = lesson is not None and lesson.round == state.draw.round
    return arm.url in state.draw.urls and not judged


def _round(arm: Arm, state: State, lesson: Lesson | None) -> int:
    if _open(arm, state, lesson):
        return state.draw.round
    return lesson.round if lesson else 0


def _outcome(arm: Arm, state: State, lesson: Lesson | None) -> Standing:
    if not _open(arm, state, lesson):
        return lesson.outcome if lesson else ""
    if not state.answer:
        return ""
    alone = len(state.draw.urls) == 1
    brought = any(
        item.round == state.draw.round and (alone or item.passage.url == arm.url)
        for item in state.evidence
        if not item.dropped
    )
    return "found" if brought else "nothing"
