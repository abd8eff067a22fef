"""Sessions in an event loop of their own, in a thread of its own: what Streamlit's scripts ask."""

import asyncio
import threading
from collections.abc import Callable, Collection, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import AsyncExitStack
from selectors import BaseSelector
from typing import Any, Self, TypeVar

from forager.settings import Settings
from graphs.sessions.service import Sessions, open_sessions

Result = TypeVar("Result")
Verb = Callable[[Sessions], Coroutine[Any, Any, Result]]

CLOSE_SECONDS = 3.0
"""How long it is waited for at a desk's end that what runs has left off."""
END_SECONDS = 0.7
"""And then for its threads."""


class Desk:
    """A thread with an event loop and the sessions of a data folder; safe for threads."""

    def __init__(
        self,
        settings: Settings,
        name: str,
        selector: BaseSelector | None = None,
        coming: Collection[str] = (),
    ) -> None:
        """Its loop waits with the selector; the sessions that are `coming` stand as running."""
        self._settings = settings
        self._coming = coming
        self._loop = asyncio.SelectorEventLoop(selector)
        self._workers = ThreadPoolExecutor(thread_name_prefix=name)
        self._loop.set_default_executor(self._workers)
        self._thread = threading.Thread(target=self._loop.run_forever, name=name, daemon=True)
        self._stack = AsyncExitStack()
        self._sessions: Sessions | None = None

    def __enter__(self) -> Self:
        self._thread.start()
        self._sessions = self._await(self._open())
        return self

    def __exit__(self, *_: object) -> None:
        """Close; what hangs is left to the end of the process."""
        closing = asyncio.run_coroutine_threadsafe(self._close(), self._loop)
        wait((closing,), CLOSE_SECONDS)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(END_SECONDS)
        ending = threading.Thread(target=self._workers.shutdown, daemon=True)
        ending.start()
        ending.join(END_SECONDS)
        if not self._thread.is_alive():
            self._loop.close()

    def begin(self, verb: Verb[Result]) -> Future[Result]:
        """Start a verb; its future."""
        if self._sessions is None:
            raise RuntimeError("The desk is not open.")
        return asyncio.run_coroutine_threadsafe(verb(self._sessions), self._loop)

    def call(self, verb: Verb[Result]) -> Result:
        """What a verb returns, waited for here. Raises what it raises."""
        return self.begin(verb).result()

    def _await(self, work: Coroutine[Any, Any, Result]) -> Result:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    async def _open(self) -> Sessions:
        sessions = await self._stack.enter_async_context(open_sessions(self._settings))
        sessions.coming = self._coming
        return sessions

    async def _close(self) -> None:
        """Leave what still runs: it stands as interrupted, and can be resumed."""
        own = asyncio.current_task()
        left = [task for task in asyncio.all_tasks() if task is not own]
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        await self._stack.aclose()
        await self._loop.shutdown_asyncgens()
