"""A run asks, waits, and goes on with the answer; nothing approved once is done twice."""

import asyncio
import re
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from forager.domain.approvals import ApprovalRequest
from forager.domain.spend import Budget
from forager.domain.state import Question
from forager.errors import SessionError
from forager.settings import Settings
from graphs.reports.report import Report
from graphs.runtime.approvals import APPROVED_BEFORE, leave_to_others
from graphs.runtime.halts import Halts
from graphs.sessions.service import Sessions, open_sessions
from graphs.spec.spec import GraphSpec, load_graph
from tests.graphs.approval_graphs import ASKING, ASKING_ONCE, GATED, WHY, WITHIN, Person
from tests.graphs.conftest import ports_with
from tests.graphs.fanned_graph import FANNED
from tests.graphs.runs.test_crash import worker
from tests.graphs.scripted import loosened
from tests.graphs.scripted_ports import alone

FLAT = loosened(load_graph("forager"))
SHAPES = pytest.mark.parametrize("spec", [FLAT, WITHIN, FANNED], ids=["flat", "within", "fanned"])
QUESTION = Question(
    text="Which emperor?", sites=("http://127.0.0.1:1/",), budget=Budget(rounds=2, steps=2)
)


@pytest.fixture
async def sessions(tmp_path: Path, log: list[str]) -> AsyncIterator[Sessions]:
    async with open_sessions(alone(tmp_path), ports_with(log, []), ASKING) as opened:
        yield opened


async def waiting(sessions: Sessions, spec: GraphSpec) -> tuple[str, "asyncio.Task[Report]"]:
    """A session that waits for an answer from elsewhere, and its run."""
    id = await sessions.start(QUESTION, spec, "scripted")
    task = asyncio.create_task(sessions.run(id, decide=leave_to_others))
    async for event in sessions.watch(id):
        if event.kind == "asked":
            break
    while not await sessions.approval_requests(id):
        await asyncio.wait([task], timeout=0.02)
    return id, task


async def answer_all(sessions: Sessions, id: str, task: "asyncio.Task[Report]") -> Report:
    while not task.done():
        for asked in await sessions.approval_requests(id):
            await sessions.decide(id, asked.id, yes=True)
        await asyncio.wait([task], timeout=0.02)
    return await task


@SHAPES
async def test_requests_are_refused_where_nobody_can_answer(
    sessions: Sessions, spec: GraphSpec
) -> None:
    id = await sessions.start(QUESTION, spec, "scripted")
    report = await sessions.run(id)
    assert report.status == "answered"
    kinds = Counter(event.kind for event in await sessions.events(id))
    assert kinds["asked"] == kinds["decided"] == len(report.visited) > 0


@SHAPES
async def test_an_approved_action_is_done_once(
    sessions: Sessions, spec: GraphSpec, log: list[str]
) -> None:
    id = await sessions.start(QUESTION, spec, "scripted")
    person = Person()
    report = await sessions.run(id, decide=person)
    assert report.status == "answered"
    assert {request.why for request in person.asked} == {WHY}
    assert len(person.asked) == len(report.visited)
    counts = Counter(log)
    assert {counts[line] for line in counts if line.startswith("begin")} == {2}
    assert {counts[line] for line in counts if not line.startswith("begin")} == {1}
    assert report.spent.model_calls == sum(line.startswith("ask") for line in log)


@SHAPES
async def test_a_session_waits_for_an_answer_from_another_process(
    sessions: Sessions, tmp_path: Path, spec: GraphSpec
) -> None:
    id, task = await waiting(sessions, spec)
    async with open_sessions(Settings(data=tmp_path)) as elsewhere:
        assert (await elsewhere.show(id)).status == "waiting"
        first = (await elsewhere.approval_requests(id))[0]
        await elsewhere.decide(id, first.id, yes=True)
        with pytest.raises(SessionError, match="or no longer does"):
            await elsewhere.decide(id, first.id, yes=False)
        report = await answer_all(elsewhere, id, task)
    assert report.status == "answered"


@SHAPES
async def test_a_waiting_run_can_be_stopped(sessions: Sessions, spec: GraphSpec) -> None:
    id, task = await waiting(sessions, spec)
    await sessions.stop(id)
    report = await task
    assert report.status == "partial"
    assert not report.pleas
    assert not await sessions.approval_requests(id)
    assert await sessions.run(id) == report


@SHAPES
async def test_a_paused_run_asks_again(sessions: Sessions, spec: GraphSpec) -> None:
    id, task = await waiting(sessions, spec)
    await sessions.pause(id)
    assert (await task).status == "paused"
    person = Person()
    assert (await sessions.run(id, decide=person)).status == "answered"
    assert APPROVED_BEFORE not in person.asked[0].why


async def test_a_yes_approves_only_what_was_asked(tmp_path: Path, log: list[str]) -> None:
    """The gate was passed; what is asked in its place when the node runs again is another thing."""

    async def passing_alone(request: ApprovalRequest) -> bool:
        return request.kind == "take over"

    async with open_sessions(alone(tmp_path), ports_with(log, []), GATED) as sessions:
        id = await sessions.start(QUESTION, FLAT, "scripted")
        report = await sessions.run(id, decide=passing_alone)
    answers = [(request.kind, request.answer) for request in report.pleas]
    assert answers[:2] == [("take over", True), ("approve", False)]
    assert report.pleas[0].outcome == "Taken over"
    assert not any(request.answer for request in report.pleas[1:])


async def test_requests_of_parallel_branches_are_asked_one_by_one(sessions: Sessions) -> None:
    id, task = await waiting(sessions, FANNED)
    assert len(await sessions.approval_requests(id)) == 3
    assert (await answer_all(sessions, id, task)).status == "answered"


async def test_a_branch_halts_beside_one_that_waits_for_an_answer(
    tmp_path: Path, log: list[str]
) -> None:
    halts, person = Halts(before=frozenset({"expedition/aggregate"})), Person()
    async with open_sessions(alone(tmp_path), ports_with(log, []), ASKING_ONCE) as sessions:
        id = await sessions.start(QUESTION, FANNED, "scripted")
        assert (await sessions.run(id, decide=person, halts=halts)).status == "paused"
        assert not person.asked
        assert "expedition/aggregate" not in {
            each.node for each in await sessions.inspection.trace(id)
        }
        while (report := await sessions.run(id, decide=person, halts=halts)).status == "paused":
            continue
        assert report.status == "answered"
        [what] = {request.what for request in person.asked}  # of whichever branch came first
        assert re.fullmatch(r"open http://127\.0\.0\.1:1/\d/0", what)


async def test_a_replayed_run_gets_the_recorded_answers(tmp_path: Path) -> None:
    said = iter([True, False, True, False])

    async def decide(request: ApprovalRequest) -> bool:
        return next(said)

    async def outcomes(model: str, settings: Settings) -> list[bool | None]:
        async with open_sessions(settings, ports_with([], []), ASKING) as sessions:
            report = await sessions.run(await sessions.start(QUESTION, FLAT, model), decide=decide)
        return [request.answer for request in report.pleas]

    tape = tmp_path / "tape"
    told = await outcomes("scripted", alone(tmp_path / "a").model_copy(update={"record": tape}))
    assert told == [True, False, True, False]
    assert await outcomes(f"replay:{tape}", Settings(data=tmp_path / "b")) == told
    nothing = await outcomes(f"replay:{tmp_path}", Settings(data=tmp_path / "c"))
    assert nothing == [False] * 4


@pytest.mark.parametrize("moment", ["asked", "opened"])
async def test_a_run_killed_while_waiting_or_acting_asks_again(tmp_path: Path, moment: str) -> None:
    async with open_sessions(alone(tmp_path)) as sessions:
        ids = [await sessions.start(QUESTION, spec, "scripted") for spec in (FLAT, FANNED)]
    with worker(tmp_path, moment, "1", ids[0], "1", ids[1], world="approvals") as process:
        assert process.wait() == 0
    async with open_sessions(alone(tmp_path), ports_with([], []), ASKING) as sessions:
        for id in ids:
            person = Person()
            assert (await sessions.show(id)).status == "interrupted"
            assert (await sessions.run(id, decide=person)).status == "answered"
            assert any(APPROVED_BEFORE in request.why for request in person.asked) == (
                moment == "opened"
            )
