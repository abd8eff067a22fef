"""Beta posteriors of arms, and the draw of the next arm, by default as in Mango (arXiv 2604.18779).

An arm's prior is Beta(1 + κρ, 1 + κ(1 - ρ)), where ρ is its score, min-max normalised over all
arms. Each attempt's verdict adds to α or β and may retire the arm. A strategy chooses the next arm;
by default it is the one with the largest sample. Everything here is pure: the same seed, round,
arms and lessons give the same draw, regardless of the order of arms and lessons.

After dry rounds, which found nothing for any open sub-question, another is not worth its cost.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, Literal, NamedTuple

import numpy as np

from forager.bandit.likeness import Tried, learn_from_like
from forager.bandit.rewards import Reward
from forager.domain.state import Arm, Draw, Evidence, Lesson, State, SubQuestion
from forager.questions.required_terms import mentions_required
from forager.questions.subquestions import open_sub_questions
from forager.text.tokens import tokenize

EXPLORATION = math.sqrt(0.5)
"""UCT's constant for rewards in [0, 1] (Kocsis & Szepesvári 2006)."""
ALL_RETIRED = "no other page looked likely"
"""The reason of a draw that takes no arm as none is left."""


class Belief(NamedTuple):
    """An arm's posterior Beta(alpha, beta), its number of visits, and whether it is retired."""

    alpha: float
    beta: float
    pulls: int = 0
    retired: bool = False

    @property
    def mean(self) -> float:
        return self.alpha / (self.alpha + self.beta)

    def add_reward(self, reward: Reward) -> "Belief":
        """The belief after one more visit."""
        alpha, beta = self.alpha + reward.alpha, self.beta + reward.beta
        return Belief(alpha, beta, self.pulls + 1, self.retired or reward.retired)


Beliefs = Mapping[str, Belief]
Preference = list[tuple[Arm, float]]
"""Arms from most to least preferred, each with the value that decided."""
Strategy = Callable[[Sequence[Arm], Beliefs, np.random.Generator], Preference]
StrategyName = Literal["thompson", "greedy", "correlated", "random", "root", "mcts"]


def thompson_sampling(
    arms: Sequence[Arm], beliefs: Beliefs, rng: np.random.Generator
) -> Preference:
    """Order by a sample of each posterior: P(arm first) = P(arm is best)."""
    active = _active_arms(arms, beliefs)
    alphas = [beliefs[arm.url].alpha for arm in active]
    betas = [beliefs[arm.url].beta for arm in active]
    return _sort_by_value(active, rng.beta(alphas, betas).tolist())


def greedy_by_mean(arms: Sequence[Arm], beliefs: Beliefs, rng: np.random.Generator) -> Preference:
    """Order by the mean of each posterior; if visits retire arms, this follows the ranking."""
    del rng
    active = _active_arms(arms, beliefs)
    return _sort_by_value(active, [beliefs[arm.url].mean for arm in active])


def correlated_mean(arms: Sequence[Arm], beliefs: Beliefs, rng: np.random.Generator) -> Preference:
    """Order by the mean of each posterior, after what attempts on other arms say about its like.

    An attempt that found something raises the arms of its folder and template, one that found
    nothing lowers them. A copy of a page that was read is lowered, whatever was found there.
    """
    del rng
    active = _active_arms(arms, beliefs)
    tried = [
        Tried(arm, beliefs[arm.url].alpha - arm.alpha, beliefs[arm.url].beta - arm.beta)
        for arm in sorted(arms, key=lambda arm: arm.url)
        if beliefs[arm.url].pulls
    ]
    return _sort_by_value(active, [_pool_belief(arm, tried, beliefs).mean for arm in active])


def _pool_belief(arm: Arm, tried: Sequence[Tried], beliefs: Beliefs) -> Belief:
    """The arm's belief, with what attempts on its like add to it."""
    own, (alpha, beta) = beliefs[arm.url], learn_from_like(arm, tried)
    return own._replace(alpha=own.alpha + alpha, beta=own.beta + beta)


def uniform_random(arms: Sequence[Arm], beliefs: Beliefs, rng: np.random.Generator) -> Preference:
    """Order at random, all arms with equal probability."""
    active = _active_arms(arms, beliefs)
    return _sort_by_value(active, rng.random(len(active)).tolist())


def nearest_to_root(arms: Sequence[Arm], beliefs: Beliefs, rng: np.random.Generator) -> Preference:
    """Order by depth of the URL, nearest to the site's root first, as WebWalker does."""
    del rng
    active = _active_arms(arms, beliefs)
    return _sort_by_value(active, [-float(len(_url_segments(arm))) for arm in active])


def uct_tree_search(arms: Sequence[Arm], beliefs: Beliefs, rng: np.random.Generator) -> Preference:
    """UCT (Kocsis & Szepesvári 2006) over the tree of URLs: host, folder, …, page.

    From the root down, the child is taken with the largest posterior mean (pooled over the arms
    below it) plus √½·√(ln(1 + visits of the parent) / (1 + visits)). There are no roll-outs; visits
    are real. Each further arm is chosen as if the previous ones had been visited.
    """
    del rng
    visits = {arm.url: beliefs[arm.url].pulls for arm in arms}
    left = _active_arms(arms, beliefs)
    found: Preference = []
    while left:
        below, value = left, 0.0
        depth = 0
        while len(below) > 1:
            depth += 1
            below, value = _best_child(below, depth, arms, beliefs, visits)
        found.append((below[0], value))
        visits[below[0].url] += 1
        left = [arm for arm in left if arm is not below[0]]
    return found


def _best_child(
    below: Sequence[Arm], depth: int, arms: Sequence[Arm], beliefs: Beliefs, visits: dict[str, int]
) -> tuple[list[Arm], float]:
    """The arms of `below` in the child that UCT picks at this depth, and the child's value."""
    parent = _url_prefix(below[0], depth - 1)
    parents = sum(visits[arm.url] for arm in arms if _url_prefix(arm, depth - 1) == parent)

    def value(child: str) -> float:
        inside = [arm.url for arm in arms if _url_prefix(arm, depth) == child]
        alpha = math.fsum(beliefs[url].alpha for url in inside)
        beta = math.fsum(beliefs[url].beta for url in inside)
        tried = sum(visits[url] for url in inside)
        return alpha / (alpha + beta) + EXPLORATION * math.sqrt(math.log1p(parents) / (1 + tried))

    best, child = max((value(child), child) for child in {_url_prefix(arm, depth) for arm in below})
    return [arm for arm in below if _url_prefix(arm, depth) == child], best


def _url_prefix(arm: Arm, depth: int) -> str:
    return "/".join(_url_segments(arm)[:depth])


def _url_segments(arm: Arm) -> list[str]:
    """Scheme and host, then each segment of the path."""
    scheme, mark, rest = arm.url.partition("://")
    host, *parts = rest.split("/")
    return [f"{scheme}{mark}{host}", *parts]


def _active_arms(arms: Sequence[Arm], beliefs: Beliefs) -> list[Arm]:
    """The arms that are not retired, sorted by URL."""
    active = [arm for arm in arms if not beliefs[arm.url].retired]
    return sorted(active, key=lambda arm: arm.url)


def _sort_by_value(arms: Sequence[Arm], values: Sequence[float]) -> Preference:
    """Sort by value, then by score (both descending), then by URL."""
    return sorted(
        zip(arms, values, strict=True), key=lambda pair: (-pair[1], -pair[0].score, pair[0].url)
    )


STRATEGIES: dict[StrategyName, Strategy] = {
    "thompson": thompson_sampling,
    "greedy": greedy_by_mean,
    "correlated": correlated_mean,
    "random": uniform_random,
    "root": nearest_to_root,
    "mcts": uct_tree_search,
}


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
        reason=strategy if wanted else ALL_RETIRED,
    )


OUTER_MARKS: Final = ".,;:!?\"'“”‘’()"
BEARING_SCORE = 0.5
"""The least score with which an entry bears on a sub-question."""


def dry_reason(state: State, most: int, *, absent_only: bool = False) -> str:
    """Why another round is not worth its cost, after the last ones; empty if it is.

    `most` dry rounds in a row are enough if every open sub-question has a required word that is on
    no page of its site. Otherwise one more is needed, and with `absent_only` none are enough.
    """
    open = open_sub_questions(state.survey, state.verdict)
    if not most or not open or (state.verdict is None and state.evidence):
        return ""
    dry = _count_dry_rounds(state, open)
    absent = _absent_terms(state, open)
    if absent and dry >= most:
        return f"no page has {', '.join(absent)}, and {dry} rounds found nothing"
    return f"{dry} rounds in a row found nothing" if dry > most and not absent_only else ""


def _count_dry_rounds(state: State, open: Sequence[SubQuestion]) -> int:
    """The rounds since the last entry that bears on an open sub-question."""
    bearing = (item.round for item in state.evidence if _bears_on_any(item, open))
    return state.draw.round - max((0, *bearing))


def _bears_on_any(item: Evidence, open: Sequence[SubQuestion]) -> bool:
    return not item.dropped and any(
        item.passage.scores.get(part.id, 0.0) >= BEARING_SCORE and mentions_required(item, part)
        for part in open
    )


def _absent_terms(state: State, open: Sequence[SubQuestion]) -> tuple[str, ...]:
    """The required words that no page has, as they are asked for; none if any open sub-question may
    still be answered."""
    if not all(part.unknown and part.site in state.survey.whole for part in open):
        return ()
    return tuple(dict.fromkeys(_as_asked(term, part) for part in open for term in part.unknown))


def _as_asked(term: str, part: SubQuestion) -> str:
    """The word of a sub-question that a term is a piece of, such as E9 of 9; else the term."""
    words = (each.strip(OUTER_MARKS) for each in part.text.split())
    return next((each for each in words if term in (each.lower(), *tokenize(each))), term)
