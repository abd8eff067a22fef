"""Serves the web UI: Streamlit's pages, the API, and the runs, in one process."""

import webbrowser
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import streamlit as st
import uvicorn
from starlette.middleware import Middleware

from forager.settings import Settings
from ui.server.api import ROUTES
from ui.server.guard import Guard
from ui.server.office import opened

SCRIPT = Path(__file__).parent.parent / "app.py"


def application(settings: Settings) -> st.App:
    """The ASGI application; the office is open for as long as it is served."""

    @asynccontextmanager
    async def lifespan(app: st.App) -> AsyncIterator[dict[str, Any] | None]:
        with opened(settings):
            yield None

    life: Any = lifespan
    return st.App(SCRIPT, lifespan=life, routes=ROUTES, middleware=[Middleware(Guard)])


def serve(settings: Settings, address: str, port: int, *, browser: bool) -> None:
    """Serve until the process is told to end."""

    class Server(uvicorn.Server):
        async def startup(self, sockets: Any = None) -> None:
            await super().startup(sockets)
            if browser and self.started:
                webbrowser.open(f"http://{address}:{port}/")

    config = uvicorn.Config(
        application(settings), address, port, log_level="warning", ws="websockets-sansio"
    )
    Server(config).run()
