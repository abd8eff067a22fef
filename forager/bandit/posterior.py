"""Which page to start from next: arms with Beta posteriors, as in Mango (arXiv 2604.18779).

Mango's Thompson sampling: an arm's prior is Beta(1 + κρ, 1 + κ(1 - ρ)) with ρ its score, min-max
normalised over the arms; each attempt's judgement adds to α or β, the arm with the largest sample
is visited next, and some judgements retire it. Everything here is pure: the same seed, round, arms
and lessons give the same draw, in whatever order the arms and lessons come.
"""

import math
from collections.abc import Iterable, Sequence

import numpy as np

from forager.bandit.strategies import STRATEGIES, Belief, StrategyName
from forager.domain.state import Arm, Draw, Lesson

KAPPA = 3.0
"""The best prior strength in Mango's experiments."""


def assign_priors(arms: Sequence[Arm], kappa: float = KAPPA) -> tuple[Arm, ...]:
    """The arms with the priors that their scores earn.

    A single arm has ρ = 1; arms of equal scores, about which the ranking says nothing, have ρ = ½.
    """
    scores = [arm.score for arm in arms]
    low, spread = min(scores, default=0.0), max(scores, default=0.0) - min(scores, default=0.0)

    def prior(arm: Arm) -> Arm:
        rho = (arm.score - low) / spread if spread > 0 else 1.0 if len(arms) == 1 else 0.5
        update = {"alpha": 1 + kappa * rho, "beta": 1 + kappa * (1 - rho)}
        return arm.model_copy(update=update)

    return tuple(prior(arm) for arm in arms)


def arm_beliefs(arms: Iterable[Arm], lessons: Iterable[Lesson]) -> dict[str, Belief]:
    """The belief about each arm, by address; lessons on other pages are left out."""
    learnt: dict[str, list[Lesson]] = {}
    for lesson in lessons:
        learnt.setdefault(lesson.url, []).append(lesson)
    return {arm.url: _update_belief(arm, learnt.get(arm.url, [])) for arm in arms}


def _update_belief(arm: Arm, lessons: Sequence[Lesson]) -> Belief:
    return Belief(
        alpha=math.fsum([arm.alpha, *(lesson.alpha for lesson in lessons)]),
        beta=math.fsum([arm.beta, *(lesson.beta for lesson in lessons)]),
        pulls=len(lessons),
        retired=any(lesson.retired for lesson in lessons),
    )


def dry_attempts(url: str, lessons: Iterable[Lesson]) -> int:
    """How many attempts on the arm brought no evidence, where rewards are learnt from gain."""
    return sum(lesson.url == url and lesson.alpha == 0 for lesson in lessons)


def draw_arms(  # noqa: PLR0913
    strategy: StrategyName,
    arms: Sequence[Arm],
    lessons: Sequence[Lesson],
    *,
    seed: int,
    round: int,
    count: int = 1,
) -> Draw:
    """The next arms to visit: at most `count`, all different, none retired."""
    beliefs = arm_beliefs(arms, lessons)
    rng = np.random.default_rng([abs(seed), int(seed < 0), round])
    wanted = STRATEGIES[strategy](arms, beliefs, rng)
    return Draw(
        round=round,
        urls=tuple(arm.url for arm, _ in wanted[:count]),
        samples={arm.url: value for arm, value in wanted},
        reason=strategy if wanted else "every arm is retired",
    )
