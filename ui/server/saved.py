"""Graphs in the API: presets and saved ones, their versions, and what differs."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from forager.errors import UsageError
from graphs.check.checker import check
from graphs.spec.diff import difference
from graphs.spec.library import Library, Version, open_library
from graphs.spec.mermaid import mermaid
from graphs.spec.plugins import registry
from graphs.spec.spec import MAX_BYTES, GraphSpec, load, parse, presets
from graphs.spec.yaml_edit import rewritten, written
from ui.server.answering import answer, body, number, read, route
from ui.server.bodies import Comparing, Copying, Drawing, Renaming, Restoring, Saving
from ui.server.office import here

Result = TypeVar("Result")
BODY = {"text", "spec"}


async def named(graph: str | GraphSpec) -> GraphSpec:
    """A graph by the name of a preset or a saved graph, never a file's. Raises GraphError."""
    if isinstance(graph, GraphSpec):
        return graph
    return await _asked(lambda library: library.named(graph))


async def _asked(verb: Callable[[Library], Result]) -> Result:
    return await asyncio.to_thread(verb, open_library(here().settings))


async def graphs(request: Request) -> Response:
    """The graphs that ship with Forager, then those that were saved."""
    shipped = await asyncio.to_thread(lambda: [load(name) for name in presets()])
    saved = await _asked(lambda library: library.list())
    told = [{"name": one.name, "description": one.description, "hash": one.hash} for one in shipped]
    more = [
        {"description": one.spec.description, **one.model_dump(mode="json", exclude=BODY)}
        for one in saved
    ]
    return answer([*({**one, "preset": True} for one in told), *more])


async def get(request: Request) -> Response:
    """A graph's text and spec, of a saved one those of a version."""
    name, chosen = request.path_params["name"], number(request, "version", 1, 0) or None
    if name not in presets():
        return answer(await _asked(lambda library: library.get(name, chosen)))
    text, _ = await _asked(lambda library: library.text(name))
    spec = load(name)
    told = {"name": name, "text": text, "spec": spec.model_dump(mode="json"), "hash": spec.hash}
    return answer({**told, "preset": True})


async def versions(request: Request) -> Response:
    """The versions of a saved graph, the newest first, without their texts."""
    name = request.path_params["name"]
    found = await _asked(lambda library: library.versions(name))
    return answer([one.model_dump(mode="json", exclude=BODY) for one in found])


async def save(request: Request) -> Response:
    """A new version of a graph, on top of `base`; a spec is written into the text of `base`."""
    name, said = request.path_params["name"], await read(request, Saving)
    if (said.text is None) == (said.graph is None):
        raise UsageError("A graph is saved from `text` or from `graph`.", "Send one of them.")

    def saved(library: Library) -> Version:
        text = said.text
        if said.graph is not None:
            before = library.get(name, said.base).text if said.base else ""
            text = rewritten(before, said.graph, library.find) if before else written(said.graph)
        return library.save(name, text or "", said.note, said.base, here().settings.user)

    return answer(await _asked(saved), 201)


async def copy(request: Request) -> Response:
    """A new graph from a preset, a saved graph or a version of one."""
    name, said = request.path_params["name"], await read(request, Copying)
    args = (said.source, name, said.note, here().settings.user)
    return answer(await _asked(lambda library: library.copy(*args)), 201)


async def restore(request: Request) -> Response:
    """An earlier version as the newest one."""
    name, said = request.path_params["name"], await read(request, Restoring)
    args = (name, said.version, said.note, here().settings.user)
    return answer(await _asked(lambda library: library.restore(*args)), 201)


async def rename(request: Request) -> Response:
    """Call a saved graph otherwise."""
    name, said = request.path_params["name"], await read(request, Renaming)
    user = here().settings.user
    return answer(await _asked(lambda library: library.rename(name, said.name, user)))


async def delete(request: Request) -> Response:
    """Delete a saved graph with all its versions."""
    name = request.path_params["name"]
    await _asked(lambda library: library.delete(name))
    return answer({"name": name})


async def export(request: Request) -> Response:
    """The YAML as it was written."""
    name, chosen = request.path_params["name"], number(request, "version", 1, 0)
    reference = f"{name}@{chosen}" if chosen else name

    def text(library: Library) -> str:
        library.named(reference)
        return library.text(reference)[0]

    headers = {"Content-Disposition": f'attachment; filename="{name}.yaml"'}
    return Response(await _asked(text), media_type="application/yaml", headers=headers)


async def import_(request: Request) -> Response:
    """A new graph from YAML or JSON, sent as the body."""
    data = await body(request, MAX_BYTES)
    wanted, note = (request.query_params.get(name, "") for name in ("name", "note"))
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise UsageError("The body is no text.", "Send YAML or JSON in UTF-8.") from error

    def saved(library: Library) -> Version:
        name = wanted or parse(text, "the body", library.find).name
        return library.save(name, text, note, author=here().settings.user)

    return answer(await _asked(saved), 201)


async def check_graph(request: Request) -> Response:
    """What the checker finds."""
    spec = await named((await read(request, Drawing)).graph)
    return answer(check(spec, registry(here().settings)))


async def draw_graph(request: Request) -> Response:
    """The graph as a Mermaid flowchart."""
    return PlainTextResponse(mermaid(await named((await read(request, Drawing)).graph)))


async def diff_graphs(request: Request) -> Response:
    """What differs from one graph to another."""
    said = await read(request, Comparing)
    return answer(difference(await named(said.old), await named(said.new)))


ROUTES = [
    route("/graphs", graphs),
    route("/graphs/check", check_graph, "POST"),
    route("/graphs/draw", draw_graph, "POST"),
    route("/graphs/diff", diff_graphs, "POST"),
    route("/graphs/import", import_, "POST"),
    route("/graphs/{name}", get),
    route("/graphs/{name}", save, "PUT"),
    route("/graphs/{name}", rename, "PATCH"),
    route("/graphs/{name}", delete, "DELETE"),
    route("/graphs/{name}/copy", copy, "POST"),
    route("/graphs/{name}/versions", versions),
    route("/graphs/{name}/restore", restore, "POST"),
    route("/graphs/{name}/export", export),
]
