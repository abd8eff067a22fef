"""What the server and the pages share: two desks, the runs on their way, and the API's token."""

import secrets
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from selectors import BaseSelector

from forager.errors import ForagerError
from forager.settings import Settings
from graphs.runtime.composition import in_common
from graphs.sessions.service import Report, elsewhere
from ui.server import handbook, token
from ui.server.desk import Desk, Verb
from ui.server.trials import Trials
from ui.server.who import ANYBODY, Who

MOST_FAULTS = 200
"""Faults that are kept to be shown, the newest."""


@dataclass
class Office:
    """`runs` is where graphs run; `desk` answers everything else, and is never kept waiting.

    `handbook` is where the handbook is served for as long as the office is open; `coming` are the
    sessions whose run was asked for and has not begun.
    """

    settings: Settings
    runs: Desk
    desk: Desk
    who: Who
    handbook: str
    coming: set[str]
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24), repr=False)
    closing: threading.Event = field(default_factory=threading.Event)
    trials: Trials = field(default_factory=Trials)
    _going: dict[str, Future[Report]] = field(default_factory=dict)
    _next: dict[str, Verb[Report]] = field(default_factory=dict)
    _faults: dict[str, str] = field(default_factory=dict)
    _held_back: set[str] = field(default_factory=set)
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def run(self, id: str) -> None:
        """Let a session run here until its end, a pause or a stop.

        One that runs is gone on with after that: it may stand already, and only be summed up.
        """
        with self._lock:
            self.coming.add(id)
            self._begin(id, lambda to: to.run(id, lambda _: self._begun(id), elsewhere))

    def pause(self, id: str) -> Future[None]:
        """Leave a session after its present node. The future raises SessionError."""
        with self._lock:
            if self._next.pop(id, None):
                self.coming.discard(id)
            if id in self.coming:
                self._held_back.add(id)
        return self.desk.begin(lambda sessions: sessions.pause(id))

    def stop(self, id: str) -> None:
        """End a session with what there is, also one that does not run or pauses just now."""
        with self._lock:
            if id in self._going:
                self.desk.begin(lambda sessions: sessions.ask_to_stop(id))
            self._begin(id, lambda sessions: sessions.stop(id))

    def renew(self, settings: Settings) -> None:
        """What is begun from now on has these settings; what runs goes on with its own."""
        ours = handbook.permitted(settings, self.handbook)
        for desk in (self.desk, self.runs):
            desk.call(lambda sessions: sessions.renew(ours))
        self.settings = settings

    def running(self) -> tuple[str, ...]:
        """The sessions that run in this process."""
        with self._lock:
            return tuple(self._going)

    def fault(self, id: str) -> str:
        """Why the last run of a session here could not be begun or ended, in words; else empty."""
        with self._lock:
            return self._faults.get(id, "")

    def _begun(self, id: str) -> None:
        """The run tells something, so it is under way."""
        with self._lock:
            self.coming.discard(id)
            if id in self._held_back:
                self._held_back.discard(id)
                self.pause(id)

    def _begin(self, id: str, verb: Verb[Report]) -> None:
        with self._lock:
            if id in self._going:
                self._next[id] = verb
                return
            self._faults.pop(id, None)
            self._going[id] = going = self.runs.begin(verb)
            going.add_done_callback(lambda over: self._over(id, over))

    def _over(self, id: str, over: Future[Report]) -> None:
        """Keep of a run only what went wrong; the rest stands in the store."""
        error = None if over.cancelled() else over.exception()
        with self._lock:
            self._going.pop(id, None)
            then = self._next.pop(id, None)
            if then is None or over.cancelled():
                self.coming.discard(id)
                self._held_back.discard(id)
            if error is not None:
                self._faults[id] = str(error) if isinstance(error, ForagerError) else repr(error)
            if len(self._faults) > MOST_FAULTS:
                del self._faults[next(iter(self._faults))]
            if then is not None and not over.cancelled():
                self._begin(id, then)


_OPEN: list[Office] = []


@contextmanager
def opened(
    settings: Settings, who: Who = ANYBODY, selector: BaseSelector | None = None
) -> Iterator[Office]:
    """The office of this process, for as long as the body runs; `selector` is of the runs' loop."""
    with ExitStack() as stack:
        stack.enter_context(in_common(settings))
        site = stack.enter_context(handbook.kept(settings.data))
        ours = handbook.permitted(settings, site)
        coming: set[str] = set()
        desk = stack.enter_context(Desk(ours, "desk", coming=coming))
        runs = stack.enter_context(Desk(ours, "runs", selector, coming))
        office = Office(settings, runs, desk, who, site, coming)
        _OPEN.append(office)
        try:
            with token.written(settings.data, office.token):
                yield office
        finally:
            _OPEN.remove(office)


def here() -> Office:
    """The office that is open in this process."""
    return _OPEN[-1]
