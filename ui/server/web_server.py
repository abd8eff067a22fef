"""Serves the web UI: Streamlit's pages, the API and the runs, in one process."""

import asyncio
import gc
import importlib
import logging
import pkgutil
import socket
import tomllib
import webbrowser
from collections.abc import AsyncIterator, Callable
from concurrent.futures import CancelledError
from contextlib import asynccontextmanager, chdir, suppress
from functools import cache
from pathlib import Path
from threading import Thread
from types import FrameType
from typing import Any

import streamlit as st
import uvicorn
from starlette.middleware import Middleware
from streamlit import config

from forager.errors import ForagerError
from forager.settings import Settings, ThemeName
from graphs.system.batch.batch_run import is_row_session
from graphs.system.retention import clean_as_set
from ui.server import assets, shared_page
from ui.server.access.account_visitors import admit_accounts
from ui.server.access.page_files import OwnedApp
from ui.server.access.request_guard import LOCAL_NAMES, RequestGuard
from ui.server.access.visitors import Visitors, read_provider
from ui.server.api.json_api import ROUTES
from ui.server.asset_middleware import ImmutableCache, PreloadLinks
from ui.server.backend import find_installation, get_installation, open_backend
from ui.server.loading_page import LoadingPage
from ui.server.page_priority import PagePriority, PageRequestWatcher, PausingSelector
from ui.server.sockets import is_loopback, open_listener, url_of

LOG = logging.getLogger(__name__)
SCRIPT = Path(__file__).parent.parent / "web" / "app.py"
PAGES = "ui.web.screens"
"""The package whose modules the script imports; only named here, as it is above this one."""
SECRETS = Path(".streamlit") / "secrets.toml"
"""In the home folder: the file with the [auth] of a provider."""
GRACE_SECONDS = 1
"""Seconds to wait for open connections at shutdown."""
KEPT_OPEN_SECONDS = 60
"""How long a connection waits for its next request: longer than clients keep one, which would
otherwise send a request just as it is closed."""

Ready = Callable[[str], None]


class Server(uvicorn.Server):
    """Says when it is ready; a signal ends it without being raised again, and others wait."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start serving."""
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop, and cancel the calls that do not finish in time."""
        asyncio.get_running_loop().call_later(GRACE_SECONDS, self._cancel_calls)
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop."""
        if self.started and not self.should_exit:
            get_installation().close_down()
        self.should_exit = True

    def _cancel_calls(self) -> None:
        for task in self.server_state.tasks:
            task.cancel()


def serve(
    settings: Settings,
    address: str,
    port: int | None,
    *,
    browser: bool,
    ready: Ready = lambda url: None,
) -> tuple[str, ...]:
    """Serve until the process is told to stop; returns the sessions that were running then.

    `ready` is told the address. Raises UsageError.
    """
    _read_options()
    apply_theme(settings.theme)
    visitors = admit_accounts(settings, address)
    interrupted: list[str] = []
    with open_listener(address, port) as listener:
        url = url_of(listener)
        port = listener.getsockname()[1]
        secrets = {"auth": read_provider(port)} if visitors.needs_provider else None
        app = build_application(settings, visitors, address, interrupted, secrets)

        def started() -> None:
            LOG.info("serving on %s", url)
            ready(url)
            Thread(target=warm_up, name="warm-up", daemon=True).start()
            if browser:
                webbrowser.open(url)

        config = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            ws="websockets-sansio",
            timeout_keep_alive=KEPT_OPEN_SECONDS,
            timeout_graceful_shutdown=2 * GRACE_SECONDS,
        )
        logging.getLogger("uvicorn.error").addFilter(_is_fault)
        Server(config, started).run([listener])
    return tuple(interrupted)


def build_application(
    settings: Settings,
    visitors: Visitors,
    address: str,
    interrupted: list[str],
    secrets: dict[str, Any] | None,
) -> st.App:
    """The ASGI application; the backend is open for as long as it is served.

    At the end `interrupted` takes the sessions that were running, but for rows of batches, which go
    on by themselves. `secrets` go to Streamlit.
    """
    priority = PagePriority()

    @asynccontextmanager
    async def lifespan(app: st.App) -> AsyncIterator[dict[str, Any] | None]:
        with open_backend(settings, visitors, lambda: PausingSelector(priority)):
            yield None
            left = [id for each in get_installation().spaces() for id in each.running()]
            interrupted.extend(id for id in left if not is_row_session(id))

    typed_lifespan: Any = lifespan
    hosts = LOCAL_NAMES if is_loopback(address) else None
    return OwnedApp(
        SCRIPT,
        secrets=secrets,
        lifespan=typed_lifespan,
        routes=[*ROUTES, *assets.ROUTES, *shared_page.ROUTES, *visitors.routes],
        middleware=[
            Middleware(RequestGuard, visitors=visitors, hosts=hosts),
            Middleware(PageRequestWatcher, priority=priority),
            Middleware(PreloadLinks),
            Middleware(LoadingPage),
            Middleware(ImmutableCache),
        ],
    )


def _read_options() -> None:
    """Read Streamlit's options once: from the home folder and beside the script, which prevails.

    Streamlit would also read them, and variables that it calls secrets, from the current folder.
    """
    with chdir(SCRIPT.parent):
        st.App(SCRIPT)  # the first one tells Streamlit where the script is
        st.get_option("server.port")
    config.set_option("secrets.files", [str(Path.home() / SECRETS)])


def apply_theme(theme: ThemeName) -> None:
    """Have pages drawn with the colours of one theme, or of the one that the browser prefers.

    Streamlit chooses by the browser where both have colours, so the chosen one gives its own to
    both names.
    """
    for name, colours in _theme_colours().items():
        chosen = _theme_colours()[name if theme == "system" else theme]
        for option in colours:
            config.set_option(f"theme.{name}.{option}", chosen.get(option))


@cache
def _theme_colours() -> dict[str, dict[str, Any]]:
    """The colours of both themes, as they are configured beside the script."""
    file = SCRIPT.parent / ".streamlit" / "config.toml"
    themes = tomllib.loads(file.read_text(encoding="utf-8"))["theme"]
    return {name: themes[name] for name in ("light", "dark")}


def warm_up() -> None:
    """Import what pages need, and read the list of sessions, while the browser still opens.

    Then old sessions are deleted, if the settings say so.
    """
    importlib.import_module("pandas")  # Streamlit needs it for the first component of a page
    pages = importlib.import_module(PAGES)
    for module in pkgutil.walk_packages(pages.__path__, f"{PAGES}."):
        importlib.import_module(module.name)
    installation = find_installation()
    if installation is None:
        return
    backend = installation.home
    with suppress(ForagerError, CancelledError):  # the server may be ending already
        backend.sessions.call(lambda sessions: sessions.list_rated())
        backend.sessions.call(clean_as_set)
        installation.continue_batches()
    gc.collect()
    gc.freeze()  # imported modules stay, so later collections need not look at them


def _is_fault(record: logging.LogRecord) -> bool:
    """Did the call fail, rather than being cancelled?"""
    return not (record.exc_info and isinstance(record.exc_info[1], asyncio.CancelledError))
