"""Runs sessions for tools: progress on the way, and a cancelled call leaves a resumable session."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from forager.settings import Settings
from graphs.cluster.session_runs import run_as_set
from graphs.runtime.composition import share_memory
from graphs.sessions.service import Event, Report, Sessions
from ui.server.session_worker import SessionWorker

Notify = Callable[[int, str], Awaitable[None]]
"""Takes the number of an event of the call, from 1, and what it says."""


@dataclass(frozen=True)
class SessionCalls:
    """`desk` reads and writes sessions, `runs` runs them; neither blocks the server's loop."""

    settings: Settings
    desk: SessionWorker
    runs: SessionWorker

    async def run(self, id: str, notify: Notify) -> Report:
        """Run a session to its end.

        If the caller is cancelled, the run is, too: the session is interrupted at its last
        checkpoint and can be resumed. Raises ForagerError for what cannot be run.
        """
        loop = asyncio.get_running_loop()
        events: asyncio.Queue[Event | None] = asyncio.Queue()

        def tell(event: Event | None) -> None:
            loop.call_soon_threadsafe(events.put_nowait, event)

        async def work(sessions: Sessions) -> Report:
            try:
                return await run_as_set(sessions, id, tell)
            finally:
                tell(None)

        await notify(1, f"session {id}")
        running = self.runs.submit(work)
        try:
            number = 1
            while (event := await events.get()) is not None:
                if event.message:
                    number += 1
                    await notify(number, ": ".join(filter(None, (event.node, event.message))))
            return await asyncio.wrap_future(running)
        except asyncio.CancelledError:
            running.cancel()
            raise


@contextmanager
def open_calls(settings: Settings) -> Iterator[SessionCalls]:
    """Calls on the sessions of a data folder, during the body."""
    with ExitStack() as stack:
        stack.enter_context(share_memory(settings))
        desk = stack.enter_context(SessionWorker(settings, "desk"))
        runs = stack.enter_context(SessionWorker(settings, "runs"))
        yield SessionCalls(settings, desk, runs)
