"""What a worker of the cluster does: runs a session from its last checkpoint.

The sessions of a data folder stay open between the tasks of a process.
"""

import asyncio
import socket
import time
from contextlib import AsyncExitStack
from functools import partial
from typing import Final, NamedTuple

from forager import errors
from forager.adapters.store.leases import is_held
from forager.errors import ClusterError, ForagerError, NoSessionError
from forager.settings import Settings
from forager.util.log_file import keep_log
from graphs.cluster.browser_pool import borrow_browser
from graphs.runtime.approvals import leave_to_others, refuse_all
from graphs.runtime.composition import open_adapters
from graphs.runtime.halts import NO_HALTS, Halts
from graphs.sessions.service import Sessions, open_sessions

OF_MACHINE: Final = (
    *("chromium", "no_sandbox", "browser_url", "browser_proxy", "log", "own_nodes_folder"),
    *("secrets", "tools", "otlp_endpoint"),
)
"""Settings that a worker's own environment may set; the others are those of who asks."""
LEASE_SECONDS = 45.0
"""How long the lease of a worker that died is waited for; a database finds out within 25 s."""
LOOK_SECONDS = 0.2


class SessionJob(NamedTuple):
    """A session to be run; `attempt` counts the workers that died before."""

    id: str
    settings: Settings
    halts: Halts = NO_HALTS
    refuses: bool = True
    """Whether approval requests are refused at once, as nobody answers them."""
    attempt: int = 0


class JobOutcome(NamedTuple):
    """The error that the run raised, by the name of its class; empty if it came to a report."""

    error: str = ""
    what: str = ""
    mend: str = ""


def settings_here(given: Settings) -> Settings:
    """The settings of who asks, with what the environment of this worker says of its machine.

    Its data folder counts where sessions are on a server; else the files are those of who asks. An
    account's space has a folder of its own in it, and no secrets of the machine.
    """
    own = Settings()
    names = (*OF_MACHINE, "data") if given.database_url else OF_MACHINE
    here = {name: getattr(own, name) for name in names if name in own.model_fields_set}
    if given.space:
        here.pop("secrets", None)
        if "data" in here:
            here["data"] = here["data"] / given.space
    return given.model_copy(update={**here, "ray": ""})


def plain_kind(error: ForagerError) -> str:
    """The nearest class of an error that is made of what happened and how to mend it alone."""
    return next(
        kind.__name__
        for kind in type(error).__mro__
        if kind.__module__ == errors.__name__ and kind.__init__ is ForagerError.__init__  # type: ignore[misc]
    )


class SessionHost:
    """The sessions of a worker process, in an event loop that runs during a task."""

    def __init__(self) -> None:
        self._runner = asyncio.Runner()
        self._stack = AsyncExitStack()
        self._given: Settings | None = None
        self._sessions: Sessions | None = None

    def run(self, job: SessionJob) -> JobOutcome:
        """Run a session to its end, or until it pauses; a cancelled task leaves it resumable."""
        try:
            self._runner.run(self._run(job))
        except ForagerError as error:
            return JobOutcome(plain_kind(error), error.what, error.mend)
        return JobOutcome()

    async def _run(self, job: SessionJob) -> None:
        sessions = await self._open(job.settings)
        if job.attempt:
            await _await_lease(sessions, job.id)
        decide = refuse_all if job.refuses else leave_to_others
        try:
            await sessions.run(job.id, decide=decide, halts=job.halts)
        except NoSessionError as error:
            raise ClusterError(
                f"The worker on {socket.gethostname()} does not see session {job.id!r}.",
                "Workers on other machines need FORAGER_DATABASE_URL, or the same data folder.",
            ) from error

    async def _open(self, given: Settings) -> Sessions:
        """The sessions of these settings, opened anew where those of the last task differ."""
        if self._sessions is None or given != self._given:
            await self._stack.aclose()
            self._sessions, self._given = None, given
            settings = settings_here(given)
            keep_log(settings.data, "DEBUG" if settings.log == "DEBUG" else "INFO")
            adapters = partial(open_adapters, borrow_browser=borrow_browser)
            opened = open_sessions(settings, adapters)
            self._sessions = await self._stack.enter_async_context(opened)
        return self._sessions


async def _await_lease(sessions: Sessions, id: str) -> None:
    """Wait until the lease of a worker that died has ended with it."""
    end = time.monotonic() + LEASE_SECONDS
    while time.monotonic() < end:
        if not await asyncio.to_thread(is_held, sessions.context.leases, id):
            return
        await asyncio.sleep(LOOK_SECONDS)


_HOSTS: list[SessionHost] = []


def run_job(job: SessionJob) -> JobOutcome:
    """The task: run a session in this process of the cluster."""
    if not _HOSTS:
        _HOSTS.append(SessionHost())
    return _HOSTS[0].run(job)
