"""Pages come before runs: Python computes in one thread at a time, and people wait for pages."""

import selectors
import time

from starlette.types import ASGIApp, Message, Receive, Scope, Send

LONGEST_PAUSE = 0.4
"""Runs pause so many seconds at most for a page, and go on for half as long after it."""
DRAWING_SECONDS = 0.15
"""A browser draws what it was sent in this time."""
CHECK_SECONDS = 0.02
"""How often a pausing run checks whether it may go on."""


class PagePriority:
    """Decides when runs pause. Times are in seconds of one clock."""

    def __init__(self) -> None:
        self._start = self._end = 0.0

    def request_started(self, now: float) -> None:
        """Something of a page was asked for."""
        if now >= self._end + (self._end - self._start) / 2:
            self._start, self._end = now, now + LONGEST_PAUSE

    def response_sent(self, now: float) -> None:
        """Something was sent; if it was the last, only the browser's drawing is waited for."""
        if now < self._end:
            self._end = min(self._start + LONGEST_PAUSE, now + DRAWING_SECONDS)

    def remaining_pause(self, now: float) -> float:
        """How long runs still pause."""
        return max(0.0, self._end - now)


class PausingSelector(selectors.DefaultSelector):
    """The selector of the runs' event loop; it waits longer while a page is asked for."""

    def __init__(self, priority: PagePriority) -> None:
        super().__init__()
        self._priority = priority

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """What is ready, after the pause."""
        while pause := self._priority.remaining_pause(time.monotonic()):
            time.sleep(min(pause, CHECK_SECONDS))
        return super().select(timeout)


class PageRequestWatcher:
    """Middleware that reports requests of pages and clicks in them; not calls of the API."""

    def __init__(self, app: ASGIApp, priority: PagePriority) -> None:
        self._app = app
        self._priority = priority

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Report the request, and pass it on."""
        if scope["type"] == "websocket":
            await self._app(scope, self._watch_receive(receive), self._watch_send(send))
            return
        if scope["type"] == "http" and not scope["path"].startswith("/api/"):
            self._priority.request_started(time.monotonic())
        await self._app(scope, receive, send)

    def _watch_receive(self, receive: Receive) -> Receive:
        async def watched() -> Message:
            message = await receive()
            self._priority.request_started(time.monotonic())
            return message

        return watched

    def _watch_send(self, send: Send) -> Send:
        async def watched(message: Message) -> None:
            self._priority.response_sent(time.monotonic())
            await send(message)

        return watched
