"""Calls in time: chains, and the seconds in which one was under way."""

from collections.abc import Iterable
from itertools import combinations, pairwise

from hypothesis import given
from hypothesis import strategies as st

from forager.adapters.store.sessions.session_store import Event
from forager.budget import ModelCall
from graphs.experiments.experiment import busy_seconds, longest_chain, place_calls


def call(began: float, seconds: float, role: str = "critic") -> ModelCall:
    return ModelCall(role=role, model="m", began=began, seconds=seconds)


SPANS = st.tuples(st.integers(0, 12), st.integers(0, 5)).map(lambda span: call(*span))
CALLS = st.lists(SPANS, max_size=8)


def chained(calls: Iterable[ModelCall]) -> bool:
    """Can they have been made one after the other?"""
    ordered = sorted((one.began + one.seconds, one.began) for one in calls)
    return all(began >= end for (end, _), (_, began) in pairwise(ordered))


@given(CALLS)
def test_the_longest_chain_is_found(calls: list[ModelCall]) -> None:
    lengths = range(len(calls) + 1)
    longest = max(n for n in lengths if any(chained(some) for some in combinations(calls, n)))
    assert longest_chain(calls) == longest


@given(CALLS)
def test_shared_seconds_count_once(calls: list[ModelCall]) -> None:
    shared = {n for one in calls for n in range(int(one.began), int(one.began + one.seconds))}
    assert busy_seconds(calls) == len(shared)


@given(CALLS)
def test_chain_and_seconds_do_not_depend_on_order(calls: list[ModelCall]) -> None:
    turned = calls[::-1]
    assert (longest_chain(turned), busy_seconds(turned)) == (
        longest_chain(calls),
        busy_seconds(calls),
    )


def test_calls_are_placed_by_round_and_page() -> None:
    asked = call(1.0, 1.0)
    told: list[dict[str, object]] = [
        {"calls": [asked.model_dump()], "parts": ["p"]},
        {"round": 1, "urls": ["u"]},
        {"outcome": "moved", "url": "u", "step": "1.1"},
        {"calls": [asked.model_dump(), asked.model_dump()]},
        {"outcome": "failed", "url": "v"},
        {"calls": [asked.model_dump()], "action": "visit"},
        {"calls": [asked.model_dump()], "outcome": "partial", "url": "u", "alpha": 1.0},
        {"round": 2, "urls": []},
        {"calls": [asked.model_dump()], "status": "answered"},
    ]
    events = [
        Event.model_validate(
            {"session": "s", "seq": n, "time": 0, "node": "n", "kind": "finished", "message": ""}
            | {"data": data}
        )
        for n, data in enumerate(told)
    ]
    places = [(one.round, one.step) for one in place_calls(events)]
    assert places == [(0, 0), (1, 1), (1, 1), (1, 2), (1, 2), (2, 0)]
    assert {one.call for one in place_calls(events)} == {asked}
