"""Sessions in any order of deeds, by two handles and a second process: nothing lost or twice."""

import asyncio
import tempfile
from contextlib import AsyncExitStack
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
from forager.errors import SessionError
from graphs.runtime.steers import Steer
from graphs.sessions.service import Sessions, open_sessions
from graphs.system.data_check import check_data
from graphs.system.retention import sweep_leftovers
from tests.graphs.conftest import FORAGER, SMALL
from tests.graphs.partial_runs import running_until
from tests.graphs.scripted import REGISTRY
from tests.graphs.scripted_ports import alone
from tests.graphs.sessions.second_process import SecondProcess, storing

ASKED = Question(text="Which emperor?", sites=("http://127.0.0.1:1/",), budget=SMALL["budget"])
HANDLES = st.sampled_from([0, 1])
NODES = st.sampled_from(["survey", "select", "navigate", "judge"])


class SessionMachine(RuleBasedStateMachine):
    """What the sessions must be stands in `turns`: how many each has."""

    ids = Bundle("ids")

    @initialize()
    def open(self) -> None:
        """A fresh folder, opened twice."""
        self.folder = tempfile.TemporaryDirectory()
        self.runner = asyncio.Runner()
        self.turns: dict[str, int] = {}
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
        report = self.runner.run(self.handles[handle][1].run(id))
        assert report.status in {"answered", "partial", "abstained"}

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
        assert self.other.run(id) in {"answered", "partial", "abstained"}

    @rule(id=ids, node=NODES)
    def kill_elsewhere(self, id: str, node: str) -> None:
        """The second process is killed at a node, if the run comes there."""
        assert self.other.run(id, node) in {"killed", "answered", "partial", "abstained"}

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
            self.runner.run(sessions.steering.steer(id, Steer(hint="Look at the list.")))
        except SessionError:
            assert ended

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
        self.turns[made] = self.runner.run(sessions.get(made)).turn
        return made

    @rule(target=ids, id=ids, handle=HANDLES)
    def copy(self, id: str, handle: int) -> str:
        """Export it by one handle and import it by the other."""
        data = self.runner.run(self.handles[handle][1].export(id, "zip"))
        made = self.runner.run(self.handles[1 - handle][1].archive.import_zip(data))
        assert made not in self.turns
        self.turns[made] = self.turns[id]
        return made

    @rule(id=consumes(ids), handle=HANDLES)
    def delete(self, id: str, handle: int) -> None:
        """It is gone for both handles."""
        self.runner.run(self.handles[handle][1].delete(id))
        del self.turns[id]

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


TestSessions = SessionMachine.TestCase
TestSessions.settings = settings(
    max_examples=5, stateful_step_count=12, suppress_health_check=list(HealthCheck)
)
