"""What the server and the pages share: two session workers, the runs, and the API's token."""

import logging
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from selectors import BaseSelector

from forager.errors import ForagerError, StoreError
from forager.settings import Settings
from forager.util.telemetry import observe_queue
from graphs.cluster.session_runs import run_as_set, stop_as_set
from graphs.runtime.composition import share_memory
from graphs.runtime.halts import NO_HALTS, Halts
from graphs.sessions.service import Report, Sessions, leave_to_others
from graphs.system.deletion import refuse_running
from graphs.system.retention import Cleaned, clean_as_set
from ui.server.access.api_token import ApiToken
from ui.server.access.visitors import ANYBODY, Visitors
from ui.server.batches import Batches
from ui.server.examples.example_sites import HANDBOOK, ExampleSite, serve_examples
from ui.server.graph_trials import GraphTrials
from ui.server.handbook.handbook_site import permit_sites, serve_handbook
from ui.server.pending_deletions import Deletion, PendingDeletions
from ui.server.run_metrics import RunMetrics
from ui.server.session_worker import Result, SessionCall, SessionWorker

LOG = logging.getLogger(__name__)
DELETE_SECONDS = 1.5
"""How long the end of the server waits for the deletions that can still be undone."""
KEPT_FAULTS = 200
"""The number of faults of runs, the newest, that are kept to be shown."""


@dataclass
class Backend:
    """`runs` is where graphs run; `sessions` answers everything else, and is never kept waiting.

    `handbook` and `examples` are where the sites that ship with Forager are served while the
    backend is open; `starting` are the sessions whose run was asked for and has not begun. `opened`
    tells this backend from that of an earlier server.
    """

    settings: Settings
    runs: SessionWorker
    sessions: SessionWorker
    visitors: Visitors
    handbook: str
    examples: Mapping[ExampleSite, str]
    starting: set[str]
    api_token: ApiToken = field(repr=False)
    opened: float = field(default_factory=time.time)
    closing: threading.Event = field(default_factory=threading.Event)
    trials: GraphTrials = field(default_factory=GraphTrials)
    metrics: RunMetrics = field(default_factory=RunMetrics)
    deletions: PendingDeletions = field(init=False)
    batches: Batches = field(init=False)
    _active: dict[str, Future[Report]] = field(default_factory=dict)
    _next: dict[str, SessionCall[Report]] = field(default_factory=dict)
    _faults: dict[str, str] = field(default_factory=dict)
    _paused_early: set[str] = field(default_factory=set)
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def __post_init__(self) -> None:
        self.deletions = PendingDeletions(self.sessions.submit)
        self.batches = Batches(self.settings, self.runs, self.sessions, self.metrics, self.closing)

    @property
    def token(self) -> str:
        """The server's own token, for programs of the user who runs it."""
        return self.api_token.value

    @property
    def own_sites(self) -> dict[str, str]:
        """The names of the sites that ship with Forager, by address."""
        return {self.handbook: HANDBOOK} | {
            root: site.title for site, root in self.examples.items()
        }

    def accepts_token(self, given: str) -> bool:
        """Whether a call with this token is answered; a changed password ends all tokens."""
        with self._lock:
            if self.visitors.renew():
                self._renew_token()
        return self.api_token.is_token(given) or self.visitors.accepts_token(given)

    def run(self, id: str, halts: Halts = NO_HALTS) -> None:
        """Run a session, here or on the cluster, until it ends, pauses, halts or is stopped.

        If it is running already, it is resumed when that run ends.
        """
        with self._lock:
            self.starting.add(id)
            work = self._counted(
                id,
                lambda to: run_as_set(
                    to, id, lambda _: self._mark_begun(id), leave_to_others, halts
                ),
            )
            self._start(id, work)

    def runs_here(self, id: str) -> bool:
        """Whether the session runs in this process."""
        with self._lock:
            return id in self._active

    def pause(self, id: str) -> Future[None]:
        """Pause a session after its present node. The future raises SessionError."""
        with self._lock:
            if self._next.pop(id, None):
                self.starting.discard(id)
            if id in self.starting:
                self._paused_early.add(id)
        return self.sessions.submit(lambda sessions: sessions.pause(id))

    def stop(self, id: str) -> None:
        """End a session with what there is, also one that does not run or is just pausing."""
        with self._lock:
            if id in self._active:
                self.sessions.submit(lambda sessions: sessions.request_stop(id))
            self._start(id, self._counted(id, lambda sessions: stop_as_set(sessions, id)))

    def delete(self, deletion: Deletion) -> None:
        """Delete a session after the seconds in which that can be undone.

        Raises SessionError while it runs and for another user's.
        """
        self.sessions.call(lambda sessions: refuse_running(sessions, deletion.id))
        self.deletions.ask(deletion)

    def renew(self, settings: Settings) -> None:
        """Use these settings from now on; what runs keeps its own."""
        permitted = permit_sites(settings, self.own_sites)
        for worker in (self.sessions, self.runs):
            worker.call(lambda sessions: sessions.context.change_settings(permitted))
        self.settings = settings

    def running(self) -> tuple[str, ...]:
        """The sessions that run in this process, rows of batches too."""
        with self._lock:
            active = tuple(self._active)
        return (*active, *self.batches.under_way())

    def fault(self, id: str) -> str:
        """Why the last run of a session here could not start or end; empty if it could."""
        with self._lock:
            return self._faults.get(id, "")

    def _counted(self, id: str, work: SessionCall[Report]) -> SessionCall[Report]:
        """Work on a session that counts what it has spent."""

        async def run(sessions: Sessions) -> Report:
            before = await sessions.show(id)
            after = await work(sessions)
            self.metrics.count_run(before, after)
            return after

        return run

    def _renew_token(self) -> None:
        try:
            self.api_token.renew()
        except StoreError as error:
            LOG.error("the new API token could not be kept: %s", error)

    def _mark_begun(self, id: str) -> None:
        """A run that reports something has begun."""
        with self._lock:
            self.starting.discard(id)
            if id in self._paused_early:
                self._paused_early.discard(id)
                self.pause(id)

    def _start(self, id: str, work: SessionCall[Report]) -> None:
        with self._lock:
            if id in self._active:
                self._next[id] = work
                return
            self._faults.pop(id, None)
            self._active[id] = run = self.runs.submit(work)
            run.add_done_callback(lambda ended: self._finish(id, ended))

    def _finish(self, id: str, ended: Future[Report]) -> None:
        """Keep only the error of a run; the rest is in the store."""
        error = None if ended.cancelled() else ended.exception()
        with self._lock:
            self._active.pop(id, None)
            following = self._next.pop(id, None)
            if following is None or ended.cancelled():
                self.starting.discard(id)
                self._paused_early.discard(id)
            if error is not None:
                self.metrics.count_error(error)
                LOG.error("session %s could not be run: %s", id, type(error).__name__)
                self._faults[id] = str(error) if isinstance(error, ForagerError) else repr(error)
            if len(self._faults) > KEPT_FAULTS:
                del self._faults[next(iter(self._faults))]
            if following is not None and not ended.cancelled():
                self._start(id, following)
            if not (self._active or ended.cancelled() or self.closing.is_set()):
                self.sessions.submit(clean_as_set).add_done_callback(_log_failure)


def _log_failure(cleaned: Future[Cleaned]) -> None:
    """Tell in the log why the clean-up after a run failed."""
    if not cleaned.cancelled() and (error := cleaned.exception()):
        LOG.error("what the settings let go could not be deleted: %s", error)


_OPEN: list[Backend] = []


@contextmanager
def open_backend(
    settings: Settings, visitors: Visitors = ANYBODY, selector: BaseSelector | None = None
) -> Iterator[Backend]:
    """The backend of this process, during the body; `selector` is for the runs' event loop."""
    with ExitStack() as stack:
        stack.enter_context(share_memory(settings))
        handbook = stack.enter_context(serve_handbook(settings.data))
        examples = stack.enter_context(serve_examples(settings.data))
        permitted = permit_sites(settings, (handbook, *examples.values()))
        starting: set[str] = set()
        observe_queue(lambda: len(starting))
        desk = stack.enter_context(SessionWorker(permitted, "desk", starting=starting))
        runs = stack.enter_context(SessionWorker(permitted, "runs", selector, starting))
        token = ApiToken(settings.data)
        backend = Backend(settings, runs, desk, visitors, handbook, examples, starting, token)
        _OPEN.append(backend)
        try:
            with backend.api_token.kept():
                backend.batches.continue_all()
                yield backend
        finally:
            backend.deletions.finish(DELETE_SECONDS)
            _OPEN.remove(backend)


def get_backend() -> Backend:
    """The backend that is open in this process."""
    return _OPEN[-1]


def find_backend() -> Backend | None:
    """The backend that is open in this process, if one is."""
    return _OPEN[-1] if _OPEN else None


async def call_sessions(work: SessionCall[Result]) -> Result:
    """Run a call on the sessions, for a coroutine of the server."""
    return await get_backend().sessions.call_async(work)
