"""What the checkpoints of a session say."""

from itertools import pairwise

import pytest

from forager.domain.state import Question
from forager.errors import SessionError
from graphs.reports.changes import state_changes
from graphs.sessions.service import Sessions
from tests.graphs.conftest import FORAGER, SMALL
from tests.graphs.fanned_graph import FANNED


async def test_every_checkpoint_is_listed(sessions: Sessions, ended: str) -> None:
    points = await sessions.history.checkpoints(ended)
    assert [point.number for point in points] == list(range(1, 40))
    assert all(point.on_path for point in points)
    assert [point.current for point in points] == [False] * 38 + [True]
    for before, after in pairwise(points):
        assert after.parent == before.id
        assert after.ran == before.next
        assert after.time >= before.time
    assert points[0].message == "Which emperor?"
    assert points[0].next == ("interpret",)
    assert points[-1].ran == ("answer",)
    assert points[-1].next == ("end",)


async def test_the_clock_of_a_history_counts_work_alone(sessions: Sessions, ended: str) -> None:
    """A fork that is made later has the clock of its origin, whatever time has passed."""
    points = await sessions.history.checkpoints(ended)
    clock = [point.seconds for point in points]
    assert clock == sorted(clock)
    _, report = await sessions.show_session(ended)
    assert clock[-1] == pytest.approx(report.spent.seconds, abs=0.01)
    fork = await sessions.forks.fork(ended, 3)
    copied = await sessions.history.checkpoints(fork)
    assert [point.seconds for point in copied] == clock[: len(copied)]


async def test_a_checkpoint_has_the_message_of_its_node(sessions: Sessions, ended: str) -> None:
    told = [event.message for event in await sessions.events(ended) if event.kind == "finished"]
    listed = [point.message for point in (await sessions.history.checkpoints(ended))[1:]]
    assert list(map(parts, listed)) == list(map(parts, told))


def parts(message: str) -> set[str]:
    return set(message.split(" · "))


async def test_a_session_that_has_not_run_has_no_history(
    sessions: Sessions, question: Question
) -> None:
    id = await sessions.start(question, FORAGER, "scripted")
    assert await sessions.history.checkpoints(id) == ()
    with pytest.raises(SessionError, match="has no step 1"):
        await sessions.history.diff(id, 1)


async def test_parallel_branches_and_their_join_are_two_checkpoints(
    sessions: Sessions, question: Question
) -> None:
    id = await sessions.start(question.model_copy(update=SMALL), FANNED, "scripted")
    await sessions.run(id)
    points = await sessions.history.checkpoints(id)
    assert [point.ran for point in points[2:6]] == [
        ("select",),
        ("expedition",) * 3,
        ("expedition",),
        ("judge",),
    ]


async def test_diff_shows_what_a_step_changed(sessions: Sessions, ended: str) -> None:
    told = {
        point.ran[0] if point.ran else "": [
            str(each) for each in await sessions.history.diff(ended, n)
        ]
        for n, point in enumerate(await sessions.history.checkpoints(ended), 1)
        if n < 20
    }
    assert "+ question “Which emperor?”" in told[""]
    assert "~ budget rounds no limit → 2" in told[""]
    assert "+ part P1 “Which emperor?”" not in told["reflect"]
    assert "+ steps 1.2 moved Title of http://127.0.0.1:1/0/1" in told["act"]
    assert "~ spend pages 1 → 2" in told["act"]
    assert told["aggregate"][0].startswith("+ evidence E1.2 “What http://127.0.0.1:1/0/1 says.")
    assert "~ verdict not enough: 1 passages → not enough: 2 passages" in told["judge"]
    assert "~ arms[1] Beta(1, 1) → Beta(2, 1), retired" in told["reflect"]


async def test_a_step_may_be_named_by_its_id(sessions: Sessions, ended: str) -> None:
    point = (await sessions.history.checkpoints(ended))[8]
    assert await sessions.history.diff(ended, point.id) == await sessions.history.diff(ended, 9)


@pytest.mark.parametrize("step", [0, 40, "nothing"])
async def test_an_unknown_step_is_refused(sessions: Sessions, ended: str, step: int | str) -> None:
    with pytest.raises(SessionError, match="It has 39"):
        await sessions.history.diff(ended, step)


async def test_the_history_of_an_earlier_turn(sessions: Sessions, ended: str) -> None:
    first = await sessions.history.checkpoints(ended)
    await sessions.follow(ended, "And his wife?")
    assert await sessions.history.checkpoints(ended) == ()
    assert await sessions.history.checkpoints(ended, turn=1) == first
    assert await sessions.history.diff(ended, 1, turn=1)
    with pytest.raises(SessionError, match=r"no turn 3.*are 1 to 2"):
        await sessions.history.checkpoints(ended, turn=3)


def test_a_step_without_changes_has_an_empty_diff() -> None:
    question = Question(text="Which?", sites=())
    assert state_changes({"question": question}, {"question": question}) == ()


async def test_a_checkpoint_has_the_outcome_of_its_node(sessions: Sessions, ended: str) -> None:
    outcomes = {point.ran: point.outcome for point in await sessions.history.checkpoints(ended)}
    assert outcomes[("act",)] == "moved"
    assert outcomes[("extract",)] == "found"
    assert outcomes[("judge",)] in {"sufficient", "insufficient"}
    assert outcomes[("answer",)] == (await sessions.show(ended)).status
    assert outcomes[("select",)] == ""
