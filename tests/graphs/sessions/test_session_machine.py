"""Sessions in any order of deeds, by two handles and a second process: nothing lost or twice."""

import asyncio
import sqlite3
import tempfile
from contextlib import AsyncExitStack, closing
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    multiple,
    rule,
)

from forager.domain.state import Question
from forager.errors import NoSessionError, SessionError
from graphs.reports.report import Report
from graphs.reports.stored_pages import open_blobs
from graphs.runtime.steers import Steer
from graphs.sessions.service import Sessions, open_sessions
from graphs.system.data_check import check_data
from graphs.system.retention import clean_data, sweep_leftovers
from tests.graphs.conftest import FORAGER, SMALL
from tests.graphs.partial_runs import running_until
from tests.graphs.scripted import REGISTRY
from tests.graphs.scripted_ports import alone
from tests.graphs.sessions.second_process import SecondProcess, storing

ASKED = Question(text="Which emperor?", sites=("http://127.0.0.1:1/",), budget=SMALL["budget"])
HANDLES = st.sampled_from([0, 1])
NODES = st.sampled_from(["survey", "select", "navigate", "judge"])
HINT = "Look at the list."
ANSWER = "Said there [E1.1]. Said there [E1.2]. Said there [E2.1]."
VISITED = [f"http://127.0.0.1:1/{round}/{step}" for round in (0, 1) for step in (0, 1)]
ONCE = ("interpret", "answer")
"""Nodes that a turn runs once, however often it is left: no run is left at them."""


def ended_whole(report: Report) -> bool:
    """Whether a turn has visited every page once, and answers as if it had never been left."""
    visited = [page.url for page in report.visited]
    return (report.status, report.answer, visited) == ("answered", ANSWER, VISITED)


def told(report: Report) -> dict[str, object]:
    """What a copy tells as its original does; a copy that did not end waits to be resumed."""
    status = report.status if report.status == "answered" else ""
    return {**report.model_dump(exclude={"session", "model"}), "status": status}


class SessionMachine(RuleBasedStateMachine):
    """What the sessions must be stands in `turns`: how many each has."""

    ids = Bundle("ids")

    @initialize()
    def open(self) -> None:
        """A fresh folder, opened twice."""
        self.folder = tempfile.TemporaryDirectory()
        self.runner = asyncio.Runner()
        self.turns: dict[str, int] = {}
        self.pinned: set[str] = set()
        self.handles: list[tuple[AsyncExitStack, Sessions]] = []
        for _ in range(2):
            self.handles.append(self.runner.run(self._opened()))
        self.other = SecondProcess(self.folder.name)

    async def _opened(self) -> tuple[AsyncExitStack, Sessions]:
        stack = AsyncExitStack()
        place = alone(Path(self.folder.name))
        return stack, await stack.enter_async_context(open_sessions(place, storing, REGISTRY))

    def teardown(self) -> None:
        """Close all; every step, page and quote can be read, and nothing is left of others."""
        if hasattr(self, "runner"):
            self.other.close()
            check = self.runner.run(check_data(self.handles[0][1], self.turns))
            for stack, _ in self.handles:
                self.runner.run(stack.aclose())
            self.runner.close()
            self.folder.cleanup()
            assert check.faults == ()

    @rule(target=ids, handle=HANDLES)
    def start(self, handle: int) -> str:
        """A new session, not yet run."""
        sessions = self.handles[handle][1]
        id = self.runner.run(sessions.start(ASKED, FORAGER, "scripted"))
        self.turns[id] = 1
        return id

    @rule(id=ids, handle=HANDLES)
    def resume(self, id: str, handle: int) -> None:
        """Run it to its end, or show it if it has come there."""
        assert ended_whole(self.runner.run(self.handles[handle][1].run(id)))

    @rule(id=ids, handle=HANDLES, node=NODES)
    def pause(self, id: str, handle: int, node: str) -> None:
        """Pause it at a node that it may never reach."""
        self.runner.run(self._leave(id, handle, node, kill=False))

    @rule(id=ids, handle=HANDLES, node=NODES)
    def kill(self, id: str, handle: int, node: str) -> None:
        """Cancel its run in the middle, and open the folder anew."""
        self.runner.run(self._leave(id, handle, node, kill=True))
        self.runner.run(self.handles[handle][0].aclose())
        self.handles[handle] = self.runner.run(self._opened())

    async def _leave(self, id: str, handle: int, node: str, *, kill: bool) -> None:
        sessions = self.handles[handle][1]
        if (await sessions.get(id)).status != "unfinished":
            return
        task = await running_until(sessions, id, node)
        if kill:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        else:
            await sessions.pause(id)
            assert (await task).status in {"paused", "answered"}

    @rule(id=ids)
    def resume_elsewhere(self, id: str) -> None:
        """The second process runs it to its end."""
        assert self.other.run(id) == "answered"
        assert ended_whole(self.runner.run(self.handles[0][1].show(id)))

    @rule(id=ids, node=NODES)
    def kill_elsewhere(self, id: str, node: str) -> None:
        """The second process is killed at a node, if the run comes there."""
        assert self.other.run(id, node) in {"killed", "answered"}

    @rule(handle=HANDLES)
    def sweep(self, handle: int) -> None:
        """Blobs that no session names go; those of the others stay."""
        self.runner.run(sweep_leftovers(self.handles[handle][1]))

    @rule(id=ids, handle=HANDLES)
    def steer(self, id: str, handle: int) -> None:
        """A hint, which one that has ended refuses."""
        sessions = self.handles[handle][1]
        ended = self.runner.run(sessions.get(id)).status != "unfinished"
        try:
            self.runner.run(sessions.steering.steer(id, Steer(hint=HINT)))
        except SessionError:
            assert ended
            return
        assert not ended
        other = self.handles[1 - handle][1]
        assert HINT in self.runner.run(other.get(id)).question.hints

    @rule(id=ids, handle=HANDLES)
    def follow(self, id: str, handle: int) -> None:
        """A next turn; one that has not ended refuses it."""
        sessions = self.handles[handle][1]
        ended = self.runner.run(sessions.get(id)).status != "unfinished"
        try:
            self.runner.run(sessions.follow(id, "And his wife?"))
        except SessionError:
            assert not ended
            return
        self.turns[id] += 1

    @rule(target=ids, id=ids, handle=HANDLES)
    def fork(self, id: str, handle: int) -> object:
        """A session from the middle of another; one without steps has none."""
        sessions = self.handles[handle][1]
        points = self.runner.run(sessions.history.checkpoints(id))
        if len(points) < 4:
            return multiple()
        made = self.runner.run(sessions.forks.fork(id, points[len(points) // 2].number))
        self.turns[made] = self.turns[id]
        assert len(self.runner.run(sessions.history.checkpoints(made))) < len(points)
        return made

    @rule(target=ids, id=ids, handle=HANDLES)
    def copy(self, id: str, handle: int) -> str:
        """Export it by one handle and import it by the other: the copy tells the same."""
        here, there = self.handles[handle][1], self.handles[1 - handle][1]
        data = self.runner.run(here.export(id, "zip"))
        made = self.runner.run(there.archive.import_zip(data))
        assert made not in self.turns
        self.turns[made] = self.turns[id]
        self._compare(here, id, there, made)
        return made

    def _compare(self, here: Sessions, id: str, there: Sessions, made: str) -> None:
        events = self.runner.run(here.events(id))
        copied = self.runner.run(there.events(made))[: len(events)]
        assert copied == tuple(each.model_copy(update={"session": made}) for each in events)
        for turn in range(1, self.turns[id] + 1):
            steps = self.runner.run(here.history.checkpoints(id, turn=turn))
            again = self.runner.run(there.history.checkpoints(made, turn=turn))
            assert [each.number for each in again] == [each.number for each in steps]
        report = self.runner.run(here.show(id))
        assert told(self.runner.run(there.show(made))) == told(report)

    @rule(id=ids, handle=HANDLES)
    def move(self, id: str, handle: int) -> None:
        """Export, delete and import it: it has its ID, its turns and its pages again."""
        here, there = self.handles[handle][1], self.handles[1 - handle][1]
        before = told(self.runner.run(here.show(id)))
        data = self.runner.run(here.export(id, "zip"))
        self.runner.run(here.delete(id))
        self.runner.run(sweep_leftovers(here))
        assert self.runner.run(there.archive.import_zip(data)) == id
        self.pinned.discard(id)
        assert told(self.runner.run(there.show(id))) == before
        assert self.runner.run(check_data(there, self.turns)).faults == ()
        past = self.runner.run(there.context.store()).list_turns(id)
        with open_blobs(there.context.settings) as blobs:
            quoted = {item.passage.blob for turn in past for item in turn.evidence}
            assert blobs.find_missing(quoted) == frozenset()

    @rule(id=consumes(ids), handle=HANDLES)
    def delete(self, id: str, handle: int) -> None:
        """It is gone for both handles."""
        self.runner.run(self.handles[handle][1].delete(id))
        self._drop(id)

    def _drop(self, id: str) -> None:
        del self.turns[id]
        self.pinned.discard(id)
        check = self.runner.run(check_data(self.handles[0][1], self.turns))
        assert check.faults == ()
        for _, sessions in self.handles:
            try:
                self.runner.run(sessions.show(id))
            except NoSessionError:
                continue
            raise AssertionError(f"{id} is still there")

    @rule(id=ids, handle=HANDLES)
    def pin(self, id: str, handle: int) -> None:
        """It is kept from then on."""
        self.runner.run(self.handles[handle][1].listing.pin(id, pinned=True))
        self.pinned.add(id)

    @rule(target=ids, id=consumes(ids), handle=HANDLES)
    def expire(self, id: str, handle: int) -> object:
        """It grows old and the folder is cleaned: it is gone unless it is pinned."""
        with closing(sqlite3.connect(Path(self.folder.name) / "sessions.sqlite")) as file, file:
            file.execute("UPDATE sessions SET changed = 0 WHERE id = ?", (id,))
        cleaned = self.runner.run(clean_data(self.handles[handle][1], days=1))
        if id in self.pinned:
            assert cleaned.sessions == ()
            return id
        assert cleaned.sessions == (id,)
        self._drop(id)
        return multiple()

    @invariant()
    def all_are_listed_once_with_their_turns(self) -> None:
        """Both handles list every session once, and can show it; each turn began once at most."""
        for _, sessions in getattr(self, "handles", []):
            listed = self.runner.run(sessions.listing.all())
            assert sorted(each.id for each in listed) == sorted(self.turns)
            for id, turns in self.turns.items():
                report = self.runner.run(sessions.show(id))
                assert len(report.turns) + 1 == turns
                events = self.runner.run(sessions.events(id))
                seen = [event.seq for event in events]
                assert seen == sorted(set(seen))
                assert sum(event.kind == "begun" for event in events) <= turns
                done = [event.node for event in events if event.kind == "finished"]
                assert all(done.count(node) <= turns for node in ONCE)


def test_every_deed_once() -> None:
    """Left in every way and run on, in two turns; then its fork, its copy, itself."""
    machine = SessionMachine()
    machine.open()
    try:
        first = str(machine.start(0))
        machine.steer(first, 1)
        machine.pause(first, 0, "survey")
        assert machine.runner.run(machine.handles[1][1].show(first)).status == "paused"
        machine.kill(first, 1, "judge")
        machine.kill_elsewhere(first, "navigate")
        machine.resume(first, 0)
        machine.follow(first, 0)
        machine.move(first, 1)  # nothing but its first turn names pages
        machine.pause(first, 1, "judge")
        forked, copied = machine.fork(first, 0), machine.copy(first, 0)
        machine.all_are_listed_once_with_their_turns()
        for each in (forked, copied):
            machine.resume(str(each), 1)
        machine.resume_elsewhere(first)
        again = machine.fork(first, 1)
        machine.resume(str(again), 0)
        machine.all_are_listed_once_with_their_turns()
        for each in (again, forked):
            machine.delete(str(each), 0)
        machine.pin(first, 0)
        machine.expire(first, 1)
        machine.expire(copied, 1)
        machine.sweep(0)
        machine.move(first, 1)  # now nothing else names its pages
        machine.all_are_listed_once_with_their_turns()
    finally:
        machine.teardown()


TestSessions = SessionMachine.TestCase
TestSessions.settings = settings(
    max_examples=settings().max_examples // 33,  # `./run fuzz` makes more
    stateful_step_count=12,
    suppress_health_check=list(HealthCheck),
)
