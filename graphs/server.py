"""What langgraph.json points at: each preset as a graph for LangGraph's development server.

The server enters a factory on every look at a graph, so nothing here opens a connection. Start it
with `langgraph dev --no-browser --allow-blocking`: pages are kept in SQLite, which blocks briefly.
"""

import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from forager.models.roles import OFFLINE
from forager.settings import Settings
from graphs.compile import Graph, compile
from graphs.ports import open_doors
from graphs.spec import load

Factory = Callable[[], AbstractAsyncContextManager[Graph]]


def serve(preset: str) -> Factory:
    """The factory of a preset: settings from the environment, the model built in."""

    spec = load(preset)
    settings = Settings()

    @asynccontextmanager
    async def graph() -> AsyncIterator[Graph]:
        with open_doors(settings) as doors:
            async with doors(OFFLINE, time.time()) as ports:
                yield compile(spec, ports)

    return graph


abreast = serve("abreast")
forager = serve("forager")
infogent = serve("infogent")
infogent_visual = serve("infogent-visual")
mango = serve("mango")
self_map = serve("self-map")
weboperator = serve("weboperator")
webwalker = serve("webwalker")
