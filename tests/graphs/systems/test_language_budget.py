"""A budget ends a run on a language model: it answers from what it has, and asks for no more."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest
from pydantic import TypeAdapter

from forager.adapters.store.checkpoints.saver import open_checkpoints
from forager.budget import Meter, ModelCall
from forager.domain.spend import Spend
from graphs.reports.report import Report
from graphs.runtime.state_reader import read_state
from graphs.sessions.service import Event
from graphs.spec.spec import GraphSpec, load_graph
from tests.endpoint import Endpoint
from tests.graphs.fanned_graph import FANNED_REAL
from tests.loopback_model import Asking, Surveyed, roles

GRAPHS = {"forager": load_graph("forager"), "mango": load_graph("mango"), "fanned": FANNED_REAL}
HALF = "Who founded the observatory as a clockmaker, and which submarine cable carries telegrams?"


@pytest.fixture
def asking(observatory: Surveyed, endpoint: Endpoint, tmp_path: Path) -> Asking:
    asking = observatory.asking(tmp_path / "data", endpoint)
    (tmp_path / "data" / "prices.yaml").write_text("openai:any: {input: 10, output: 40}")
    return asking


class Refused(NamedTuple):
    """What a run came to, and what followed the first call that was refused."""

    report: Report
    roles: list[str]
    opened: list[str]
    dearest: float


async def refused(asking: Asking, graph: GraphSpec, name: str, limit: float) -> Refused:
    events: list[Event] = []
    marks: list[tuple[int, int]] = []

    def watch(event: Event) -> None:
        events.append(event)
        if event.kind == "warned" and "budget" in event.message:
            marks.append((len(events), len(asking.endpoint.requests)))

    report = await asking.ask(graph, watch, text=HALF, budget={name: limit})
    assert marks, [(event.node, event.kind, event.message) for event in events]
    after, asked = marks[0]
    opened = [event.message for event in events[after:] if event.node in {"act", "walk/act"}]
    calls = CALLS.validate_python(
        [call for event in events for call in event.data.get("calls", [])]  # type: ignore[union-attr]
    )
    dearest = max((USED[name](meter_of(call)) for call in calls), default=0)
    return Refused(report, roles(asking.endpoint)[asked:], opened, dearest)


CALLS = TypeAdapter(list[ModelCall])
USED: dict[str, Callable[[Spend], float]] = {
    "tokens": lambda spent: spent.tokens_in + spent.tokens_out,
    "calls": lambda spent: spent.model_calls,
    "usd": lambda spent: spent.usd,
    "seconds": lambda spent: spent.seconds,
}


def meter_of(call: ModelCall) -> Spend:
    """What one call took."""
    return Meter(model_calls=1, calls=[call]).total_spend(call.seconds)


@pytest.mark.parametrize(
    ("graph", "name", "limit"),
    [
        ("forager", "tokens", 4000),
        ("forager", "calls", 6),
        ("forager", "usd", 0.07),
        ("mango", "tokens", 4000),
        ("fanned", "tokens", 8000),
        ("fanned", "calls", 6),
        ("fanned", "usd", 0.05),
    ],
)
async def test_a_budget_ends_the_run_with_what_it_has(
    asking: Asking, endpoint: Endpoint, graph: str, name: str, limit: float
) -> None:
    found = await refused(asking, GRAPHS[graph], name, limit)
    report = found.report
    assert endpoint.invalid == []
    assert report.status == "partial"
    assert report.citations
    used = USED[name](report.spent)
    assert limit / 4 < used <= limit + max(limit * 0.05, found.dearest)
    if graph == "fanned":  # another branch may still have something left of its own share
        assert found.roles[-1:] == ["answerer"]
    else:
        assert found.roles == ["answerer"]
        assert found.opened == []
    assert report.spent.model_calls == len(endpoint.requests)
    assert (await reason(asking)).startswith(f"The budget of {name} is spent. Pages read: ")


async def test_a_budget_in_dollars_ends_a_run_on_a_model_that_the_user_gave_no_price(
    asking: Asking, endpoint: Endpoint
) -> None:
    newer = replace(asking, model="openai:gpt-5.4-2026-03-05")
    found = await refused(newer, GRAPHS["forager"], "usd", 0.02)
    assert found.report.status == "partial"
    assert 0.02 / 4 < found.report.spent.usd <= 0.02 + max(0.02 * 0.05, found.dearest)
    assert found.roles == ["answerer"]
    assert (await reason(newer)).startswith("The budget of usd is spent. ")


async def test_a_budget_too_small_for_one_call_asks_nothing(
    asking: Asking, endpoint: Endpoint
) -> None:
    report = await asking.ask(budget={"tokens": 10})
    assert (report.status, report.visited, report.citations) == ("partial", (), ())
    assert endpoint.requests == []
    assert await reason(asking) == "The budget of tokens is spent. No page was read."


async def test_time_that_runs_out_ends_the_run(asking: Asking, endpoint: Endpoint) -> None:
    endpoint.latency = 0.3
    found = await refused(asking, GRAPHS["forager"], "seconds", 1.0)
    assert found.report.status == "partial"
    assert set(found.roles) <= {"answerer"}
    assert found.opened == []
    assert (await reason(asking)).startswith("The budget of seconds is spent. ")


async def reason(asking: Asking) -> str:
    """Why the answer is no better."""
    question = asking.known.question()
    async with open_checkpoints(asking.settings.data / "checkpoints.sqlite") as states:
        state = await read_state(states, "one", question)
    assert state.answer
    return state.answer.reason
