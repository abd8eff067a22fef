"""Arms: priors in bounds, posteriors that are sums, draws that are seeded and never locked in."""

from itertools import permutations
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.bandit.posterior import (
    STRATEGIES,
    Belief,
    StrategyName,
    arm_beliefs,
    assign_priors,
    draw_arms,
    dry_attempts,
    thompson_sampling,
)
from forager.bandit.rewards import FORAGER_REWARDS, MANGO_REWARDS, ONCE_REWARDS, Reward, Rewards
from forager.domain.experience import Outcome
from forager.domain.state import Arm, Lesson

NAMES: tuple[StrategyName, ...] = (
    "thompson",
    "greedy",
    "correlated",
    "random",
    "root",
    "mcts",
)
OUTCOMES: tuple[Outcome, ...] = ("adequate", "partial", "feasible", "infeasible")
HOST = "http://127.0.0.1"

scores = st.lists(st.floats(0, 100), min_size=1, max_size=12)
urls = st.lists(
    st.lists(st.sampled_from(["a", "b", "c.html", ""]), max_size=4).map("/".join),
    min_size=1,
    max_size=12,
    unique=True,
)


@st.composite
def plays(draw: st.DrawFn) -> tuple[tuple[Arm, ...], tuple[Lesson, ...]]:
    """Arms with priors, and lessons on some of them."""
    paths = draw(urls)
    arms = assign_priors([Arm(url=f"{HOST}/{path}", score=draw(st.floats(0, 1))) for path in paths])
    taught = draw(st.lists(st.sampled_from(arms), max_size=15))
    lessons = tuple(
        lesson(arm.url, number, draw(st.floats(0, 1)), retired=draw(st.booleans()))
        for number, arm in enumerate(taught)
    )
    return arms, lessons


def lesson(url: str, number: int, gain: float, *, retired: bool = False) -> Lesson:
    return Lesson(
        id=f"l{number}",
        round=number,
        url=url,
        outcome="feasible",
        alpha=gain,
        beta=1 - gain,
        retired=retired,
        text="",
    )


def arms_of(values: list[float]) -> tuple[Arm, ...]:
    return assign_priors([Arm(url=f"{HOST}/{n}", score=value) for n, value in enumerate(values)])


@given(scores, st.floats(0, 10))
def test_priors_stand_between_one_and_one_plus_kappa(values: list[float], kappa: float) -> None:
    arms = assign_priors([Arm(url=str(n), score=value) for n, value in enumerate(values)], kappa)
    for arm in arms:
        assert 1 <= arm.alpha <= 1 + kappa
        assert 1 <= arm.beta <= 1 + kappa
        assert arm.alpha + arm.beta == pytest.approx(2 + kappa)
    if max(values) > min(values):
        assert max(arm.alpha for arm in arms) == pytest.approx(1 + kappa)
        assert max(arm.beta for arm in arms) == pytest.approx(1 + kappa)


def test_a_single_arm_is_trusted_and_equal_scores_say_nothing() -> None:
    assert [(arm.alpha, arm.beta) for arm in arms_of([0.3])] == [(4, 1)]
    assert [(arm.alpha, arm.beta) for arm in arms_of([0.3, 0.3])] == [(2.5, 2.5)] * 2
    assert assign_priors([]) == ()


@given(scores, st.floats(0.1, 10), st.floats(-10, 10))
def test_priors_do_not_depend_on_the_unit_of_the_scores(
    values: list[float], factor: float, shift: float
) -> None:
    rounded = [round(value, 3) for value in values]
    plain, scaled = arms_of(rounded), arms_of([value * factor + shift for value in rounded])
    if max(rounded) > min(rounded):
        for one, other in zip(plain, scaled, strict=True):
            assert one.alpha == pytest.approx(other.alpha, abs=1e-6)


@given(plays(), st.randoms(use_true_random=False))
def test_the_posterior_is_a_sum_in_any_order(
    play: tuple[tuple[Arm, ...], tuple[Lesson, ...]], shuffler: Random
) -> None:
    arms, lessons = play
    beliefs = arm_beliefs(arms, lessons)
    shuffled = list(lessons)
    shuffler.shuffle(shuffled)
    assert arm_beliefs(arms[::-1], shuffled) == beliefs
    total = sum(belief.alpha + belief.beta for belief in beliefs.values())
    assert total == pytest.approx(5 * len(arms) + len(lessons))
    assert sum(belief.pulls for belief in beliefs.values()) == len(lessons)


@pytest.mark.parametrize("name", NAMES)
@given(play=plays(), seed=st.integers(-5, 5), number=st.integers(0, 9), count=st.integers(1, 5))
def test_a_draw_is_seeded_distinct_and_never_retired(
    name: StrategyName,
    play: tuple[tuple[Arm, ...], tuple[Lesson, ...]],
    seed: int,
    number: int,
    count: int,
) -> None:
    arms, lessons = play
    drawn = draw_arms(name, arms, lessons, seed=seed, round=number, count=count)
    assert drawn == draw_arms(name, arms[::-1], lessons[::-1], seed=seed, round=number, count=count)
    retired = {each.url for each in lessons if each.retired}
    active = {arm.url for arm in arms} - retired
    assert len(drawn.urls) == len(set(drawn.urls)) == min(count, len(active))
    assert set(drawn.samples) == active
    assert drawn.round == number


def test_seeds_and_rounds_draw_apart() -> None:
    arms = arms_of([0.5] * 8)
    draws = {
        draw_arms("thompson", arms, (), seed=seed, round=n).urls
        for seed in (1, -1)
        for n in range(9)
    }
    assert len(draws) > 4


def test_thompson_draws_as_often_as_an_arm_is_the_best() -> None:
    """P(Beta(2, 1) > Beta(1, 2)) = 5/6, and by symmetry 1/3 each of three equal arms."""
    pair = [Arm(url="a"), Arm(url="b")]
    beliefs = {"a": Belief(2, 1), "b": Belief(1, 2)}
    rng = np.random.default_rng(7)
    firsts = [thompson_sampling(pair, beliefs, rng)[0][0].url for _ in range(3000)]
    assert firsts.count("a") / 3000 == pytest.approx(5 / 6, abs=0.02)

    three = [Arm(url=name) for name in "abc"]
    same = dict.fromkeys("abc", Belief(2.5, 2.5))
    firsts = [thompson_sampling(three, same, rng)[0][0].url for _ in range(3000)]
    assert all(firsts.count(name) / 3000 == pytest.approx(1 / 3, abs=0.03) for name in "abc")


def test_greedy_takes_the_largest_mean_and_goes_down_the_ranking_when_each_visit_is_the_last() -> (
    None
):
    arms, lessons = arms_of([0.2, 0.9, 0.5]), list[Lesson]()
    visited = []
    for number in range(3):
        (url,) = draw_arms("greedy", arms, lessons, seed=0, round=number).urls
        visited.append(url[-1])
        lessons.append(
            lesson(url, number, 0.5, retired=ONCE_REWARDS.reward_attempt("feasible").retired)
        )
    assert visited == ["1", "2", "0"]
    assert draw_arms("greedy", arms, lessons, seed=0, round=3).urls == ()
    dull = [lesson(f"{HOST}/1", number, 0.0) for number in range(4)]
    assert draw_arms("greedy", arms, dull, seed=0, round=4).urls == (f"{HOST}/2",)


def test_root_takes_the_page_nearest_to_the_root() -> None:
    arms = assign_priors(
        [Arm(url=f"{HOST}/a/b.html", score=9), Arm(url=f"{HOST}/"), Arm(url=f"{HOST}/a/")]
    )
    assert draw_arms("root", arms, (), seed=0, round=0, count=3).urls == (
        f"{HOST}/",
        f"{HOST}/a/b.html",
        f"{HOST}/a/",
    )


def test_mcts_leaves_a_folder_that_brings_nothing() -> None:
    arms = assign_priors(
        [Arm(url=f"{HOST}/poor/{n}", score=0.9) for n in range(3)]
        + [Arm(url=f"{HOST}/rich/{n}", score=0.8) for n in range(3)]
        + [Arm(url=f"{HOST}/other", score=0.0)]
    )
    assert draw_arms("mcts", arms, (), seed=0, round=0).urls == (f"{HOST}/poor/2",)
    dull = [lesson(f"{HOST}/poor/{n}", n, 0.0) for n in (0, 1)]
    assert "rich" in draw_arms("mcts", arms, dull, seed=0, round=2).urls[0]
    apart = draw_arms("mcts", arms, (), seed=0, round=0, count=2).urls
    assert {url.split("/")[3] for url in apart} == {"poor", "rich"}


def test_the_rewards_of_mango_are_the_papers() -> None:
    assert [MANGO_REWARDS.reward_attempt(outcome, gain=0.7) for outcome in OUTCOMES] == [
        Reward(alpha=1, retired=True),
        Reward(alpha=1),
        Reward(alpha=1),
        Reward(beta=1, retired=True),
    ]


@given(st.floats(0, 1), st.integers(0, 5))
def test_the_rewards_of_forager_come_from_gain_alone(gain: float, dry: int) -> None:
    rewards = [FORAGER_REWARDS.reward_attempt(outcome, gain, dry) for outcome in OUTCOMES]
    assert {(reward.alpha, reward.beta) for reward in rewards} == {(gain, 1 - gain)}
    *lenient, strict = rewards
    assert {reward.retired for reward in lenient} == {gain == 0 and dry >= 1}
    assert strict.retired == (gain == 0)


def test_gain_is_clipped_and_weights_are_free() -> None:
    rewards = Rewards(gain=0.5, feasible=Reward(alpha=1, beta=2))
    assert rewards.reward_attempt("feasible", gain=7) == Reward(alpha=1.5, beta=2)
    assert rewards.reward_attempt("feasible", gain=-1) == Reward(alpha=1, beta=2.5)


def play_out(rewards: Rewards, seed: int, rounds: int) -> list[str]:
    """Every attempt is judged `feasible` and brings nothing: which arms were visited?"""
    arms, lessons, visited = arms_of([n / 9 for n in range(10)]), list[Lesson](), list[str]()
    for number in range(rounds):
        for url in draw_arms("thompson", arms, lessons, seed=seed, round=number).urls:
            reward = rewards.reward_attempt("feasible", 0.0, dry_attempts(url, lessons))
            parts = {
                "id": str(number),
                "round": number,
                "url": url,
                "outcome": "feasible",
                "text": "",
            }
            lessons.append(Lesson.model_validate(parts | reward.model_dump()))
            visited.append(url)
    return visited


def test_a_lenient_reflector_cannot_lock_forager_in() -> None:
    for seed in range(20):
        visited = play_out(FORAGER_REWARDS, seed, 30)
        assert len(visited) == 20
        assert max(map(visited.count, visited)) == 2
        locked = play_out(MANGO_REWARDS, seed, 30)
        assert max(map(locked.count, locked)) > 5
    distinct = [len(set(play_out(FORAGER_REWARDS, seed, 10))) for seed in range(20)]
    mangos = [len(set(play_out(MANGO_REWARDS, seed, 10))) for seed in range(20)]
    assert sum(distinct) > 1.5 * sum(mangos)


@pytest.mark.parametrize("name", NAMES)
def test_no_arms_no_draw(name: StrategyName) -> None:
    assert draw_arms(name, (), (), seed=0, round=0).urls == ()
    assert set(STRATEGIES) == set(NAMES)


def test_few_orders_give_one_draw() -> None:
    arms = arms_of([0.1, 0.5, 0.5])
    drawn = {
        draw_arms("mcts", order, (), seed=0, round=0, count=3).urls for order in permutations(arms)
    }
    assert len(drawn) == 1
