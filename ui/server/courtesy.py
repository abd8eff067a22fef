"""Runs give way to pages: Python computes in one thread at a time, and people wait for pages."""

import selectors
import time

from starlette.types import ASGIApp, Message, Receive, Scope, Send

PAUSE_SECONDS = 0.4
"""Runs pause so long at most for a page that is asked for, and go on for half as long after it."""
DRAWN_SECONDS = 0.15
"""A browser draws what it was sent in this time."""
LOOK_SECONDS = 0.02
"""How often it is looked whether all is drawn."""


class Courtesy:
    """When runs pause. Times are in seconds of one clock."""

    def __init__(self) -> None:
        self._began = self._until = 0.0

    def asked(self, now: float) -> None:
        """Something of a page was asked for."""
        if now >= self._until + (self._until - self._began) / 2:
            self._began, self._until = now, now + PAUSE_SECONDS

    def answered(self, now: float) -> None:
        """Something was sent; if it was the last, there is no more to wait for than the browser."""
        if now < self._until:
            self._until = min(self._began + PAUSE_SECONDS, now + DRAWN_SECONDS)

    def left(self, now: float) -> float:
        """How long runs should still pause."""
        return max(0.0, self._until - now)


class Polite(selectors.DefaultSelector):
    """What an event loop waits with; it waits longer where a page is asked for."""

    def __init__(self, courtesy: Courtesy) -> None:
        super().__init__()
        self._courtesy = courtesy

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """What is ready, after the pause."""
        while pause := self._courtesy.left(time.monotonic()):
            time.sleep(min(pause, LOOK_SECONDS))
        return super().select(timeout)


class Attentive:
    """Tells of each part of a page that is asked for, and of each click in it; not of the API."""

    def __init__(self, app: ASGIApp, courtesy: Courtesy) -> None:
        self._app = app
        self._courtesy = courtesy

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass it on."""
        if scope["type"] == "websocket":
            await self._app(scope, self._asking(receive), self._answering(send))
            return
        if scope["type"] == "http" and not scope["path"].startswith("/api/"):
            self._courtesy.asked(time.monotonic())
        await self._app(scope, receive, send)

    def _asking(self, receive: Receive) -> Receive:
        async def received() -> Message:
            message = await receive()
            self._courtesy.asked(time.monotonic())
            return message

        return received

    def _answering(self, send: Send) -> Send:
        async def sent(message: Message) -> None:
            self._courtesy.answered(time.monotonic())
            await send(message)

        return sent
