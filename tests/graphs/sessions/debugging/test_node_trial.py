"""One node is run alone on a pinned input; the session stays as it is."""

import pytest

from forager.domain.state import Question
from forager.errors import GraphError, SessionError
from forager.prompts.token_count import count_tokens
from graphs.sessions.service import Sessions
from graphs.spec.edit import with_node
from graphs.spec.spec import NodeSpec
from tests.graphs.conftest import FORAGER, SMALL
from tests.graphs.fanned_graph import FANNED


async def test_an_unchanged_node_does_what_it_did(sessions: Sessions, ended: str) -> None:
    before = await sessions.show(ended), await sessions.events(ended)
    steps = await sessions.history.checkpoints(ended)
    for ran in await sessions.inspection.trace(ended):
        trial = await sessions.node_trials.try_node(ended, ran.node, at=ran.seq)
        now, then = trial.tried, trial.recorded
        assert (now.input, now.route) == (then.input, then.route)
        assert [each for each in now.output if "spend" not in each.what] == [
            each for each in then.output if "spend" not in each.what
        ]
        assert [each.reply for each in now.asked] == [each.reply for each in then.asked]
    assert (await sessions.show(ended), await sessions.events(ended)) == before
    assert await sessions.history.checkpoints(ended) == steps


async def test_the_node_of_a_draft_is_tried(sessions: Sessions, ended: str) -> None:
    draft = with_node(FORAGER, "navigate", NodeSpec(type="navigator", params={"steps": 0}))
    first = next(ran for ran in await sessions.inspection.trace(ended) if ran.node == "navigate")
    trial = await sessions.node_trials.try_node(ended, "navigate", draft, first.seq)
    assert (trial.tried.route, trial.recorded.route) == ("stop", "act")
    assert trial.tried.input == trial.recorded.input


async def test_a_node_inside_a_branch_is_tried(sessions: Sessions, question: Question) -> None:
    id = await sessions.start(question.model_copy(update=SMALL), FANNED, "scripted")
    await sessions.run(id)
    acts = [ran for ran in await sessions.inspection.trace(id) if ran.node == "expedition/act"]
    for ran in acts:
        trial = await sessions.node_trials.try_node(id, "expedition/act", FANNED, ran.seq)
        assert trial.tried.message == trial.recorded.message


async def test_where_to_run_again_from(sessions: Sessions, question: Question, ended: str) -> None:
    points = await sessions.history.checkpoints(ended)
    work = await sessions.inspection.node_work(ended, "judge")
    assert points[work.step - 1].next == ("judge",)
    id = await sessions.start(question.model_copy(update=SMALL), FANNED, "scripted")
    await sessions.run(id)
    inner = await sessions.inspection.node_work(id, "expedition/act")
    steps = await sessions.history.checkpoints(id)
    assert set(steps[inner.step - 1].next) == {"expedition"}


async def test_what_cannot_run_alone_is_refused(
    sessions: Sessions, question: Question, ended: str
) -> None:
    with pytest.raises(SessionError, match="has not run"):
        await sessions.node_trials.try_node(ended, "nothing")
    without = FORAGER.model_copy(
        update={"nodes": {name: node for name, node in FORAGER.nodes.items() if name != "judge"}}
    )
    with pytest.raises(GraphError, match="has no node 'judge'"):
        await sessions.node_trials.try_node(ended, "judge", without)
    wrong = with_node(FORAGER, "judge", NodeSpec(type="critic", params={"least": "much"}))
    with pytest.raises(GraphError, match=r"judge\.least"):
        await sessions.node_trials.try_node(ended, "judge", wrong)


async def test_a_prompt_is_previewed_with_what_it_would_be_given(
    sessions: Sessions, ended: str
) -> None:
    trace = await sessions.inspection.trace(ended)
    works = [await sessions.inspection.node_work(ended, ran.node, ran.seq) for ran in trace]
    work = next(each for each in works if each.asked)
    node, task = FORAGER.nodes[work.node], work.asked[0].task
    own = node.model_copy(update={"prompts": {task: "Do it by candlelight."}})
    before = await sessions.events(ended)
    shown, *_ = await sessions.node_trials.preview(
        ended, work.node, with_node(FORAGER, work.node, own)
    )
    assert shown.task == task
    assert "Do it by candlelight." in shown.system
    assert (shown.told, shown.given) == (count_tokens(shown.system), count_tokens(shown.user))
    assert await sessions.events(ended) == before
