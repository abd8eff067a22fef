"""Serves the web UI: Streamlit's pages, the API, and the runs, in one process."""

import asyncio
import logging
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
from streamlit import config as streamlit_config

from forager.settings import Settings
from ui.parts import code
from ui.server.api import ROUTES
from ui.server.courtesy import Attentive, Courtesy, Polite
from ui.server.guard import LOCAL, Guard
from ui.server.listening import address_of, is_loopback, listen
from ui.server.office import here, opened
from ui.server.preloading import Preloading
from ui.server.statics import InMemory
from ui.server.warming import warm
from ui.server.who import Who, who

SCRIPT = Path(__file__).parent.parent / "app.py"
GRACE_SECONDS = 1
"""How long connections are waited for at the end."""

Ready = Callable[[str], None]


class Server(uvicorn.Server):
    """Says when it is ready; a signal ends it without being raised again, and further ones wait."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to serve."""
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End, and break off the calls that are not through in time."""
        asyncio.get_running_loop().call_later(GRACE_SECONDS, self._break_off)
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End."""
        if self.started and not self.should_exit:
            here().closing.set()
        self.should_exit = True

    def _break_off(self) -> None:
        for task in self.server_state.tasks:
            task.cancel()


def _is_fault(record: logging.LogRecord) -> bool:
    """Not if a call was broken off."""
    return not (record.exc_info and isinstance(record.exc_info[1], asyncio.CancelledError))


def application(settings: Settings, allowed: Who, address: str, left: list[str]) -> st.App:
    """The ASGI application; the office is open for as long as it is served.

    At the end `left` takes the sessions that were running.
    """

    courtesy = Courtesy()

    @asynccontextmanager
    async def lifespan(app: st.App) -> AsyncIterator[dict[str, Any] | None]:
        with opened(settings, allowed, Polite(courtesy)) as office:
            yield None
            left.extend(office.running())

    life: Any = lifespan
    hosts = LOCAL if is_loopback(address) else None
    guard = Middleware(Guard, who=allowed, hosts=hosts)
    attentive = Middleware(Attentive, courtesy=courtesy)
    routes = [*ROUTES, *code.ROUTES, *allowed.routes]
    own = [guard, attentive, Middleware(Preloading), Middleware(InMemory)]
    return st.App(SCRIPT, lifespan=life, routes=routes, middleware=own)


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
    # Where config.toml lies; whoever asks for secrets.toml has Streamlit read both, once.
    streamlit_config._main_script_path = str(SCRIPT)
    allowed = who(settings, address)
    left: list[str] = []
    with listen(address, port) as bound:
        url = address_of(bound)
        # {port} in the redirect_uri of a provider's login means this one.
        streamlit_config.set_option("server.port", bound.getsockname()[1])

        def begun() -> None:
            ready(url)
            warm()
            if browser:
                webbrowser.open(url)

        config = uvicorn.Config(
            application(settings, allowed, address, left),
            log_config=None,
            access_log=False,
            ws="websockets-sansio",
            timeout_graceful_shutdown=2 * GRACE_SECONDS,
        )
        logging.getLogger("uvicorn.error").addFilter(_is_fault)
        Server(config, begun).run([bound])
    return tuple(left)
