"""The graphs of langgraph.json: every preset and saved graph, for LangGraph's development server.

The server enters a factory whenever it draws a graph, reads a thread or runs one. Adapters are
opened only for a run. See docs/langgraph.md.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph_sdk.runtime import ServerRuntime
from pydantic import BaseModel, Field, create_model
from starlette.exceptions import HTTPException

from forager.domain.spend import Budget
from forager.errors import ForagerError, GraphError
from forager.node_type import Registry
from forager.settings import Settings, load_settings
from graphs.runtime.compile import compile_graph, refuse_faults
from graphs.runtime.composition import open_adapters
from graphs.runtime.graph_nodes import Graph
from graphs.runtime.tracing import tracing_as_set
from graphs.sessions.model_choice import default_line, settle_models
from graphs.spec.edit import with_values
from graphs.spec.library import open_library
from graphs.spec.plugins import load_registry
from graphs.spec.spec import GraphSpec

Runtime = ServerRuntime[None]
Factory = Callable[[RunnableConfig, Runtime], AbstractAsyncContextManager[Graph]]
DEFAULT_PRESET = "forager"
UNPROCESSABLE = 422


def serve_preset(preset: str) -> Factory:
    """A factory of this preset, unless `configurable.graph` names another graph.

    It may name a preset, a saved graph, or a version of one (`name@3`). `configurable.model` is a
    model line, as of `--model`, `configurable.parameters` are values of the graph's parameters.
    Settings come from the environment, .env and the data folder.
    """

    @asynccontextmanager
    async def graph(config: RunnableConfig, runtime: Runtime) -> AsyncIterator[Graph]:
        with _as_http_errors():
            settings = await asyncio.to_thread(load_settings)
        wanted = config.get("configurable", {})
        name = wanted.get("graph") or preset
        values = wanted.get("parameters") or {}
        spec, types = await asyncio.to_thread(_read_graph, settings, name, values)
        if runtime.execution_runtime is None:
            shown: Any = await asyncio.to_thread(compile_graph, spec, None, types)
            shown.context_schema = _choices_of(spec, preset)
            yield shown
            return
        line = _model_line(settings, wanted.get("model"))
        with open_adapters(settings) as open_ports:
            async with open_ports(line, time.time()) as ports:
                with tracing_as_set(settings):
                    yield compile_graph(spec, ports, types)

    return graph


def _choices_of(spec: GraphSpec, preset: str) -> type[BaseModel]:
    """What can be configured, for the forms of the server's clients."""
    kinds = {"integer": int, "number": float, "text": str, "boolean": bool}
    own: dict[str, Any] = {
        name: (kinds[parameter.type], Field(parameter.default, description=parameter.help))
        for name, parameter in spec.parameters.items()
    }
    parameters = create_model("Parameters", **own)
    choices: dict[str, Any] = {
        "graph": (str, Field(preset, description="a preset, or a saved graph: NAME or NAME@N")),
        "model": (str, Field("", description="a model line; by default that of the settings")),
    }
    if own:
        choices["parameters"] = (parameters, Field(default_factory=parameters))
    return create_model("Choices", **choices)


def _read_graph(settings: Settings, name: Any, values: Any) -> tuple[GraphSpec, Registry]:
    """The graph and the node types. Files are refused: clients may not read this machine."""
    types = load_registry(settings)
    with _as_http_errors():
        if not isinstance(name, str):
            raise GraphError(
                "`configurable.graph` is not a name.", "Name a preset or a saved graph."
            )
        if not isinstance(values, dict):
            raise GraphError("`configurable.parameters` is not an object.", "Write {name: value}.")
        spec = with_values(open_library(settings).resolve_named(name), values)
        refuse_faults(spec, types)
        return spec, types


def _model_line(settings: Settings, line: Any) -> str:
    with _as_http_errors():
        return settle_models(str(line or default_line(settings)), settings, Budget())


@contextmanager
def _as_http_errors() -> Iterator[None]:
    """Turn our errors into HTTP errors, the only ones that the server shows."""
    try:
        yield
    except ForagerError as error:
        raise HTTPException(UNPROCESSABLE, str(error)) from error


abreast = serve_preset("abreast")
forager = serve_preset(DEFAULT_PRESET)
infogent = serve_preset("infogent")
infogent_visual = serve_preset("infogent-visual")
mango = serve_preset("mango")
self_map = serve_preset("self-map")
weboperator = serve_preset("weboperator")
webwalker = serve_preset("webwalker")
