"""Graphs with a branch run by its conditions, tell its route, and go on after a crash."""

from pathlib import Path

import pytest
from pydantic import JsonValue

from forager.domain.state import Question
from forager.errors import GraphError
from graphs.check.checker import find_faults
from graphs.sessions.service import Event, open_sessions
from graphs.spec.registry import REGISTRY as SHIPPED
from graphs.spec.spec import Edge, GraphSpec, NodeSpec, load_graph
from tests.graphs.conftest import ports_with
from tests.graphs.scripted import REGISTRY, loosened
from tests.graphs.scripted_ports import LASTING_FAULT, alone

TYPES = REGISTRY | {"branch": SHIPPED["branch"]}


def branching(*cases: JsonValue, otherwise: str = "more", **edges: str) -> GraphSpec:
    """Mango with a branch after the reflection."""
    spec = loosened(load_graph("mango"))
    params: dict[str, JsonValue] = {"cases": list(cases), "otherwise": otherwise}
    kept = [edge for edge in spec.edges if str(edge) != "reflect.continue -> select"]
    routes = {"done": "answer", "more": "select"} | edges
    drawn = [Edge(source="decide", route=route, target=to) for route, to in routes.items()]
    led = Edge(source="reflect", route="continue", target="decide")
    return spec.model_copy(
        update={
            "nodes": {**spec.nodes, "decide": NodeSpec(type="branch", params=params)},
            "edges": (*kept, led, *drawn),
        }
    )


async def run(
    folder: Path, spec: GraphSpec, question: Question, log: list[str]
) -> tuple[int, list[str]]:
    """The rounds of a session, and the routes that the branch took."""
    async with open_sessions(alone(folder), ports_with(log, []), TYPES) as sessions:
        id = await sessions.start(question, spec, "scripted")
        report = await sessions.run(id)
        return report.spent.rounds, routes(await sessions.events(id))


def routes(events: tuple[Event, ...]) -> list[str]:
    ended = [each for each in events if each.node == "decide" and each.kind == "finished"]
    return [str(each.data["route"]) for each in ended]


@pytest.mark.parametrize(
    ("case", "rounds", "taken"),
    [
        ("rounds >= 1 -> done", 1, ["done"]),
        ("spent_pages >= 5 and rounds > 1 -> done", 2, ["more", "done"]),
        ("spent_pages > 500 -> done", 4, ["more"] * 4),
    ],
)
async def test_a_branch_leads_by_its_condition(
    tmp_path: Path, question: Question, case: str, rounds: int, taken: list[str]
) -> None:
    budget = question.budget.model_copy(update={"rounds": 4})
    asked = question.model_copy(update={"budget": budget})
    assert await run(tmp_path / "one", branching(case), asked, []) == (rounds, taken)
    assert await run(tmp_path / "two", branching(case), asked, []) == (rounds, taken)


async def test_it_chooses_among_more_than_two_routes(tmp_path: Path, question: Question) -> None:
    spec = branching("rounds <= 1 -> again", "rounds > 1 -> done", again="recall")
    unsound = find_faults(spec, TYPES)
    assert any("never taken" in str(each) for each in unsound)
    spec = branching("steps < 4 -> again", "rounds > 1 -> done", again="select")
    assert find_faults(spec, TYPES) == ()
    assert await run(tmp_path, spec, question, []) == (2, ["again", "done"])


async def test_a_session_goes_on_at_its_branch_after_a_failure(
    tmp_path: Path, question: Question
) -> None:
    spec = branching("rounds >= 2 -> done")
    faults: list[Exception | None] = [None, None, None, LASTING_FAULT]
    async with open_sessions(alone(tmp_path), ports_with([], faults), TYPES) as sessions:
        id = await sessions.start(question, spec, "scripted")
        assert (await sessions.run(id)).status == "failed"
    async with open_sessions(alone(tmp_path), ports_with([], []), TYPES) as sessions:
        report = await sessions.run(id)
        assert (report.status, report.spent.rounds) == ("answered", 2)
        assert routes(await sessions.events(id)) == ["more", "done"]


async def test_a_loop_through_a_branch_alone_needs_a_budget(question: Question) -> None:
    spec = branching("rounds >= 2 -> done", more="reflect")
    (finding,) = find_faults(spec, TYPES)
    assert "has no budget that ends it" in finding.message


async def test_a_wrong_condition_is_refused_before_the_run(
    tmp_path: Path, question: Question
) -> None:
    async with open_sessions(alone(tmp_path), ports_with([], []), TYPES) as sessions:
        with pytest.raises(GraphError, match="There is no figure 'roundes'") as raised:
            await sessions.start(question, branching("roundes > 2 -> done"), "scripted")
        assert raised.value.mend == "Did you mean 'rounds'?"
