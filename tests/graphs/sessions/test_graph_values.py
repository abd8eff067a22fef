"""Values of a graph's parameters are pinned with the session: resumed, forked, exported."""

from pathlib import Path

import pytest
from pydantic import JsonValue

from forager.domain.state import Question
from forager.errors import GraphError
from graphs.sessions.service import open_sessions
from graphs.spec.registry import REGISTRY as SHIPPED
from graphs.spec.spec import GraphSpec, graph_of
from tests.graphs.conftest import ports_with
from tests.graphs.runtime.test_branch_node import branching
from tests.graphs.scripted import REGISTRY
from tests.graphs.scripted_ports import LASTING_FAULT, alone

TYPES = REGISTRY | {"branch": SHIPPED["branch"]}
PARAMETERS = {
    "last": {"type": "integer", "default": 2, "help": "the last round"},
    "deep": {"type": "integer", "default": 3},
}


def parametrised() -> GraphSpec:
    """Rounds end by a condition with a parameter; another one is a node's."""
    body = branching("rounds >= $last -> done").model_dump(mode="json")
    body["parameters"] = PARAMETERS
    body["nodes"]["navigate"]["params"] = {"steps": "$deep"}
    return GraphSpec.model_validate(body)


def nested() -> GraphSpec:
    """A graph around it, which sets one of its parameters."""
    params = {"spec": parametrised().model_dump(mode="json"), "set": {"last": "$most"}}
    return GraphSpec.model_validate(
        {
            "name": "nested",
            "parameters": {"most": {"type": "integer", "default": 1}},
            "nodes": {"walk": {"type": "graph", "params": params}},
            "edges": ["start -> walk", "walk.end -> end"],
        }
    )


@pytest.fixture
def long(question: Question) -> Question:
    budget = question.budget.model_copy(update={"rounds": 4, "steps": 5})
    return question.model_copy(update={"budget": budget})


async def test_values_decide_how_a_session_runs(tmp_path: Path, long: Question) -> None:
    async with open_sessions(alone(tmp_path), ports_with([], []), TYPES) as sessions:

        async def run(spec: GraphSpec, **values: JsonValue) -> tuple[int, int]:
            id = await sessions.start(long, spec, "scripted", values=values)
            spent = (await sessions.run(id)).spent
            return spent.rounds, spent.actions

        assert await run(parametrised()) == (2, 6)
        assert await run(parametrised(), last=3, deep="1") == (3, 3)
        assert await run(nested()) == (1, 3)
        assert await run(nested(), most=3) == (3, 9)


async def test_a_session_keeps_its_values(tmp_path: Path, long: Question) -> None:
    faults: list[Exception | None] = [None, LASTING_FAULT]
    async with open_sessions(alone(tmp_path / "a"), ports_with([], faults), TYPES) as sessions:
        id = await sessions.start(long, parametrised(), "scripted", values={"last": 3, "deep": 1})
        assert (await sessions.run(id)).status == "failed"
    async with open_sessions(alone(tmp_path / "a"), ports_with([], []), TYPES) as sessions:
        report = await sessions.run(id)
        assert (report.status, report.spent.rounds) == ("answered", 3)
        session = await sessions.get(id)
        assert session.graph_hash == graph_of(session).hash != parametrised().hash
        pinned = {name: own.default for name, own in graph_of(session).parameters.items()}
        assert pinned == {"last": 3, "deep": 1}
        before = [
            point.number for point in await sessions.history.checkpoints(id) if point.number > 2
        ]
        fork = await sessions.forks.fork(id, before[0])
        assert (await sessions.get(fork)).graph_hash == session.graph_hash
        assert (await sessions.run(fork)).spent.rounds == 3
        await sessions.follow(id, "And then?")
        assert (await sessions.run(id)).spent.rounds == 3
        document = (await sessions.export(id, "json", "run")).decode()
        assert "default: 3" in document
        packed = await sessions.export(id, "zip")
    async with open_sessions(alone(tmp_path / "b"), ports_with([], []), TYPES) as sessions:
        there = await sessions.archive.import_zip(packed)
        assert (await sessions.get(there)).graph_hash == session.graph_hash


@pytest.mark.parametrize(
    ("values", "what", "mend"),
    [
        ({"lst": 3}, "has no parameter 'lst'", "Did you mean 'last'?"),
        ({"last": "x"}, "'last' cannot be 'x'", "a whole number, such as 3. It means: the last"),
    ],
)
async def test_a_wrong_value_starts_nothing(
    tmp_path: Path, long: Question, values: dict[str, JsonValue], what: str, mend: str
) -> None:
    async with open_sessions(alone(tmp_path), ports_with([], []), TYPES) as sessions:
        with pytest.raises(GraphError, match=what) as raised:
            await sessions.start(long, parametrised(), "scripted", values=values)
        assert mend in raised.value.mend
        assert await sessions.listing.all() == ()
