"""Arms are drawn by seed and round alone, until the rounds, the arms or the budget are spent."""

from dataclasses import replace

import pytest

from forager.adapters.models.offline_model import OfflineModel
from forager.bandit.posterior import StrategyName
from forager.domain.spend import Budget, Spend
from forager.domain.state import Draw, State, Survey, Verdict
from nodes.selector import SelectorParams, select
from tests.fake_ports import ports
from tests.fakes import FakeEmbedder
from tests.nodes.states import lesson, part, state, url

NAMES = "abcde"
ARMS = [url(name) for name in NAMES]


def before(round: int = 1, seed: int = 0, budget: Budget | None = None) -> State:
    """The state before a round."""
    start = state(urls=ARMS, budget=budget)
    question = start.question.model_copy(update={"seed": seed})
    return replace(start, question=question, draw=Draw(round=round - 1))


async def drawn(start: State, params: SelectorParams | None = None) -> Draw:
    update = await select(start, ports(), params or SelectorParams())
    assert set(update) == {"draw"}
    return update["draw"]


async def test_one_arm_is_drawn_a_round() -> None:
    first = await drawn(before())
    assert first.round == 1
    assert len(first.urls) == 1
    assert set(first.urls) <= set(ARMS)
    assert set(first.samples) == set(ARMS)


async def test_the_same_seed_and_round_draw_the_same_arm() -> None:
    draws = [await drawn(before(round, seed)) for seed in range(4) for round in range(1, 5)]
    again = [await drawn(before(round, seed)) for seed in range(4) for round in range(1, 5)]
    assert draws == again
    shuffled = replace(before(2, 3), arms=before().arms[::-1])
    assert await drawn(shuffled) == await drawn(before(2, 3))
    assert len({draw.urls for draw in draws}) > 1


async def test_several_arms_at_once_are_different_ones() -> None:
    draw = await drawn(before(), SelectorParams(parallel=3))
    assert len(set(draw.urls)) == 3
    everything = await drawn(before(), SelectorParams(parallel=9))
    assert set(everything.urls) == set(ARMS)


@pytest.mark.parametrize("strategy", ["thompson", "greedy", "correlated", "random", "root", "mcts"])
async def test_a_retired_arm_is_not_drawn(strategy: StrategyName) -> None:
    lessons = tuple(lesson(n, arm, retired=True) for n, arm in enumerate(ARMS[:4], start=1))
    params = SelectorParams(strategy=strategy)
    assert (await drawn(replace(before(5), lessons=lessons), params)).urls == (ARMS[4],)
    lessons += (lesson(5, ARMS[4], retired=True),)
    none = await drawn(replace(before(6), lessons=lessons), params)
    assert none == Draw(round=5, most=10, reason="no other page looked likely")
    more = await drawn(
        replace(before(6), lessons=lessons), SelectorParams(strategy=strategy, rounds=5)
    )
    assert more == Draw(
        round=5, most=5, reason="no other page looked likely"
    )  # more rounds find nothing


async def test_raised_rounds_are_the_most_that_there_are() -> None:
    arms = tuple(arm.model_copy(update={"vain": arm.url in ARMS[:1]}) for arm in before().arms)
    used = replace(before(3), arms=arms)
    assert (await drawn(used, SelectorParams(rounds=3))).most == 2
    raised = replace(before(3, budget=Budget(rounds=4)), arms=arms)
    drawn_again = await drawn(raised)
    assert drawn_again.urls
    assert drawn_again.most == 4


@pytest.mark.parametrize(("params", "budget"), [(2, None), (2, 9), (9, 2)])
async def test_the_smaller_of_both_round_limits_binds(params: int, budget: int | None) -> None:
    allowed = Budget(rounds=budget)
    limits = SelectorParams(rounds=params)
    assert (await drawn(before(2, budget=allowed), limits)).urls
    assert await drawn(before(3, budget=allowed), limits) == Draw(
        round=2, most=2, reason="all rounds are used"
    )


@pytest.mark.parametrize(("parts", "last"), [(1, 2), (3, 4)])
async def test_offline_there_may_be_fewer_rounds_and_one_more_for_each_part(
    parts: int, last: int
) -> None:
    asked = tuple(part(f"p{number}", f"Question {number}?") for number in range(parts))
    limits = SelectorParams(offline_rounds=2)
    offline = replace(ports(), model=OfflineModel(FakeEmbedder()))
    for round, is_drawn in [(last, True), (last + 1, False)]:
        start = before(round)
        start = replace(start, survey=start.survey.model_copy(update={"parts": asked}))
        assert bool((await select(start, offline, limits))["draw"].urls) is is_drawn
        assert (await drawn(start, limits)).urls


@pytest.mark.parametrize(("pages", "rounds"), [(len(ARMS), len(ARMS)), (len(ARMS) + 1, 2)])
async def test_offline_a_site_whose_pages_all_are_arms_is_read_whole(
    pages: int, rounds: int
) -> None:
    limits = SelectorParams(offline_rounds=2)
    offline = replace(ports(), model=OfflineModel(FakeEmbedder()))
    for round, is_drawn in [(rounds, True), (rounds + 1, False)]:
        start = before(round)
        survey = start.survey.model_copy(update={"pages": {url(): pages}})
        update = await select(replace(start, survey=survey), offline, limits)
        assert bool(update["draw"].urls) is is_drawn


async def test_a_question_may_ask_for_more_rounds_than_there_are_offline() -> None:
    limits = SelectorParams(offline_rounds=2)
    offline = replace(ports(), model=OfflineModel(FakeEmbedder()))
    for round, is_drawn in [(4, True), (5, False)]:
        start = before(round, budget=Budget(rounds=4))
        assert bool((await select(start, offline, limits))["draw"].urls) is is_drawn


async def test_a_spent_budget_draws_none() -> None:
    start = replace(before(2, budget=Budget(pages=3)), spend=Spend(actions=3))
    assert await drawn(start) == Draw(round=1, reason="the budget of pages is spent")


async def test_without_an_arm_there_is_none_to_draw() -> None:
    assert not (await drawn(replace(before(), arms=()))).urls


async def test_arms_may_be_spread_over_the_look_ups_that_are_open() -> None:
    start = before()
    asks = {"a": "p1", "b": "p1", "c": "p2", "d": "p2", "e": "p3"}
    arms = tuple(
        arm.model_copy(update={"part": asks[arm.url.removeprefix(url())]}) for arm in start.arms
    )
    parts = tuple(part(id, f"look-up {id}") for id in ("p1", "p2", "p3"))
    start = replace(start, arms=arms, survey=Survey(parts=parts))
    spread = SelectorParams(parallel=4, spread=True)
    for round in range(1, 6):
        draw = await drawn(replace(start, draw=Draw(round=round - 1)), spread)
        assert sorted(asks[each.removeprefix(url())] for each in draw.urls) == ["p1", "p2", "p3"]
    one_open = replace(start, verdict=Verdict(sufficient=False, covered=("p1", "p3"), open=("p2",)))
    [only] = (await drawn(one_open, spread)).urls
    assert asks[only.removeprefix(url())] == "p2"
    two = await drawn(start, SelectorParams(parallel=2, spread=True))
    assert len(two.urls) == 2


async def test_a_page_that_serves_two_look_ups_best_is_read_for_both() -> None:
    start = before()
    best, other = start.arms[:2]
    arms = (
        best.model_copy(update={"part": "p1", "scores": {"p1": 1.0, "p2": 0.7}}),
        other.model_copy(update={"part": "p2", "scores": {"p2": 0.4}}),
    )
    parts = (part("p1", "look-up p1"), part("p2", "look-up p2"))
    start = replace(start, arms=arms, survey=Survey(parts=parts))
    params = SelectorParams(parallel=4, spread=True)
    assert (await drawn(start, params)).urls == (best.url,)
    apart = (arms[0].model_copy(update={"scores": {"p1": 1.0, "p2": 0.3}}), arms[1])
    assert set((await drawn(replace(start, arms=apart), params)).urls) == {best.url, other.url}


async def test_no_arm_is_drawn_for_a_look_up_that_needs_an_open_one() -> None:
    waits = part("p2", "when was that published?").model_copy(update={"needs": ("which release?",)})
    start = replace(before(), survey=Survey(parts=(part("p1", "which release?"), waits)))
    arms = tuple(arm.model_copy(update={"part": "p2"}) for arm in start.arms)
    spread = SelectorParams(parallel=4, spread=True)
    beside = (arms[0].model_copy(update={"part": "p1"}), *arms[1:])
    assert (await drawn(replace(start, arms=beside), spread)).urls == (beside[0].url,)
    assert len((await drawn(replace(start, arms=arms), spread)).urls) == 1
    known = Verdict(sufficient=False, covered=("p1",), open=("p2",))
    [later] = (await drawn(replace(start, arms=beside, verdict=known), spread)).urls
    assert later != beside[0].url


async def test_where_no_arm_is_for_an_open_look_up_the_best_is_drawn() -> None:
    start = replace(before(), survey=Survey(parts=(part("p9"),)))
    draw = await drawn(start, SelectorParams(parallel=4, spread=True))
    assert len(draw.urls) == 1


async def test_where_the_same_question_found_nothing_is_not_drawn_and_counts_as_a_round() -> None:
    arms = tuple(
        arm.model_copy(update={"vain": 1.0}) if arm.url in ARMS[:3] else arm
        for arm in before().arms
    )
    start = replace(before(), arms=arms)
    assert set((await drawn(start)).samples) == set(ARMS[3:])
    none = await drawn(start, SelectorParams(rounds=3))
    assert (none.urls, none.round) == ((), 0)
    assert "3 of them when the same question was asked before" in none.reason
    assert (await drawn(start, SelectorParams(rounds=4))).urls
    none = await drawn(replace(start, arms=arms[:3]))
    tried = "besides 3 that were tried when the same question was asked before"
    assert none.reason == f"no other page looked likely, {tried}"
