"""Pages come before runs: only one Python thread computes at a time, and people wait for pages."""

import selectors
import time

from starlette.types import ASGIApp, Message, Receive, Scope, Send

LONGEST_PAUSE = 0.4
"""The longest pause of runs for a page, in seconds; then they work for half as long at least."""
DRAWING_SECONDS = 0.15
"""The seconds in which a browser draws what it received."""
CHECK_SECONDS = 0.02
"""Seconds between two checks of a pausing run whether it may continue."""


class PagePriority:
    """Decides when runs pause. Times are in seconds of one clock."""

    def __init__(self) -> None:
        self._start = self._end = 0.0

    def request_started(self, now: float) -> None:
        """Note that a part of a page was requested."""
        if now >= self._end + (self._end - self._start) / 2:
            self._start, self._end = now, now + LONGEST_PAUSE

    def response_sent(self, now: float) -> None:
        """Note that a response was sent; if it was the last, runs only wait until it is drawn."""
        if now < self._end:
            self._end = min(self._start + LONGEST_PAUSE, now + DRAWING_SECONDS)

    def remaining_pause(self, now: float) -> float:
        """The seconds for which runs still pause."""
        return max(0.0, self._end - now)


class PausingSelector(selectors.DefaultSelector):
    """The selector of the runs' event loop; it waits longer while a page is requested."""

    def __init__(self, priority: PagePriority) -> None:
        super().__init__()
        self._priority = priority

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """The ready files, after the pause."""
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
