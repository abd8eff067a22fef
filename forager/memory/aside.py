"""Calls in a thread of their own, which is left behind when one does not come back.

Chroma's core can wait for ever (for a lock on its own database after a full disk, on a damaged
index), and a thread that waits for ever must hold up neither a run nor the end of the process.
"""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Any, TypeVar

Result = TypeVar("Result")


class Aside:
    """One call after another; safe for threads."""

    def __init__(self) -> None:
        self._calls: SimpleQueue[tuple[Callable[[], Any], Future[Any]] | None] = SimpleQueue()
        threading.Thread(target=self._work, name="memory", daemon=True).start()

    def call(self, work: Callable[[], Result], seconds: float) -> Result:
        """What it returns, or raises. Raises TimeoutError when it takes longer; it may go on."""
        done: Future[Result] = Future()
        self._calls.put((work, done))
        return done.result(seconds)

    def end(self) -> None:
        """Let the thread end after the calls made before."""
        self._calls.put(None)

    def _work(self) -> None:
        while (call := self._calls.get()) is not None:
            work, done = call
            try:
                done.set_result(work())
            except BaseException as error:  # noqa: BLE001  # it is raised where the call was made
                done.set_exception(error)
