"""Calls in a thread of their own, which is left behind when one does not come back.

Chroma's core can wait for ever (for a lock on its own database after a full disk, on a damaged
index), and a thread that waits for ever must hold up neither a run nor the end of the process:
those of an executor are waited for, this one is not.
"""

import asyncio
import threading
from collections.abc import Callable
from contextlib import closing
from typing import TypeVar

Result = TypeVar("Result")


class Aside:
    """One call after another; safe for threads."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._work, name="memory", daemon=True).start()

    def call(self, work: Callable[[], Result], seconds: float) -> Result:
        """What it returns, or raises. Raises TimeoutError when it takes longer; it may go on."""
        return asyncio.run_coroutine_threadsafe(_done(work), self._loop).result(seconds)

    def end(self) -> None:
        """Let the thread end. No call may be on its way."""
        self._loop.call_soon_threadsafe(self._loop.stop)

    def _work(self) -> None:
        with closing(self._loop):
            self._loop.run_forever()


async def _done(work: Callable[[], Result]) -> Result:
    return work()
