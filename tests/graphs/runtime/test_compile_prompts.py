"""A graph's own instructions reach the model, and nothing said under others is taken for them."""

from pathlib import Path

import pytest

from forager.adapters.models.prompt import RULES
from forager.adapters.store.sessions.session_store import SessionStore
from forager.ports import Model
from graphs.runtime.graph_nodes import InstructedModel
from graphs.runtime.run import JournaledModel
from graphs.sessions.service import ForkChange, open_sessions
from graphs.spec.spec import GraphSpec, load_graph
from nodes.answerer import WriteAnswer
from tests.endpoint import Asked, Endpoint
from tests.graphs.runtime.test_run import Counting, store
from tests.graphs.scripted_nodes import Look
from tests.loopback_model import Asking, Surveyed, role

__all__ = ["store"]

BRIEFLY = "Answer in one short sentence, and cite the entry that says it."


def told(spec: GraphSpec, node: str, task: str, instructions: str) -> GraphSpec:
    own = spec.nodes[node].model_copy(update={"prompts": {task: instructions}})
    return spec.model_copy(update={"nodes": {**spec.nodes, node: own}})


FORAGER = load_graph("forager")
BRIEF = told(FORAGER, "answer", "WriteAnswer", BRIEFLY)


@pytest.fixture
def asking(observatory: Surveyed, endpoint: Endpoint, tmp_path: Path) -> Asking:
    return observatory.asking(tmp_path / "data", endpoint)


def of(endpoint: Endpoint, name: str) -> list[Asked]:
    return [asked for asked in endpoint.requests if role(asked) == name]


def test_instructions_do_not_change_the_inputs_of_a_task() -> None:
    task = Look(page="a")
    other = task.with_instructions("Look closely.")
    assert (task.instructions, other.instructions) == (Look.PROMPT, "Look closely.")
    assert other.model_dump() == task.model_dump()


async def test_a_stored_reply_is_not_used_for_other_instructions(store: SessionStore) -> None:
    model = Counting()
    journal = JournaledModel(model, store, "one")
    closely: Model = InstructedModel(journal, {"Look": "Look closely."})
    for door, asked in ((journal, 1), (closely, 2), (closely, 2), (journal, 2)):
        await door.ask(Look(page="a"))
        assert model.asked == asked
    await InstructedModel(journal, {"Other": "Look away."}).ask(Look(page="a"))
    assert model.asked == 2


async def test_the_model_gets_the_instructions_of_the_graph(
    asking: Asking, endpoint: Endpoint
) -> None:
    report = await asking.ask(BRIEF)
    assert report.status == "answered"
    (asked,) = of(endpoint, "answerer")
    assert BRIEFLY in asked.system
    assert RULES in asked.system
    assert WriteAnswer.PROMPT not in asked.system
    assert not any(BRIEFLY in each.system for each in endpoint.requests if each is not asked)


async def test_nodes_of_inner_graphs_get_their_instructions(
    asking: Asking, endpoint: Endpoint
) -> None:
    outer = load_graph("abreast")
    inner = told(outer.inner("walk"), "extract", "ReadAndJudge", "Copy what bears on it.")
    body = inner.model_dump(mode="json")
    walk = outer.nodes["walk"].model_copy(update={"params": {"spec": body}})
    await asking.ask(outer.model_copy(update={"nodes": {**outer.nodes, "walk": walk}}))
    assert of(endpoint, "extractor")
    assert all("Copy what bears on it." in each.system for each in of(endpoint, "extractor"))


async def test_a_fork_with_other_instructions_asks_again(
    asking: Asking, endpoint: Endpoint
) -> None:
    await asking.ask()
    async with open_sessions(asking.settings) as sessions:
        steps = await sessions.history.checkpoints("one")
        at = [step.number for step in steps if step.next == ("answer",)][-1]
        for graph, said in (("", 1), (BRIEF, 2)):
            await sessions.run(await sessions.forks.fork("one", at, ForkChange(graph=graph)))
            assert len(of(endpoint, "answerer")) == said
    assert BRIEFLY in of(endpoint, "answerer")[-1].system


async def test_a_recording_is_not_replayed_for_other_instructions(
    asking: Asking, endpoint: Endpoint, tmp_path: Path
) -> None:
    taped = asking.settings.model_copy(update={"record": tmp_path / "tape"})
    await Asking(asking.known, endpoint, taped).ask()
    made = len(endpoint.requests)
    played = f"replay:{tmp_path / 'tape'}"
    async with open_sessions(asking.settings) as sessions:
        for graph, status in ((FORAGER, "answered"), (BRIEF, "failed")):
            question = asking.known.question()
            report = await sessions.run(await sessions.start(question, graph, played))
            assert report.status == status, report.error
    assert BRIEFLY in report.error
    assert len(endpoint.requests) == made
