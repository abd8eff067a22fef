"""The door to running a session: in this process, or by a worker of the cluster that is set."""

import asyncio
import logging
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from types import ModuleType
from typing import Any, NoReturn

from forager import errors
from forager.adapters.models.model_lines import recording_folder
from forager.adapters.store.leases import hold_lease, is_taken, queue_lease
from forager.adapters.store.sessions.session_records import PAUSE, UNDER_WAY
from forager.errors import ClusterError, ForagerError, SessionError
from forager.settings import Settings
from graphs.cluster.connection import START, connect, disconnect
from graphs.cluster.session_task import JobOutcome, SessionJob, run_job
from graphs.runtime.approvals import Decide, leave_to_others, refuse_all
from graphs.runtime.halts import NO_HALTS, Halts
from graphs.runtime.run import Watcher
from graphs.sessions.service import ApprovalRow, Event, Report, Sessions

LOG = logging.getLogger(__name__)
ATTEMPTS = 4
"""How many workers may die before a session is left to be resumed."""
RELAY_SECONDS = 0.15
"""How often the events of a session that runs elsewhere are looked for."""
CANCEL_SECONDS = 5.0
"""How long a cancelled task may take to leave its session."""


def ignore_event(event: Event) -> None:
    """A Watcher that does nothing."""


def runs_here(settings: Settings, model: str) -> bool:
    """Whether a session with this model runs in this process, not on a cluster."""
    bound = settings.headed or settings.record or recording_folder(model)
    return not settings.ray or bool(bound)


async def run_as_set(
    sessions: Sessions,
    id: str,
    watcher: Watcher = ignore_event,
    decide: Decide = refuse_all,
    halts: Halts = NO_HALTS,
) -> Report:
    """Run a session as `Sessions.run` does, on the cluster if the settings name one.

    What is bound to this machine runs here: a visible browser, a recording. Raises ClusterError
    where the cluster is away, and leaves the session to be resumed.
    """
    session = await sessions.get(id)
    if runs_here(sessions.context.settings, session.model):
        return await sessions.run(id, watcher, decide, halts)
    if session.status in UNDER_WAY:
        await sessions.context.store_for_owner(id)
        await ClusterRun(sessions, id, watcher, decide, halts).run()
    return await sessions.show(id)


async def stop_as_set(sessions: Sessions, id: str) -> Report:
    """End a session with the best answer so far; a running one ends after its present node."""
    await sessions.request_stop(id)
    if await asyncio.to_thread(is_taken, sessions.context.leases, id):
        return await sessions.show(id)
    return await run_as_set(sessions, id)


@dataclass
class ClusterRun:
    """A session that a worker runs, seen from here: its events are relayed, its requests answered.

    All that is relayed comes from the database, as does what the worker is asked meanwhile.
    """

    sessions: Sessions
    id: str
    watcher: Watcher
    decide: Decide
    halts: Halts
    _after: int = 0
    _asking: dict[str, asyncio.Task[None]] = field(default_factory=dict)

    async def run(self) -> None:
        """Run it, on another worker from the last checkpoint where one dies.

        Raises what the run raises, and ClusterError.
        """
        settings = self.sessions.context.settings
        ray = await asyncio.to_thread(connect, settings.ray)
        if watched := self.watcher is not ignore_event:
            earlier = await self.sessions.events(self.id)
            self._after = earlier[-1].seq if earlier else 0
        relaying = asyncio.create_task(self._relay(watched=watched))
        try:
            with ExitStack() as queue:
                await self._queue(queue)
                outcome = await self._run_on_workers(ray, settings)
        finally:
            relaying.cancel()
            for asked in self._asking.values():
                asked.cancel()
            await asyncio.gather(relaying, *self._asking.values(), return_exceptions=True)
        if watched:
            await self._show_events()
        if outcome.error:
            raise_outcome(outcome)

    async def _queue(self, queue: ExitStack) -> None:
        """Have it seen everywhere that a worker is waited for, unless that is so already.

        A pause that is asked for from now on holds, also where a worker has not begun.
        """
        lease = hold_lease(self.sessions.context.leases, queue_lease(self.id), attempts=1)
        with suppress(SessionError):
            queue.enter_context(lease)
            store = await self.sessions.context.store()
            await asyncio.to_thread(store.set_request, self.id, PAUSE, "")

    async def _run_on_workers(self, ray: ModuleType, settings: Settings) -> JobOutcome:
        refuses = self.decide is refuse_all
        for attempt in range(ATTEMPTS):
            job = SessionJob(self.id, settings, self.halts, refuses, attempt)
            with cluster_errors(ray, settings.ray, self.id):
                try:
                    return await run_on_worker(ray, job)
                except lost_worker_errors(ray) as error:
                    LOG.warning("session %s: its worker died (%s)", self.id, type(error).__name__)
        raise ClusterError(
            f"Session {self.id!r} lost its worker {ATTEMPTS} times.",
            "Look at the memory of the workers, and resume it.",
        )

    async def _relay(self, *, watched: bool) -> None:
        """Show events and ask for approvals, until it is cancelled; a fault is told in the log."""
        asks = self.decide not in (refuse_all, leave_to_others)
        while watched or asks:
            try:
                if watched:
                    await self._show_events()
                if asks:
                    await self._ask_person()
            except ForagerError as error:
                LOG.warning("session %s: %s", self.id, error)
            await asyncio.sleep(RELAY_SECONDS)

    async def _show_events(self) -> None:
        for event in await self.sessions.events(self.id, self._after):
            self._after = event.seq
            self.watcher(event)

    async def _ask_person(self) -> None:
        """Ask here what the run waits for, unless it was answered elsewhere by now."""
        waiting = {each.id: each for each in await self.sessions.approval_requests(self.id)}
        for gone in self._asking.keys() - waiting.keys():
            self._asking.pop(gone).cancel()
        for new in waiting.keys() - self._asking.keys():
            self._asking[new] = asyncio.create_task(self._answer(waiting[new]))

    async def _answer(self, asked: ApprovalRow) -> None:
        yes = await self.decide(asked.plea)
        if yes is not None:
            with suppress(SessionError):
                await self.sessions.decide(self.id, asked.id, yes=yes)


async def run_on_worker(ray: ModuleType, job: SessionJob) -> JobOutcome:
    """The outcome of a task. Raises Ray's errors; a cancelled call cancels the task."""
    submit = _remote_task(ray).options(
        num_cpus=job.settings.ray_cpus,
        max_retries=0,
        scheduling_strategy="SPREAD",
        name=f"forager session {job.id}",
    )
    submitting = asyncio.create_task(asyncio.to_thread(submit.remote, job))
    try:
        running = await asyncio.shield(submitting)
        outcome: JobOutcome = await asyncio.shield(asyncio.wrap_future(running.future()))
    except asyncio.CancelledError:
        with suppress(ConnectionError, ray.exceptions.RayError):
            await _cancel_task(ray, await submitting)
        raise
    return outcome


async def _cancel_task(ray: ModuleType, running: Any) -> None:
    """Cancel a task, and wait until it has left its session."""
    await asyncio.to_thread(ray.cancel, running)
    with suppress(TimeoutError):
        await asyncio.wait_for(asyncio.wrap_future(running.future()), CANCEL_SECONDS)


@cache
def _remote_task(ray: ModuleType) -> Any:
    return ray.remote(run_job)


def lost_worker_errors(ray: ModuleType) -> tuple[type[Exception], ...]:
    """What Ray raises where a worker died, and another may do its work."""
    known = ray.exceptions
    return (known.WorkerCrashedError, known.NodeDiedError, known.OutOfMemoryError)


@contextmanager
def cluster_errors(ray: ModuleType, address: str, id: str) -> Iterator[None]:
    """Tell what Ray raises in the body, but for a lost worker. Raises ClusterError."""
    try:
        yield
    except ray.exceptions.RayTaskError as error:
        said = f"{type(error.cause).__name__}: {error.cause}"
        raise ClusterError(
            f"The worker of session {id!r} failed: {said.rstrip('.')}.",
            "Workers need the same version of Forager, and their logs say more.",
        ) from error
    except (ConnectionError, ray.exceptions.RaySystemError, ray.exceptions.RpcError) as error:
        disconnect()
        raise ClusterError(f"The Ray cluster {address} went away.", START) from error
    except ray.exceptions.RayError as error:
        raise ClusterError(
            f"The Ray cluster {address} did not run session {id!r}: {type(error).__name__}.",
            "Resume it.",
        ) from error


def raise_outcome(outcome: JobOutcome) -> NoReturn:
    """Raise here the error that a run has raised in its worker."""
    kind = getattr(errors, outcome.error)
    raise kind(outcome.what, outcome.mend)
