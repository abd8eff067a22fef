"""Simulates the bandit's updates: how often does each find the gold arm within ten visits?

Arms are ordered by rank, with evenly falling priors. One arm is gold and answers the question on
each visit with probability 0.5. A visit without an answer is judged feasible with probability 0.7
by a lenient reflector and 0.2 by a strict one, else infeasible. It may still bring new evidence,
once per arm: with probability `signal` from the gold arm and `noise` from any other.

Forager's rewards find gold at least as often as Mango's, with two exceptions. Without informative
evidence (signal and noise 0), they lose the 8 to 10 points that a lenient reflector's luck with the
first arm brings, and gain 10 to 20 on the fifth arm. With a strict reflector, arms that brought
evidence get more visits, at the cost of the last of ten arms: 3 points, or 10 with noise 0.3.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from rich.table import Table

from forager.bandit.posterior import STRATEGIES, Belief, StrategyName, assign_priors
from forager.bandit.rewards import FORAGER_REWARDS, MANGO_REWARDS, ONCE_REWARDS, Reward, Rewards
from forager.domain.experience import Outcome
from forager.domain.state import Arm

REFLECTORS = {"lenient": 0.7, "strict": 0.2}
GOLD_RANKS = (1, 5, 10)
ARM_COUNTS = (10, 20)
PULLS = 10
ANSWERS = 0.5
GAINS = (0.2, 0.8)

NEVER = Rewards(infeasible=Reward())
METHODS: dict[str, tuple[StrategyName, Rewards]] = {
    "mango": ("thompson", MANGO_REWARDS),
    "forager": ("thompson", FORAGER_REWARDS),
    "forager, greedy": ("greedy", FORAGER_REWARDS),
    "greedy, once": ("greedy", ONCE_REWARDS),
    "random": ("random", NEVER),
}


@dataclass(frozen=True)
class World:
    """The number of arms, the rank of the gold arm (from 1), and the probabilities of outcomes."""

    arms: int
    gold: int
    feasible: float
    signal: float
    noise: float


class SimulatedCell(NamedTuple):
    """One setting, with the share of runs that found the answer by method."""

    arms: int
    reflector: str
    gold: int
    found: dict[str, float]


def simulate_bandit(
    runs: int = 2000, *, signal: float = 0.5, noise: float = 0.1, seed: int = 0
) -> Iterator[SimulatedCell]:
    """Yield all cells; every method runs in the same seeded worlds."""
    for arms in ARM_COUNTS:
        for reflector, feasible in REFLECTORS.items():
            for gold in GOLD_RANKS:
                world = World(arms, gold, feasible, signal, noise)
                found = {method: share_found(world, method, runs, seed) for method in METHODS}
                yield SimulatedCell(arms, reflector, gold, found)


def share_found(world: World, method: str, runs: int, seed: int = 0) -> float:
    """Return the share of `runs` in which a method found the answer."""
    strategy, rewards = METHODS[method]
    ranking = [Arm(url=str(n), score=world.arms - n) for n in range(1, world.arms + 1)]
    arms = assign_priors(ranking)
    rng = np.random.default_rng(seed)
    return sum(finds_answer(world, arms, strategy, rewards, rng) for _ in range(runs)) / runs


def finds_answer(
    world: World,
    arms: tuple[Arm, ...],
    strategy: StrategyName,
    rewards: Rewards,
    rng: np.random.Generator,
) -> bool:
    """Return whether one run finds the answer."""
    beliefs = {arm.url: Belief(arm.alpha, arm.beta) for arm in arms}
    dry = dict.fromkeys(beliefs, 0)
    seen: set[str] = set()
    for _ in range(PULLS):
        wanted = STRATEGIES[strategy](arms, beliefs, rng)
        if not wanted:
            return False
        url = wanted[0][0].url
        gold = url == str(world.gold)
        if gold and rng.random() < ANSWERS:
            return True
        outcome: Outcome = "feasible" if rng.random() < world.feasible else "infeasible"
        brings = rng.random() < (world.signal if gold else world.noise) and url not in seen
        gain = rng.uniform(*GAINS) if brings else 0.0
        if brings:
            seen.add(url)
        reward = rewards.reward_attempt(outcome, gain, dry[url])
        dry[url] += gain == 0
        beliefs[url] = beliefs[url].add_reward(reward)
    return False


def format_table(rows: Iterable[SimulatedCell]) -> Table:
    """Format the cells as a table; the best method of each is bold."""
    view = Table(title="Answer found within ten visits, % of runs")
    for name in ("arms", "reflector", "gold", *METHODS):
        view.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        best = max(row.found.values())
        cells = (f"[bold]{x:.0%}[/]" if x == best else f"{x:.0%}" for x in row.found.values())
        view.add_row(str(row.arms), row.reflector, str(row.gold), *cells)
    return view
