from typing import Any

import pytest
from langgraph.types import RetryPolicy

from forager.domain.spend import Budget, Spend
from forager.domain.state import Question, State
from forager.errors import ConnectError, GraphError, WebError
from graphs.reports.events import EventData
from graphs.runtime.compile import compile_graph, super_step_limit
from graphs.runtime.graph_nodes import Hooks
from graphs.spec.spec import GraphSpec, NodeSpec, load_graph
from tests.graphs.fanned_graph import FANNED
from tests.graphs.scripted import REGISTRY, loosened
from tests.graphs.scripted_ports import LASTING_FAULT, PASSING_FAULT, scripted

QUESTION = Question(text="Which?", sites=("http://site/",), budget=Budget(rounds=3, steps=2))
QUIET = Hooks()
AT_ONCE = RetryPolicy(initial_interval=0.0, jitter=False, retry_on=(ConnectError,), max_attempts=3)


async def result(
    spec: GraphSpec, question: Question = QUESTION, hooks: Hooks = QUIET, **ports: Any
) -> State:
    graph = compile_graph(loosened(spec), scripted(**ports), REGISTRY, hooks)
    limit = super_step_limit(loosened(spec), REGISTRY)
    values = await graph.ainvoke(State(question=question), {"recursion_limit": limit})
    assert values.pop("found") == ()
    return State(**values)


@pytest.mark.parametrize(("name", "rounds"), [("forager", 3), ("mango", 3), ("webwalker", 1)])
async def test_presets_run_to_an_answer(name: str, rounds: int) -> None:
    log: list[str] = []
    state = await result(load_graph(name), log=log)
    assert state.answer
    assert state.answer.status == "answered"
    assert state.draw.round == rounds
    assert len(state.steps) == 2 * rounds == sum(line.startswith("open") for line in log)


async def test_the_meter_counts_what_the_ports_report() -> None:
    state = await result(load_graph("mango"))
    assert state.spend.actions == state.spend.pages_fetched == 6
    assert state.spend.model_calls == 6
    assert 0 < state.spend.seconds < 10


async def test_a_spent_budget_ends_the_run_early() -> None:
    budget = QUESTION.budget.model_copy(update={"pages": 3})
    state = await result(load_graph("mango"), QUESTION.model_copy(update={"budget": budget}))
    assert state.spend.actions == 3
    assert state.answer


async def test_each_node_emits_its_start_and_finish() -> None:
    told: list[tuple[str, str, str]] = []

    async def emit(node: str, kind: str, message: str, data: EventData) -> None:
        told.append((node, kind, message))

    await result(load_graph("mango"), hooks=Hooks(emit=emit))
    assert told[2:5] == [
        ("survey", "started", ""),
        ("survey", "finished", "1,000 pages known, 1 sub-question · 10 arms"),
        ("select", "started", ""),
    ]
    assert told[-1][:2] == ("answer", "finished")
    assert len(told) % 2 == 0
    assert all("\n" not in message for _, _, message in told)


async def test_a_passing_error_is_retried_and_paid_for() -> None:
    state = await result(
        load_graph("mango"), hooks=Hooks(retry=AT_ONCE), faults=[PASSING_FAULT, PASSING_FAULT]
    )
    assert state.answer
    assert state.spend.actions == 8
    assert state.spend.pages_fetched == 6


async def test_a_lasting_error_is_raised_at_once() -> None:
    log: list[str] = []
    with pytest.raises(WebError, match="gone"):
        await result(
            load_graph("mango"), hooks=Hooks(retry=AT_ONCE), log=log, faults=[LASTING_FAULT]
        )
    assert log == ["survey http://site/"]


async def test_a_graph_with_faults_is_not_compiled() -> None:
    spec = load_graph("mango")
    broken = spec.model_copy(update={"edges": spec.edges[:-1]})
    with pytest.raises(GraphError, match=r"answer\.end has no edge"):
        await result(broken)


async def test_branches_run_in_parallel_and_are_joined() -> None:
    log: list[str] = []
    state = await result(FANNED, log=log)
    opened = sorted(line for line in log if line.startswith("open"))
    assert opened == [f"open http://site/{arm}/{n}" for arm in range(5) for n in range(2)]
    assert [item.round for item in state.evidence] == [1] * 6 + [2] * 4
    assert len({item.passage.url for item in state.evidence}) == 10
    assert len({step.id for step in state.steps}) == 10
    assert {item.step for item in state.evidence} == {step.id for step in state.steps}
    assert len(state.lessons) == 5
    assert state.draw.round == 2


async def test_spending_of_branches_is_counted_once() -> None:
    state = await result(FANNED)
    counts = state.spend.model_copy(update={"seconds": 0.0})
    assert counts == Spend(actions=10, pages_fetched=10, model_calls=10)


async def test_branches_share_the_remaining_budget() -> None:
    budget = QUESTION.budget.model_copy(update={"pages": 3, "steps": 10})
    state = await result(FANNED, QUESTION.model_copy(update={"budget": budget}))
    assert state.spend.actions == 3
    assert state.question.budget == budget


async def test_a_folded_graph_runs_like_the_unfolded_one() -> None:
    edges = [edge.model_copy(update={"fan": False}) for edge in FANNED.edges]
    nodes = {**FANNED.nodes, "select": NodeSpec(type="selector")}
    spec = FANNED.model_copy(update={"edges": tuple(edges), "nodes": nodes})
    state = await result(spec)
    assert state.answer
    assert state.spend.actions == len(state.steps) == 6
    assert state.feedback.open == ("the rest",)
