"""Serves the web UI: Streamlit's pages, the API, and the runs, in one process."""

import socket
import webbrowser
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import streamlit as st
import uvicorn
from starlette.middleware import Middleware

from forager.errors import UsageError
from forager.settings import Settings
from ui.server.api import ROUTES
from ui.server.guard import Guard
from ui.server.listening import address_of, is_loopback, listen
from ui.server.office import here, opened
from ui.server.pictures import PICTURES

SCRIPT = Path(__file__).parent.parent / "app.py"
GRACE_SECONDS = 1
"""How long connections are waited for at the end."""

Ready = Callable[[str], None]


class Server(uvicorn.Server):
    """Says when it is ready; a signal ends it without being raised again."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to serve."""
        await super().startup(sockets)
        if self.started:
            self._ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End; at the second signal without waiting for anything."""
        self.force_exit = self.should_exit
        self.should_exit = True
        if self.started:
            here().closing.set()


def application(settings: Settings, left: list[str]) -> st.App:
    """The ASGI application; the office is open for as long as it is served.

    At the end `left` takes the sessions that were running.
    """

    @asynccontextmanager
    async def lifespan(app: st.App) -> AsyncIterator[dict[str, Any] | None]:
        with opened(settings) as office:
            yield None
            left.extend(office.running())

    life: Any = lifespan
    return st.App(
        SCRIPT, lifespan=life, routes=[*ROUTES, *PICTURES], middleware=[Middleware(Guard)]
    )


def _silent(address: str) -> None:
    """A Ready that tells nobody."""


def serve(
    settings: Settings,
    address: str,
    port: int | None,
    *,
    browser: bool,
    ready: Ready = _silent,
) -> tuple[str, ...]:
    """Serve until the process is told to end; the sessions that were running then.

    `ready` is told the address. Raises UsageError.
    """
    if not is_loopback(address):
        raise UsageError(
            f"{address} can be reached from other machines.", "Serve on 127.0.0.1, the default."
        )
    left: list[str] = []
    with listen(address, port) as bound:
        url = address_of(bound)

        def begun() -> None:
            ready(url)
            if browser:
                webbrowser.open(url)

        config = uvicorn.Config(
            application(settings, left),
            log_config=None,
            access_log=False,
            ws="websockets-sansio",
            timeout_graceful_shutdown=GRACE_SECONDS,
        )
        Server(config, begun).run([bound])
    return tuple(left)
