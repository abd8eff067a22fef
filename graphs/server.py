"""What langgraph.json points at: every preset and saved graph, for LangGraph's development server.

The server enters a factory on every look at a graph, to draw it or to read a thread: only where it
runs one are the doors opened. docs/langgraph.md says how it is started.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph_sdk.runtime import ServerRuntime
from starlette.exceptions import HTTPException

from forager.errors import ForagerError, GraphError
from forager.models.roles import OFFLINE
from forager.settings import Settings, read
from forager.spend import Budget
from graphs.compile import Graph, compile
from graphs.library import open_library
from graphs.models import settle
from graphs.node_type import Registry
from graphs.own import registry
from graphs.ports import open_doors
from graphs.spec import GraphSpec

Runtime = ServerRuntime[None]
Factory = Callable[[RunnableConfig, Runtime], AbstractAsyncContextManager[Graph]]
USUAL = "forager"
UNFIT = 422


def serve(preset: str) -> Factory:
    """A factory of this graph, unless `configurable.graph` names another.

    That is a preset, a saved graph, or one of its versions (`name@3`). `configurable.model` names
    the models, as `--model` does; settings come from the environment, .env and the data folder.
    """

    @asynccontextmanager
    async def graph(config: RunnableConfig, runtime: Runtime) -> AsyncIterator[Graph]:
        settings = await asyncio.to_thread(read)
        wanted = config.get("configurable", {})
        name = wanted.get("graph") or preset
        if runtime.execution_runtime is None:
            yield await asyncio.to_thread(_looked_at, settings, name)
            return
        spec, types = await asyncio.to_thread(_read, settings, name)
        line = settle(wanted.get("model") or settings.model or OFFLINE, settings, Budget())
        with open_doors(settings) as doors:
            async with doors(line, time.time()) as ports:
                yield compile(spec, ports, types)

    return graph


def _read(settings: Settings, name: Any) -> tuple[GraphSpec, Registry]:
    """No files: who may ask the server may not read this machine. Raises GraphError."""
    if not isinstance(name, str):
        raise GraphError("`configurable.graph` is no name.", "Name a preset or a saved graph.")
    return open_library(settings).named(name), registry(settings)


def _looked_at(settings: Settings, name: Any) -> Graph:
    """The graph without its doors; a fault is told to whoever asked."""
    try:
        spec, types = _read(settings, name)
        return compile(spec, None, types)
    except ForagerError as error:
        raise HTTPException(UNFIT, str(error)) from error


abreast = serve("abreast")
forager = serve(USUAL)
infogent = serve("infogent")
infogent_visual = serve("infogent-visual")
mango = serve("mango")
self_map = serve("self-map")
weboperator = serve("weboperator")
webwalker = serve("webwalker")
