"""The work of one space: two session workers, the runs, and the API's token."""

import asyncio
import logging
import threading
import time
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import Future
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from forager.accounts import Account
from forager.errors import ForagerError, StoreError
from forager.settings import Settings
from graphs.cluster.session_runs import run_as_set, stop_as_set
from graphs.runtime.halts import NO_HALTS, Halts
from graphs.sessions.service import Report, Sessions, leave_to_others
from graphs.system.accounts.account_limits import AccountAllowance, refuse_more_at_once
from graphs.system.deletion import refuse_running
from graphs.system.retention import Cleaned, clean_as_set
from ui.server.access.account_visitors import Asker, refuse_role
from ui.server.access.api_token import ApiToken
from ui.server.access.visitors import Visitors
from ui.server.batches import Batches
from ui.server.examples.example_sites import HANDBOOK, ExampleSite
from ui.server.graph_trials import GraphTrials
from ui.server.handbook.handbook_site import permit_sites
from ui.server.pending_deletions import Deletion, PendingDeletions, PendingForgets
from ui.server.run_metrics import RunMetrics
from ui.server.session_worker import SessionCall, SessionWorker

LOG = logging.getLogger(__name__)
KEPT_FAULTS = 200
"""The number of faults of runs, the newest, that are kept to be shown."""


@dataclass
class Backend:
    """The work of one account, or of whoever runs the server where there are none.

    `runs` is where graphs run; `sessions` answers everything else, and is never kept waiting.

    `handbook` and `examples` are where the sites that ship with Forager are served while the
    backend is open; `starting` are the sessions whose run was asked for and has not begun. `opened`
    tells this backend from that of an earlier server. `allowance` is what may be spent.
    """

    settings: Settings
    runs: SessionWorker
    sessions: SessionWorker
    visitors: Visitors
    handbook: str
    examples: Mapping[ExampleSite, str]
    starting: set[str]
    api_token: ApiToken = field(repr=False)
    knows_token: Callable[["Backend", str], bool] = field(repr=False)
    account: Account | None = None
    allowance: AccountAllowance | None = None
    opened: float = field(default_factory=time.time)
    closing: threading.Event = field(default_factory=threading.Event)
    trials: GraphTrials = field(default_factory=GraphTrials)
    metrics: RunMetrics = field(default_factory=RunMetrics)
    used: float = field(default_factory=time.monotonic)
    deletions: PendingDeletions = field(init=False)
    forgets: PendingForgets = field(init=False)
    batches: Batches = field(init=False)
    _active: dict[str, Future[Report]] = field(default_factory=dict)
    _next: dict[str, SessionCall[Report]] = field(default_factory=dict)
    _faults: dict[str, str] = field(default_factory=dict)
    _paused_early: set[str] = field(default_factory=set)
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def __post_init__(self) -> None:
        self.deletions = PendingDeletions(self.sessions.submit)
        self.forgets = PendingForgets(lambda: self.settings)
        self.batches = Batches(
            self.settings, self.runs, self.sessions, self.metrics, self.closing, self.enter_run
        )
        self.sessions.call(self._guard_starts)
        self.runs.call(self._guard_paying)

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

    @property
    def author(self) -> str:
        """Who is named as the author of a graph's version."""
        return self.account.name if self.account else self.settings.user

    async def accepts_token(self, given: str) -> bool:
        """Whether calls of this space with this token are still answered."""
        self.touch()
        return await asyncio.to_thread(self.knows_token, self, given)

    def touch(self) -> None:
        """Note that somebody uses this space."""
        self.used = time.monotonic()

    def allow(self, allowance: AccountAllowance) -> None:
        """Apply the limits of an account from now on."""
        self.allowance = allowance
        for worker, guard in ((self.sessions, self._guard_starts), (self.runs, self._guard_paying)):
            worker.call(guard)

    def is_idle(self, seconds: float) -> bool:
        """Whether nothing runs or waits here, and nobody has asked for anything in this time."""
        busy = self.running() or self.trials.is_running() or self.deletions.hidden()
        busy = busy or self.forgets.hidden()
        return not busy and time.monotonic() - self.used > seconds

    def run(self, id: str, halts: Halts = NO_HALTS) -> None:
        """Run a session, here or on the cluster, until it ends, pauses, halts or is stopped.

        If it is running already, it is resumed when that run ends. Raises LimitError.
        """

        async def run(sessions: Sessions) -> Report:
            async with self.enter_run(sessions, id):
                return await run_as_set(
                    sessions, id, lambda _: self._mark_begun(id), leave_to_others, halts
                )

        if not self.runs_here(id):
            self.refuse_beyond_limits()
        with self._lock:
            self.starting.add(id)
            self._start(id, self._counted(id, run))

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

        async def stop(sessions: Sessions) -> Report:
            async with self.enter_run(sessions, id, limited=False):
                return await stop_as_set(sessions, id)

        with self._lock:
            if id in self._active:
                self.sessions.submit(lambda sessions: sessions.request_stop(id))
            self._start(id, self._counted(id, stop))

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

    def refuse_beyond_limits(self) -> None:
        """Raise LimitError if the account may start no further session now, RoleError if none."""
        self._refuse_asking()
        with self._lock:
            refuse_more_at_once(self.account, len(self._active))

    def _refuse_asking(self) -> None:
        if self.account is not None and self.allowance is not None:
            refuse_role(Asker(self.account, self.account.role), "asker")
            self.allowance.refuse_spent()

    @asynccontextmanager
    async def enter_run(
        self, sessions: Sessions, id: str, *, limited: bool = True
    ) -> AsyncIterator[None]:
        """Lower a session's budget to what the account has left, and book what it spends.

        Raises LimitError.
        """
        if self.allowance is None:
            yield
            return
        if limited:
            await self.allowance.limit_budget(sessions, id)
        async with self.allowance.booking(sessions, id):
            yield

    async def _guard_starts(self, sessions: Sessions) -> None:
        sessions.context.admit = self.refuse_beyond_limits

    async def _guard_paying(self, sessions: Sessions) -> None:
        sessions.context.allowance = self.allowance
        sessions.context.admit = self._refuse_asking

    def _counted(self, id: str, work: SessionCall[Report]) -> SessionCall[Report]:
        """Work on a session that counts what it has spent."""

        async def run(sessions: Sessions) -> Report:
            before = await sessions.show(id)
            after = await work(sessions)
            self.metrics.count_run(before, after)
            return after

        return run

    def renew_token(self) -> None:
        """End the server's own token, and write a new one."""
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
