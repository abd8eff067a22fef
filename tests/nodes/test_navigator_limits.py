"""The navigator keeps to the steps and the budget."""

from dataclasses import replace

import pytest

from forager.domain.actions import Action
from forager.domain.spend import Budget, Spend
from forager.domain.state import Reading, Step
from nodes.navigator import NavigatorParams, navigate
from tests.fake_ports import ports
from tests.fakes import MemoryBlobs, ScriptedModel
from tests.nodes.navigator_states import PARAMS, proposed
from tests.nodes.states import document, state, step, url


def many(blobs: MemoryBlobs, count: int) -> tuple[Step, ...]:
    return tuple(step(blobs, document(f"p{n}", "", [url("on")]), 1, n) for n in range(1, count + 1))


@pytest.mark.parametrize(("params", "budget"), [(3, 10), (10, 3)])
async def test_the_smaller_of_both_step_limits_ends_a_round(params: int, budget: int) -> None:
    blobs = MemoryBlobs()
    start = state(urls=[url("p1")], budget=Budget(steps=budget))
    limits = NavigatorParams(steps=params)
    two = replace(start, steps=many(blobs, 2), reading=Reading(step="1.2"))
    assert (await proposed(two, blobs, params=limits)).kind == "visit"
    three = replace(start, steps=many(blobs, 3), reading=Reading(step="1.3"))
    action = await proposed(three, blobs, params=limits)
    assert action == Action(kind="stop", reason="the budget of steps is spent")


async def test_the_last_page_is_read_though_the_steps_are_spent() -> None:
    blobs = MemoryBlobs()
    start = replace(state(urls=[url("p1")], budget=Budget(steps=1)), steps=many(blobs, 1))
    assert (await proposed(start, blobs)).kind == "aggregate"
    start = replace(start, reading=Reading(step="1.1"))
    update = await navigate(start, ports(blobs=blobs), PARAMS)
    assert update["proposal"].action.kind == "stop"
    assert not update["proposal"].nothing_left


@pytest.mark.parametrize(
    ("spend", "limit"),
    [
        (Spend(actions=5), "pages"),
        (Spend(seconds=9.0), "seconds"),
        (Spend(model_calls=7), "calls"),
        (Spend(tokens_in=60, tokens_out=40), "tokens"),
    ],
)
async def test_a_spent_budget_ends_a_round_without_asking(spend: Spend, limit: str) -> None:
    blobs = MemoryBlobs()
    budget = Budget(pages=5, seconds=9, calls=7, tokens=100)
    start = replace(
        state(urls=[url("p1")], budget=budget),
        steps=many(blobs, 1),
        reading=Reading(step="1.1"),
        spend=spend,
    )
    doors = ports(blobs=blobs)
    action = (await navigate(start, doors, PARAMS))["proposal"].action
    assert action == Action(kind="stop", reason=f"the budget of {limit} is spent")
    assert isinstance(doors.model, ScriptedModel)
    assert doors.model.asked == []
