"""Sessions in an event loop and a thread of their own, for callers in other threads."""

import asyncio
import threading
from collections.abc import Callable, Collection, Coroutine
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor, wait
from contextlib import AsyncExitStack
from selectors import BaseSelector
from typing import Any, Self, TypeVar

from forager.settings import Settings
from graphs.sessions.service import Sessions, open_sessions

Result = TypeVar("Result")
SessionCall = Callable[[Sessions], Coroutine[Any, Any, Result]]

CLOSE_SECONDS = 3.0
"""How long a closing worker waits for its calls to be cancelled."""
CANCEL_SECONDS = 0.2
"""Then a call that still runs is cancelled again, as a library may swallow a cancellation."""
END_SECONDS = 0.7
"""How long it then waits for its threads."""
LEFT_HANGING: list[asyncio.Task[Any]] = []
"""Calls that hung when their worker closed; kept, as collecting them would use a closed loop."""


class SessionWorker:
    """A thread with an event loop and the sessions of a data folder; safe for threads."""

    def __init__(
        self,
        settings: Settings,
        name: str,
        selector: BaseSelector | None = None,
        starting: Collection[str] = (),
    ) -> None:
        """The loop waits with `selector`; sessions that are `starting` count as running."""
        self._settings = settings
        self._starting = starting
        self._loop = asyncio.SelectorEventLoop(selector)
        self._executor = ThreadPoolExecutor(thread_name_prefix=name)
        self._loop.set_default_executor(self._executor)
        self._thread = threading.Thread(target=self._loop.run_forever, name=name, daemon=True)
        self._stack = AsyncExitStack()
        self._sessions: Sessions | None = None

    def __enter__(self) -> Self:
        self._thread.start()
        self._sessions = asyncio.run_coroutine_threadsafe(self._open(), self._loop).result()
        return self

    def __exit__(self, *_: object) -> None:
        """Close; what hangs is left to the end of the process."""
        closing = asyncio.run_coroutine_threadsafe(self._close(), self._loop)
        wait((closing,), CLOSE_SECONDS)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(END_SECONDS)
        ending = threading.Thread(target=self._executor.shutdown, daemon=True)
        ending.start()
        ending.join(END_SECONDS)
        LEFT_HANGING.extend(asyncio.all_tasks(self._loop))
        if closing.done() and not self._thread.is_alive():
            self._loop.close()

    def submit(self, work: SessionCall[Result]) -> Future[Result]:
        """Start a call and return its future. Raises CancelledError once the worker is closed."""
        if self._sessions is None:
            raise RuntimeError("The session worker is not open.")
        if self._loop.is_closed():
            raise CancelledError
        return asyncio.run_coroutine_threadsafe(work(self._sessions), self._loop)

    def call(self, work: SessionCall[Result]) -> Result:
        """Run a call and wait for its result. Raises what it raises."""
        return self.submit(work).result()

    async def call_async(self, work: SessionCall[Result]) -> Result:
        """The same for a coroutine of another event loop, which it does not keep waiting."""
        return await asyncio.wrap_future(self.submit(work))

    async def _open(self) -> Sessions:
        sessions = await self._stack.enter_async_context(open_sessions(self._settings))
        sessions.context.starting = self._starting
        await self._stack.enter_async_context(sessions.context.sending_webhooks())
        return sessions

    async def _close(self) -> None:
        """Cancel the calls that still run; their sessions are interrupted and can be resumed."""
        own = asyncio.current_task()
        while others := [task for task in asyncio.all_tasks() if task is not own]:
            for task in others:
                task.cancel()
            done, _ = await asyncio.wait(others, timeout=CANCEL_SECONDS)
            await asyncio.gather(*done, return_exceptions=True)
        await self._stack.aclose()
        await self._loop.shutdown_asyncgens()
