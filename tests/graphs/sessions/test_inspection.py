"""A node's work, looked into."""

from pathlib import Path

import pytest

from forager.domain.spend import Budget
from forager.domain.state import Question
from forager.errors import SessionError
from graphs.sessions.service import Sessions, open_sessions
from graphs.spec.spec import load_graph
from tests.endpoint import Endpoint
from tests.endpoint.request import said
from tests.graphs.fanned_graph import FANNED
from tests.graphs.scripted import loosened
from tests.loopback_model import Surveyed, role

FORAGER = loosened(load_graph("forager"))
SMALL = {"budget": Budget(rounds=2, steps=2)}


@pytest.fixture
async def ended(sessions: Sessions, question: Question) -> str:
    id = await sessions.start(question.model_copy(update=SMALL), FORAGER, "scripted")
    await sessions.run(id)
    return id


async def test_node_work_shows_the_states_around_a_node(sessions: Sessions, ended: str) -> None:
    acts = [ran for ran in await sessions.inspection.trace(ended) if ran.node == "act"]
    points = [each for each in await sessions.history.checkpoints(ended) if each.ran == ("act",)]
    for number, (ran, point) in enumerate(zip(acts, points, strict=True), 1):
        work = await sessions.inspection.node_work(ended, "act", ran.seq)
        assert (work.number, work.count, work.route) == (number, len(acts), "moved")
        assert work.output == await sessions.history.diff(ended, point.number)
        assert {each.key for each in work.input} <= {"proposal", "question", "draw", "steps"}
    assert (await sessions.inspection.node_work(ended, "act")).number == len(acts)


async def test_nodes_of_parallel_branches_are_told_apart(
    sessions: Sessions, question: Question
) -> None:
    id = await sessions.start(question.model_copy(update=SMALL), FANNED, "scripted")
    await sessions.run(id)
    acts = [ran for ran in await sessions.inspection.trace(id) if ran.node == "expedition/act"]
    assert len({ran.branch for ran in acts}) > 1
    for ran in acts:
        work = await sessions.inspection.node_work(id, "expedition/act", ran.seq)
        (step,) = [each for each in work.output if each.what.startswith("steps")]
        assert ran.message.split(" · ")[0] in step.after


async def test_replies_are_shown_with_their_tasks(sessions: Sessions, ended: str) -> None:
    works = [
        await sessions.inspection.node_work(ended, ran.node, ran.seq)
        for ran in await sessions.inspection.trace(ended)
    ]
    asked = [each for work in works for each in work.asked]
    assert asked
    assert all(each.task and each.reply for each in asked)
    assert {work.how for work in works if not work.asked} == {"This node asks no model."}


async def test_a_node_that_has_not_run_is_refused(sessions: Sessions, ended: str) -> None:
    with pytest.raises(SessionError, match="has not run"):
        await sessions.inspection.node_work(ended, "nothing")
    with pytest.raises(SessionError, match="no turn 3"):
        await sessions.inspection.trace(ended, 3)


async def test_an_earlier_turn_keeps_its_trace(sessions: Sessions, ended: str) -> None:
    before = await sessions.inspection.trace(ended)
    work = await sessions.inspection.node_work(ended, "act")
    await sessions.follow(ended, "And his wife?")
    assert await sessions.inspection.trace(ended) == ()
    assert await sessions.inspection.trace(ended, 1) == before
    assert await sessions.inspection.node_work(ended, "act", turn=1) == work


async def test_the_prompt_is_shown_as_it_was_sent(
    observatory: Surveyed, endpoint: Endpoint, tmp_path: Path
) -> None:
    asking = observatory.asking(tmp_path / "data", endpoint)
    await asking.ask()
    async with open_sessions(asking.settings) as sessions:
        (wrote,) = [ran for ran in await sessions.inspection.trace("one") if ran.node == "answer"]
        (asked,) = (await sessions.inspection.node_work("one", "answer", wrote.seq)).asked
        bare = await sessions.inspection.node_work("one", "select")
        again = await sessions.archive.import_zip(await sessions.export("one", "zip"))
        assert (await sessions.inspection.node_work(again, "answer", wrote.seq)).asked == (asked,)
    (sent,) = [each for each in endpoint.requests if role(each) == "answerer"]
    assert [(part.role, part.text) for part in asked.sent] == [
        (each["role"], said(each)) for each in sent.messages
    ]
    assert asked.model == "openai:any"
    assert asked.said
    assert (bare.asked, bare.how) == ((), "This node asks no model.")


async def test_without_a_model_no_prompt_is_shown(observatory: Surveyed, tmp_path: Path) -> None:
    settings = observatory.settings(observatory.copied(tmp_path / "data"))
    async with open_sessions(settings) as sessions:
        id = await sessions.start(observatory.question(), "abreast", "offline")
        await sessions.run(id)
        work = await sessions.inspection.node_work(id, "walk/extract")
    assert work.asked == ()
    assert work.how.startswith("No prompt was sent")
    assert work.input[0].key == "question"
    assert any(each.what == "reading" for each in work.output)
