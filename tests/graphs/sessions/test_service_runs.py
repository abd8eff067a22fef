"""Sessions that fail, are stopped or paused, are watched, or run beside others."""

import asyncio
import json
import sqlite3
import threading
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import SecretStr

from bench.scale.postgres_server import PostgresServer
from forager.adapters.store.leases import hold_lease, queue_lease
from forager.adapters.store.server import forget_server
from forager.adapters.store.sessions.session_store import Event
from forager.domain.base import Frozen
from forager.domain.spend import Budget
from forager.domain.state import Question, State, Update
from forager.errors import (
    SessionError,
)
from forager.ports import Ports
from graphs.runtime.run import GRACE_SECONDS
from graphs.sessions.service import Sessions, open_sessions
from graphs.spec.spec import GraphSpec, load_graph
from tests.graphs.conftest import ports_with
from tests.graphs.fanned_graph import FANNED
from tests.graphs.partial_runs import running_until
from tests.graphs.scripted import REGISTRY, loosened
from tests.graphs.scripted_ports import LASTING_FAULT, alone
from tests.postgres import IN_FILES

FORAGER = loosened(load_graph("forager"))
DISK_IS_FULL = """
CREATE TRIGGER full BEFORE INSERT ON checkpoints
WHEN EXISTS (SELECT 1 FROM writes WHERE channel = '{key}')
AND NOT EXISTS (SELECT 1 FROM writes WHERE channel = 'question')
BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END
"""
STOPPED_ONCE_READ = """
CREATE TRIGGER stopped AFTER INSERT ON events
WHEN NEW.node = 'extract' AND NEW.kind = 'finished'
BEGIN UPDATE sessions SET asked = 'stop' WHERE id = NEW.session; END
"""
STOPPED_AS_IT_IS_LEFT = """
CREATE TRIGGER stopped AFTER UPDATE OF status ON sessions
WHEN OLD.asked = 'pause' AND NEW.status = 'unfinished'
BEGIN UPDATE sessions SET asked = 'stop' WHERE id = NEW.id; END
"""


async def test_a_failed_run_keeps_what_was_found(
    sessions: Sessions, question: Question, faults: list[Exception | None], log: list[str]
) -> None:
    faults += [None, None, LASTING_FAULT]
    id = await sessions.start(question, FORAGER, "scripted")
    report = await sessions.run(id)
    assert report.status == "failed"
    assert report.error == "The page is gone. Ask another site."
    assert [item.id for item in report.evidence] == ["E1.1", "E1.2"]
    assert report.open == ("The rest",)
    assert json.loads(report.model_dump_json())["error"] == report.error
    again = await sessions.run(id)
    assert again.status == "answered"
    assert again.error == ""
    assert len(set(log)) == len(log)


@IN_FILES
async def test_a_failing_branch_does_not_stop_the_others(
    sessions: Sessions, question: Question, faults: list[Exception | None]
) -> None:
    faults += [None, None, None, LASTING_FAULT]
    id = await sessions.start(question, FANNED, "scripted")
    report = await sessions.run(id)
    assert report.status == "failed"
    assert [item.url for item in report.evidence] == [
        f"http://127.0.0.1:1/{arm}/0" for arm in range(3)
    ]
    assert report.spent.actions >= 3
    assert (await sessions.run(id)).status == "answered"


@pytest.mark.parametrize(
    ("spec", "node"), [(FORAGER, "judge"), (FANNED, "expedition/aggregate")], ids=["flat", "fanned"]
)
@IN_FILES
async def test_a_stopped_run_answers_from_what_it_has(
    sessions: Sessions, question: Question, spec: GraphSpec, node: str
) -> None:
    id = await sessions.start(question, spec, "scripted")
    task = await running_until(sessions, id, node)
    assert (await sessions.stop(id)).status in {"running", "partial"}
    report = await task
    assert report.status == "partial"
    assert report.citations
    assert len(report.visited) == report.spent.actions < 6
    assert len({item.url for item in report.evidence}) == len(report.evidence)
    assert await sessions.run(id) == report


@IN_FILES
async def test_what_a_stopped_run_has_just_read_is_in_its_answer(
    sessions: Sessions, question: Question, tmp_path: Path
) -> None:
    id = await sessions.start(question, FORAGER, "scripted")
    with closing(sqlite3.connect(tmp_path / "sessions.sqlite")) as other:
        other.execute(STOPPED_ONCE_READ)
    report = await sessions.run(id)
    assert report.status == "partial"
    assert [item.id for item in report.evidence] == ["E1.1"]
    assert [item.id for item in report.citations] == ["E1.1"]


async def test_an_interrupted_session_can_be_stopped_too(
    sessions: Sessions, question: Question
) -> None:
    id = await sessions.start(question, FORAGER, "scripted")
    report = await sessions.stop(id)
    assert report.status == "partial"
    assert report.answer == "The site does not say."


async def _survey_for_ever(state: State, ports: Ports, params: Frozen) -> Update:
    await asyncio.Event().wait()
    return {}


async def test_a_node_that_outlasts_the_seconds_is_abandoned(
    tmp_path: Path, question: Question
) -> None:
    surveyor = replace(REGISTRY["surveyor"], function=_survey_for_ever, abortable=True)
    types = {**REGISTRY, "surveyor": surveyor}
    short = question.model_copy(update={"budget": Budget(seconds=0.001)})
    async with open_sessions(alone(tmp_path), ports_with([], []), types) as sessions:
        report = await sessions.run(await sessions.start(short, FORAGER, "scripted"))
    assert report.status == "partial"
    assert report.reason == "The budget of seconds is spent. No page was read."
    assert report.spent.seconds > GRACE_SECONDS


@pytest.mark.parametrize(
    ("spec", "node"), [(FORAGER, "judge"), (FANNED, "expedition/aggregate")], ids=["flat", "fanned"]
)
@IN_FILES
async def test_a_paused_run_goes_on_where_it_was(
    sessions: Sessions, question: Question, log: list[str], spec: GraphSpec, node: str
) -> None:
    id = await sessions.start(question, spec, "scripted")
    task = await running_until(sessions, id, node)
    await sessions.pause(id)
    paused = await task
    assert paused.status == "paused"
    assert paused.evidence
    report = await sessions.run(id)
    assert report.status == "answered"
    assert len(report.visited) == sum(line.startswith("open") for line in log)
    assert len(set(log)) == len(log)


async def test_a_session_that_was_paused_as_it_waited_for_a_worker_does_not_begin(
    sessions: Sessions, question: Question, log: list[str]
) -> None:
    id = await sessions.start(question, FORAGER, "scripted")
    with hold_lease(sessions.context.leases, queue_lease(id)):
        await sessions.pause(id)
        await sessions.run(id)
    assert (await sessions.show(id)).status == "paused"
    assert log == []
    assert (await sessions.run(id)).status == "answered"


@IN_FILES
async def test_a_stop_that_comes_while_a_run_pauses_is_not_lost(
    sessions: Sessions, question: Question, tmp_path: Path
) -> None:
    id = await sessions.start(question, FORAGER, "scripted")
    task = await running_until(sessions, id, "judge")
    await sessions.pause(id)
    with closing(sqlite3.connect(tmp_path / "sessions.sqlite")) as other:
        other.execute(STOPPED_AS_IT_IS_LEFT)
    report = await task
    assert report.status == "partial"
    assert report.citations
    assert (await sessions.get(id)).asked == ""


@pytest.mark.parametrize("key", ["draw", "answer"])
@IN_FILES
async def test_what_a_node_wrote_before_its_checkpoint_failed_is_taken_over(
    sessions: Sessions, question: Question, tmp_path: Path, key: str
) -> None:
    id = await sessions.start(question, FORAGER, "scripted")
    await sessions.show(id)
    with closing(sqlite3.connect(tmp_path / "checkpoints.sqlite")) as other:
        other.execute(DISK_IS_FULL.format(key=key))
        failed = await sessions.run(id)
        other.execute("DROP TRIGGER full")
    assert "The disk is full" in failed.error
    assert (await sessions.run(id)).status == "answered"
    done = [each.node for each in await sessions.events(id) if each.kind == "finished"]
    assert done.count("answer") == 1
    assert done.count("select") == (question.budget.rounds or 0) + 1


@IN_FILES
async def test_one_run_at_a_time(sessions: Sessions, question: Question) -> None:
    id = await sessions.start(question, FORAGER, "scripted")
    task = await running_until(sessions, id, "select")
    assert (await sessions.show(id)).status == "running"
    with pytest.raises(SessionError, match="is running in another process"):
        await sessions.run(id)
    with pytest.raises(
        SessionError, match=f"is running in another process.*forager history {id}.*Ctrl-C"
    ):
        await sessions.follow(id, "And the other one?")
    assert (await task).status == "answered"


@IN_FILES
async def test_events_are_numbered_and_watched(sessions: Sessions, question: Question) -> None:
    id = await sessions.start(question, FORAGER, "scripted")
    task = await running_until(sessions, id, "survey")
    watched = [event async for event in sessions.watch(id)]
    await task
    kept = await sessions.events(id)
    assert kept[: len(watched)] == tuple(watched)
    assert [event.seq for event in kept] == list(range(1, len(kept) + 1))
    assert kept[0].kind == "begun"
    assert await sessions.events(id, after=len(kept) - 1) == kept[-1:]


async def test_sessions_run_side_by_side(sessions: Sessions, question: Question) -> None:
    ids = [await sessions.start(question, spec, "scripted") for spec in (FORAGER, FANNED) * 2]
    reports = await asyncio.gather(*(sessions.run(id) for id in ids))
    assert [report.session for report in reports] == ids
    assert {report.status for report in reports} == {"answered"}
    assert reports[0].evidence == reports[2].evidence
    assert reports[1].evidence == reports[3].evidence


async def test_a_run_goes_on_when_its_database_starts_anew(
    postgres_server: PostgresServer, tmp_path: Path, question: Question, log: list[str]
) -> None:
    server = postgres_server.make_database()
    settings = alone(tmp_path).model_copy(update={"database_url": SecretStr(server.url)})
    restarts: list[threading.Thread] = []

    def restart(event: Event) -> None:
        if (event.node, event.kind) == ("act", "finished") and not restarts:
            postgres_server.stop()
            restarts.append(threading.Thread(target=postgres_server.start))
            restarts[0].start()

    async with open_sessions(settings, ports_with(log, []), REGISTRY) as sessions:
        id = await sessions.start(question, FORAGER, "scripted")
        report = await sessions.run(id, restart)
        restarts[0].join()
        assert (report.status, report.error) == ("answered", "")
        assert len(set(log)) == len(log)  # nothing was read or asked twice
        assert await sessions.show(id) == report
    forget_server(server)
