"""What the server and the pages share: two desks, the runs on their way, and the API's token."""

import secrets
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

from forager.errors import ForagerError
from forager.settings import Settings
from graphs.sessions import Report, elsewhere
from ui.server import handbook, token
from ui.server.desk import Desk
from ui.server.who import ANYBODY, Who


@dataclass(frozen=True)
class Office:
    """`runs` is where graphs run; `desk` answers everything else, and is never kept waiting.

    `handbook` is where the handbook is served for as long as the office is open.
    """

    settings: Settings
    runs: Desk
    desk: Desk
    who: Who
    handbook: str
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24), repr=False)
    closing: threading.Event = field(default_factory=threading.Event)
    _going: dict[str, Future[Report]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def run(self, id: str) -> None:
        """Let a session run here until its end, a pause or a stop; one that runs is left alone."""
        with self._lock:
            going = self._going.get(id)
            if going is None or going.done():
                self._going[id] = self.runs.begin(
                    lambda sessions: sessions.run(id, decide=elsewhere)
                )

    def running(self) -> tuple[str, ...]:
        """The sessions that run in this process."""
        with self._lock:
            return tuple(id for id, going in self._going.items() if not going.done())

    def fault(self, id: str) -> str:
        """Why a run of this process could not be begun or ended, in words; else empty."""
        with self._lock:
            going = self._going.get(id)
        if going is None or not going.done() or going.cancelled():
            return ""
        error = going.exception()
        return str(error) if isinstance(error, ForagerError) else repr(error) if error else ""


_OPEN: list[Office] = []


@contextmanager
def opened(settings: Settings, who: Who = ANYBODY) -> Iterator[Office]:
    """The office of this process, for as long as the body runs."""
    with ExitStack() as stack:
        site = stack.enter_context(handbook.kept(settings.data))
        ours = handbook.permitted(settings, site)
        desk, runs = (stack.enter_context(Desk(ours, name)) for name in ("desk", "runs"))
        office = Office(settings=settings, runs=runs, desk=desk, who=who, handbook=site)
        _OPEN.append(office)
        try:
            with token.written(settings.data, office.token):
                yield office
        finally:
            _OPEN.remove(office)


def here() -> Office:
    """The office that is open in this process."""
    return _OPEN[-1]
