"""A session continues from an earlier step, in itself or as a new session."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from forager.domain.spend import Budget
from forager.domain.state import Question
from forager.errors import GraphError, QuestionError, SessionError, StoreError
from graphs.reports.report import Report, ReportedSpend
from graphs.sessions.service import ForkChange, Sessions, Steer
from graphs.spec.spec import GraphSpec, load_graph
from tests.graphs.conftest import FORAGER, SMALL
from tests.graphs.fanned_graph import FANNED
from tests.graphs.partial_runs import running_until
from tests.graphs.scripted import loosened
from tests.postgres import IN_FILES

WALKER = loosened(load_graph("webwalker"))
flat_and_fanned = pytest.mark.parametrize(
    ("spec", "node"), [(FORAGER, "judge"), (FANNED, "expedition/aggregate")], ids=["flat", "fanned"]
)


def outcome(report: Report) -> Report:
    return report.model_copy(update={"session": "", "spent": ReportedSpend()})


async def asked(sessions: Sessions, question: Question, spec: GraphSpec = FORAGER) -> str:
    id = await sessions.start(question.model_copy(update=SMALL), spec, "scripted")
    await sessions.run(id)
    return id


async def step(sessions: Sessions, id: str, next: str, last: bool = False) -> int:
    """The number of the first step, or the last one, before this node."""
    found = [
        point.number for point in await sessions.history.checkpoints(id) if point.next == (next,)
    ]
    return found[-1 if last else 0]


async def test_an_unchanged_fork_has_the_same_outcome(
    sessions: Sessions, question: Question, log: list[str]
) -> None:
    id = await asked(sessions, question)
    first, before = await sessions.show(id), list(log)
    at = await step(sessions, id, "aggregate")
    fork = await sessions.forks.fork(id, at)
    standing = await sessions.history.checkpoints(fork)
    assert [point.id for point in standing] == [
        point.id for point in (await sessions.history.checkpoints(id))[:at]
    ]
    assert (await sessions.show(fork)).status == "interrupted"
    events = await sessions.events(fork)
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert (events[-1].kind, events[-1].data["step"]) == ("forked", at)
    assert (events[-2].node, events[-2].kind) == ("extract", "finished")
    report = await sessions.run(fork)
    assert outcome(report) == outcome(first)
    assert log == before  # no page and no model was asked again
    assert report.spent.actions == first.spent.actions
    assert await sessions.show(id) == first


async def test_the_suggested_step_is_the_last_with_more_to_do_than_to_answer(
    sessions: Sessions, question: Question
) -> None:
    id = await sessions.start(question.model_copy(update=SMALL), FORAGER, "scripted")
    assert await sessions.forks.suggest_step(id) is None  # it has taken no step
    await sessions.run(id)
    points = await sessions.history.checkpoints(id)
    suggested = await sessions.forks.suggest_step(id)
    assert suggested == next(
        each for each in reversed(points) if each.next not in {("end",), ("answer",)}
    )
    assert suggested.number < points[-1].number
    with pytest.raises(SessionError, match="no turn 2"):
        await sessions.forks.suggest_step(id, 2)


async def test_a_hint_still_counts_at_the_step_that_is_suggested_for_a_fork(
    sessions: Sessions, question: Question
) -> None:
    id = await sessions.start(question.model_copy(update=SMALL), FORAGER, "scripted")
    assert await sessions.forks.suggest_fork(id) == (None, None)
    await sessions.run(id)
    points = await sessions.history.checkpoints(id)
    at, choice = await sessions.forks.suggest_fork(id)
    assert at == choice == [each for each in points if each.next == ("select",)][-1]


async def test_a_fork_names_its_origin(sessions: Sessions, question: Question) -> None:
    id = await asked(sessions, question)
    await sessions.listing.rename(id, "Lamps")
    fork = await sessions.get(await sessions.forks.fork(id, 9, new="mine"))
    assert fork.title == "Lamps"
    assert (fork.id, fork.forked_from, fork.forked_step) == ("mine", id, 9)
    assert fork.since == (await sessions.get(id)).created
    with pytest.raises(SessionError, match="already"):
        await sessions.forks.fork(id, 9, new="mine")


@IN_FILES
async def test_a_failed_fork_leaves_nothing(
    sessions: Sessions, question: Question, tmp_path: Path
) -> None:
    id = await asked(sessions, question)
    with closing(sqlite3.connect(tmp_path / "sessions.sqlite")) as other:
        other.execute(
            "CREATE TRIGGER full BEFORE INSERT ON paid BEGIN INSERT INTO nowhere VALUES (1); END"
        )
    with pytest.raises(StoreError, match="nowhere"):
        await sessions.forks.fork(id, 9, new="mine")
    assert [each.id for each in await sessions.listing.all()] == [id]
    assert await (await sessions.context.checkpoints()).list_namespaces("mine") == []


async def test_a_fork_may_change_the_question(
    sessions: Sessions, question: Question, log: list[str]
) -> None:
    id = await asked(sessions, question)
    first = await sessions.show(id)
    other = ForkChange(budget=Budget(steps=1), hint=" try  the index ", forbid=("bad.example",))
    fork = await sessions.forks.fork(id, await step(sessions, id, "select"), other)
    report = await sessions.run(fork)
    site = "http://127.0.0.1:1"
    assert [page.url for page in report.visited] == [f"{site}/0/0", f"{site}/1/0"]
    own = (await sessions.get(fork)).question
    assert (own.budget.rounds, own.budget.steps) == (2, 1)
    assert own.hints == ("try the index",)
    assert own.forbidden == ("bad.example",)
    assert (await sessions.get(id)).question.hints == ()
    assert await sessions.show(id) == first
    assert len([line for line in log if line.startswith("open")]) == 4


async def test_a_fork_with_another_model_pays_for_itself(
    sessions: Sessions, question: Question, log: list[str]
) -> None:
    id = await asked(sessions, question)
    calls = sum(line.startswith("ask") for line in log)
    fork = await sessions.forks.fork(id, 9, ForkChange(model="other"))
    report = await sessions.run(fork)
    assert report.model == "other"
    assert sum(line.startswith("ask") for line in log) == 2 * calls
    assert report.spent.model_calls == calls


async def test_a_fork_in_another_graph(sessions: Sessions, question: Question) -> None:
    id = await asked(sessions, question)
    at = await step(sessions, id, "navigate")
    fork = await sessions.forks.fork(id, at, ForkChange(graph=WALKER))
    assert (await sessions.get(fork)).graph == "webwalker"
    report = await sessions.run(fork)
    assert report.status == "answered"
    assert report.spent.rounds == 1


async def test_a_graph_that_cannot_go_on_there_is_refused(
    sessions: Sessions, question: Question
) -> None:
    id = await asked(sessions, question)
    recalling = await step(sessions, id, "recall")
    with pytest.raises(SessionError, match="has no node 'recall', which runs next"):
        await sessions.forks.fork(id, recalling, ForkChange(graph=WALKER))
    walking = await sessions.forks.fork(id, await step(sessions, id, "navigate"))
    other = FORAGER.model_copy(
        update={"nodes": {**FORAGER.nodes, "navigate": FORAGER.nodes["select"]}}
    )
    with pytest.raises(GraphError):
        await sessions.forks.fork(walking, None, ForkChange(graph=other))
    assert len(await sessions.listing.all()) == 2


async def test_later_steps_become_a_side_branch(sessions: Sessions, question: Question) -> None:
    id = await asked(sessions, question)
    first = await sessions.show(id)
    before = await sessions.history.checkpoints(id)
    at = await step(sessions, id, "act")
    await sessions.forks.continue_from(id, at, Steer(budget=Budget(steps=1)))
    assert (await sessions.get(id)).status == "unfinished"
    assert (await sessions.show(id)).evidence == ()
    report = await sessions.run(id)
    assert report.status == "answered"
    assert len(report.visited) == 2 < len(first.visited)
    points = await sessions.history.checkpoints(id)
    assert points[: len(before)] == tuple(
        point.model_copy(update={"on_path": point.number <= at, "current": False})
        for point in before
    )
    assert (points[len(before)].source, points[len(before)].parent) == ("fork", before[at - 1].id)
    assert points[len(before)].next == ("act",)
    assert all(point.on_path for point in points[len(before) :])


async def test_the_answer_of_an_earlier_end_can_be_taken_back(
    sessions: Sessions, question: Question, log: list[str]
) -> None:
    id = await asked(sessions, question)
    first = await sessions.show(id)
    end = (await sessions.history.checkpoints(id))[-1].number
    at = await step(sessions, id, "act")
    await sessions.forks.continue_from(id, at, Steer(budget=Budget(steps=1)))
    assert (await sessions.run(id)).answer != first.answer
    done = len(log)
    await sessions.forks.continue_from(id, end)
    report = await sessions.run(id)
    assert (report.status, report.answer, report.visited) == (
        *(first.status, first.answer),
        first.visited,
    )
    assert len(log) == done
    (rewound,) = [event for event in await sessions.events(id) if event.kind == "rewound"][1:]
    assert rewound.message == f"end of step {end}"
    line = next(each for each in await sessions.listing.all() if each.id == id)
    assert line.answer == first.answer


async def test_more_budget_continues_a_run_that_spent_it(
    sessions: Sessions, question: Question, log: list[str]
) -> None:
    id = await asked(sessions, question)
    await sessions.forks.continue_from(id, change=Steer(budget=Budget(rounds=3)))
    assert (await sessions.history.checkpoints(id))[-1].next == ("select",)
    report = await sessions.run(id)
    assert report.spent.rounds == 3
    assert len(report.visited) == 6
    assert len(set(log)) == len(log)
    (rewound,) = [event for event in await sessions.events(id) if event.kind == "rewound"]
    assert rewound.message == "step 37 · rounds: 3"


async def test_a_run_that_had_enough_has_no_budget_turning_point(
    sessions: Sessions, question: Question
) -> None:
    nodes = {**WALKER.nodes}
    nodes["judge"] = nodes["judge"].model_copy(update={"params": {"enough": 1}})
    id = await asked(sessions, question, WALKER.model_copy(update={"nodes": nodes}))
    with pytest.raises(SessionError, match="did not end for want of budget"):
        await sessions.forks.continue_from(id, change=Steer(budget=Budget(rounds=3)))
    assert (await sessions.show(id)).status == "answered"


@flat_and_fanned
@IN_FILES
async def test_a_stopped_run_can_be_continued(
    sessions: Sessions, question: Question, log: list[str], spec: GraphSpec, node: str
) -> None:
    id = await sessions.start(question.model_copy(update=SMALL), spec, "scripted")
    task = await running_until(sessions, id, node)
    await sessions.stop(id)
    stopped = await task
    assert stopped.status == "partial"
    await sessions.forks.continue_from(id)
    report = await sessions.run(id)
    assert report.status == "answered"
    assert len(report.evidence) > len(stopped.evidence)
    assert len(set(log)) == len(log)


@flat_and_fanned
@IN_FILES
async def test_a_fork_copies_unfinished_branches(
    sessions: Sessions, question: Question, log: list[str], spec: GraphSpec, node: str
) -> None:
    id = await sessions.start(question.model_copy(update=SMALL), spec, "scripted")
    task = await running_until(sessions, id, node)
    await sessions.pause(id)
    paused = await task
    assert paused.evidence
    fork = await sessions.forks.fork(id)
    assert outcome(await sessions.show(fork)) == outcome(paused)
    one, other = await sessions.run(fork), await sessions.run(id)
    assert outcome(one) == outcome(other)
    opened = [line for line in log if line.startswith("open")]
    assert len(set(opened)) == len(opened)


async def test_continuing_from_the_last_step_is_refused(
    sessions: Sessions, question: Question
) -> None:
    id = await asked(sessions, question)
    with pytest.raises(SessionError, match="Nothing is left to do after step 39"):
        await sessions.forks.fork(id, 39)
    with pytest.raises(SessionError, match="Nothing is left to do after step 39"):
        await sessions.forks.continue_from(id, 39)
    with pytest.raises(SessionError, match="has no step 77"):
        await sessions.forks.continue_from(id, 77)


async def test_a_session_that_has_not_begun_can_be_forked(
    sessions: Sessions, question: Question
) -> None:
    id = await sessions.start(question, FORAGER, "scripted")
    fork = await sessions.forks.fork(id, change=ForkChange(budget=Budget(rounds=1, steps=1)))
    assert len((await sessions.run(fork)).visited) == 1


async def test_a_fork_of_a_later_turn_keeps_the_earlier_ones(
    sessions: Sessions, question: Question
) -> None:
    id = await asked(sessions, question)
    await sessions.follow(id, "And his wife?")
    await sessions.run(id)
    at = await step(sessions, id, "select")
    report = await sessions.run(await sessions.forks.fork(id, at))
    assert outcome(report) == outcome(await sessions.show(id))
    early = await sessions.forks.fork(id, 9, turn=1)
    assert (await sessions.get(early)).question.text == "Which emperor?"
    assert (await sessions.run(early)).turns == ()


async def test_an_impossible_change_is_refused(sessions: Sessions, question: Question) -> None:
    id = await asked(sessions, question)
    with pytest.raises(QuestionError, match="would have no site left"):
        await sessions.forks.continue_from(id, 9, Steer(forbid=("127.0.0.1",)))
    assert (await sessions.show(id)).status == "answered"


@IN_FILES
async def test_more_budget_for_a_paused_session(sessions: Sessions, question: Question) -> None:
    id = await sessions.start(question, FORAGER, "scripted")
    task = await running_until(sessions, id, "judge")
    await sessions.pause(id)
    await task
    before = len(await sessions.history.checkpoints(id))
    await sessions.forks.continue_from(id, change=Steer(budget=Budget(rounds=3)))
    assert len(await sessions.history.checkpoints(id)) == before
    last = (await sessions.events(id))[-1]
    assert (last.kind, last.message) == ("steered", "rounds: 3")
    assert (await sessions.run(id)).spent.rounds == 3
