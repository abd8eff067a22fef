"""Beta posteriors of arms, and the draw of the next arm, as in Mango (arXiv 2604.18779).

An arm's prior is Beta(1 + κρ, 1 + κ(1 - ρ)), where ρ is its score, min-max normalised over all
arms. Each attempt's verdict adds to α or β and may retire the arm; the arm with the largest sample
is visited next. Everything here is pure: the same seed, round, arms and lessons give the same draw,
regardless of the order of arms and lessons.
"""

import math
from collections.abc import Iterable, Sequence

import numpy as np

from forager.bandit.strategies import STRATEGIES, Belief, StrategyName
from forager.domain.state import Arm, Draw, Lesson

KAPPA = 3.0
"""The best prior strength in Mango's experiments."""


def assign_priors(arms: Sequence[Arm], kappa: float = KAPPA) -> tuple[Arm, ...]:
    """Set each arm's prior from its score.

    A single arm has ρ = 1. If all scores are equal, every arm has ρ = ½.
    """
    scores = [arm.score for arm in arms]
    low, spread = min(scores, default=0.0), max(scores, default=0.0) - min(scores, default=0.0)

    def with_prior(arm: Arm) -> Arm:
        rho = (arm.score - low) / spread if spread > 0 else 1.0 if len(arms) == 1 else 0.5
        update = {"alpha": 1 + kappa * rho, "beta": 1 + kappa * (1 - rho)}
        return arm.model_copy(update=update)

    return tuple(with_prior(arm) for arm in arms)


def arm_beliefs(arms: Iterable[Arm], lessons: Iterable[Lesson]) -> dict[str, Belief]:
    """The belief about each arm, by URL; lessons about other pages are ignored."""
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
    """How many attempts on the arm brought no evidence (for rewards that are based on gain)."""
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
    """Draw the next arms to visit: at most `count`, all different, none retired."""
    beliefs = arm_beliefs(arms, lessons)
    rng = np.random.default_rng([abs(seed), int(seed < 0), round])
    wanted = STRATEGIES[strategy](arms, beliefs, rng)
    return Draw(
        round=round,
        urls=tuple(arm.url for arm, _ in wanted[:count]),
        samples={arm.url: value for arm, value in wanted},
        reason=strategy if wanted else "every arm is retired",
    )
