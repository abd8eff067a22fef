"""A run halts at the breakpoints of its graph, goes on, and takes one step at a time."""

import pytest

from forager.domain.state import Question
from graphs.runtime.halts import Halts, read_breakpoints
from graphs.sessions.service import Sessions, Steer
from graphs.spec.spec import GraphSpec
from tests.graphs.conftest import FORAGER, SMALL
from tests.graphs.fanned_graph import FANNED


async def begin(sessions: Sessions, question: Question, spec: GraphSpec = FORAGER) -> str:
    return await sessions.start(question.model_copy(update=SMALL), spec, "scripted")


async def halted_at(sessions: Sessions, id: str) -> list[str]:
    events = await sessions.events(id)
    return [event.message for event in events if event.kind == "halted"]


async def test_breakpoints_are_not_part_of_what_a_graph_does() -> None:
    spec = FORAGER.model_copy(update={"breakpoints": {"judge": "before", "act": "both"}})
    assert spec.hash == FORAGER.hash
    assert read_breakpoints(spec.breakpoints) == Halts(
        frozenset({"judge", "act"}), frozenset({"act"})
    )


async def test_a_run_waits_before_a_node_and_goes_on_to_the_same_answer(
    sessions: Sessions, question: Question, log: list[str]
) -> None:
    whole = await begin(sessions, question)
    expected = await sessions.run(whole)
    asked = list(log)
    id = await begin(sessions, question)
    halts = Halts(before=frozenset({"judge"}))
    waits = await sessions.run(id, halts=halts)
    assert await halted_at(sessions, id) == ["before judge"]
    rounds = 0
    while waits.status == "paused":
        rounds += 1
        assert (await sessions.history.checkpoints(id))[-1].next == ("judge",)
        waits = await sessions.run(id, halts=halts)
    judged = [ran for ran in await sessions.inspection.trace(whole) if ran.node == "judge"]
    assert rounds == len(judged)
    assert (waits.status, waits.answer) == (expected.status, expected.answer)
    own = log[len(asked) :]
    assert len(set(own)) == len(own)  # nothing was asked twice


async def test_a_run_waits_after_a_node(sessions: Sessions, question: Question) -> None:
    id = await begin(sessions, question)
    await sessions.run(id, halts=Halts(after=frozenset({"select"})))
    [*_, last] = await sessions.history.checkpoints(id)
    assert last.ran == ("select",)
    assert await halted_at(sessions, id) == [f"before {last.next[0]}"]


async def test_a_step_runs_one_node(sessions: Sessions, question: Question) -> None:
    id = await begin(sessions, question)
    step = Halts(step=True)
    await sessions.run(id, halts=step)
    assert await sessions.inspection.trace(id) == ()
    for count in (1, 2, 3):
        waits = await sessions.run(id, halts=step)
        assert [ran.status for ran in await sessions.inspection.trace(id)] == ["done"] * count
    assert waits.status == "paused"
    assert (await sessions.run(id)).status == "answered"


async def test_breakpoints_inside_branches_are_kept_apart(
    sessions: Sessions, question: Question
) -> None:
    id = await begin(sessions, question, FANNED)
    waits = await sessions.run(id, halts=Halts(before=frozenset({"expedition/aggregate"})))
    assert waits.status == "paused"
    assert await halted_at(sessions, id) == ["before expedition/aggregate"]
    ran = await sessions.inspection.trace(id)
    assert "expedition/aggregate" not in {each.node for each in ran}
    assert len([each for each in ran if each.node == "expedition/extract"]) > 1
    assert (await sessions.run(id)).status == "answered"


async def test_a_halted_run_is_steered_and_stopped(sessions: Sessions, question: Question) -> None:
    id = await begin(sessions, question)
    await sessions.run(id, halts=Halts(before=frozenset({"judge"})))
    await sessions.steering.steer(id, Steer(hint="the index"))
    assert (await sessions.get(id)).question.hints == ("the index",)
    assert (await sessions.stop(id)).status == "partial"


@pytest.mark.parametrize("asked", ["steer", "stop"])
async def test_a_request_that_comes_with_the_breakpoint_is_heard(
    sessions: Sessions, question: Question, asked: str
) -> None:
    id = await begin(sessions, question)
    store = await sessions.context.store()

    def watch(event: object) -> None:
        if getattr(event, "node", "") == "aggregate" and getattr(event, "kind", "") == "finished":
            if asked == "steer":
                store.steers.add_steer(id, '{"hint": "the index"}')
            store.set_request(id, "", asked)

    report = await sessions.run(id, watch, halts=Halts(before=frozenset({"judge"})))
    assert report.status == ("paused" if asked == "steer" else "partial")
    hints = (await sessions.get(id)).question.hints
    assert hints == (("the index",) if asked == "steer" else ())
