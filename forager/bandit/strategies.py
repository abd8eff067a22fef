"""Strategies that choose the next arm. Each is pure and does not depend on the order of arms."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np

from forager.bandit.likeness import Tried, learn_from_like
from forager.bandit.rewards import Reward
from forager.domain.state import Arm

EXPLORATION = math.sqrt(0.5)
"""UCT's constant for rewards in [0, 1] (Kocsis & Szepesvári 2006)."""


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
