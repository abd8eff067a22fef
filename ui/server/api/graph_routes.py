"""The API of graphs: presets and saved ones, their versions and differences."""

import asyncio
from collections.abc import Callable
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Path, Query
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from forager.domain.base import MAX_INTEGER
from forager.errors import UsageError
from graphs.check.checker import Finding, find_faults
from graphs.exchange.mermaid import draw_mermaid
from graphs.spec.diff import Difference, compare_specs
from graphs.spec.library import Library, Version, open_library
from graphs.spec.plugins import load_registry
from graphs.spec.spec import MAX_BYTES, GraphSpec, load_graph, parse_graph, preset_names
from graphs.spec.yaml_writer import rewrite_graph, write_graph
from ui.server.api.api_errors import describe_errors
from ui.server.api.json_body import ApiRoute, read_body
from ui.server.api.request_models import (
    CopyRequest,
    DiffRequest,
    GraphRequest,
    NameChange,
    NewVersion,
    RestoreRequest,
)
from ui.server.api.response_models import (
    DamagedSummary,
    GraphRef,
    PresetGraph,
    PresetSummary,
    SavedSummary,
    VersionLine,
)
from ui.server.backend import get_backend, require_role

Result = TypeVar("Result")
SavedName = Annotated[str, Path(description="The name of a saved graph.", examples=["mine"])]
VersionNumber = Annotated[
    int | None,
    Query(ge=1, le=MAX_INTEGER, description="The number of a version; without one, the newest."),
]
GRAPH_TEXT: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "description": "A graph in YAML or JSON.",
        "content": {"application/yaml": {"schema": {"type": "string"}}},
    }
}
YAML: dict[str, Any] = {
    "description": "The YAML, as an attachment.",
    "content": {"application/yaml": {"schema": {"type": "string"}}},
}
MERMAID: dict[str, Any] = {
    "description": "A Mermaid flowchart.",
    "content": {"text/plain": {"schema": {"type": "string"}, "example": "flowchart TD\n"}},
}
router = APIRouter(prefix="/api/graphs", tags=["graphs"], route_class=ApiRoute)


async def resolve_graph(graph: str | GraphSpec) -> GraphSpec:
    """A graph by the name of a preset or a saved graph, never a file's. Raises GraphError."""
    if isinstance(graph, GraphSpec):
        require_role("editor")
        return graph
    return await _call_library(lambda library: library.resolve_named(graph))


@router.get("", summary="List graphs", responses=describe_errors(500))
async def list_graphs() -> list[PresetSummary | SavedSummary | DamagedSummary]:
    """The presets, then the saved graphs in their newest version, then those that are damaged."""
    shipped = await asyncio.to_thread(lambda: [load_graph(name) for name in preset_names()])
    saved, damaged = await _call_library(lambda it: (it.list(), it.list_damaged()))
    return [
        *(
            PresetSummary(name=spec.name, description=spec.description, hash=spec.hash)
            for spec in shipped
        ),
        *(
            SavedSummary(description=each.spec.description, **_describe_version(each))
            for each in saved
        ),
        *(DamagedSummary(name=name) for name in damaged),
    ]


@router.post("/check", summary="Check a graph", responses=describe_errors(400, 413, 422, 500))
async def check_graph(wanted: GraphRequest) -> list[Finding]:
    """The checker's findings; without an error among them, the graph can be run."""
    spec = await resolve_graph(wanted.graph)
    return list(find_faults(spec, load_registry(get_backend().settings)))


@router.post(
    "/draw",
    summary="Draw a graph",
    response_class=PlainTextResponse,
    responses={200: MERMAID, **describe_errors(400, 413, 422, 500)},
)
async def draw_graph(wanted: GraphRequest) -> Response:
    """The graph as a Mermaid flowchart."""
    return PlainTextResponse(draw_mermaid(await resolve_graph(wanted.graph)))


@router.post("/diff", summary="Compare graphs", responses=describe_errors(400, 413, 422, 500))
async def diff_graphs(wanted: DiffRequest) -> list[Difference]:
    """What differs from one graph to another."""
    return list(compare_specs(await resolve_graph(wanted.old), await resolve_graph(wanted.new)))


@router.post(
    "/import",
    status_code=201,
    summary="Import a graph",
    responses=describe_errors(400, 409, 413, 500),
    openapi_extra=GRAPH_TEXT,
)
async def import_graph(
    request: Request,
    name: Annotated[str, Query(description="The name to save it under; else its own.")] = "",
    note: Annotated[str, Query(description="What the version is about.")] = "",
) -> Version:
    """Save a graph from YAML or JSON as a new one."""
    data = await read_body(request, MAX_BYTES)
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise UsageError("The body is not text.", "Send YAML or JSON in UTF-8.") from error

    def save(library: Library) -> Version:
        own = name or parse_graph(text, "the body", library.find).name
        return library.save(own, text, note, author=get_backend().author)

    return await _call_library(save)


@router.get("/{name}", summary="Show a graph", responses=describe_errors(400, 404, 422, 500))
async def show_graph(
    name: Annotated[str, Path(description="A preset or a saved graph.", examples=["mango"])],
    version: VersionNumber = None,
) -> Version | PresetGraph:
    """A graph's text and spec; of a saved graph, those of a version."""
    if name not in preset_names():
        return await _call_library(lambda library: library.get(name, version))
    text, _ = await _call_library(lambda library: library.read_text(name))
    spec = load_graph(name)
    return PresetGraph(name=name, text=text, spec=spec, hash=spec.hash)


@router.put(
    "/{name}",
    status_code=201,
    summary="Save a version",
    responses=describe_errors(400, 404, 409, 413, 422, 500),
)
async def save_version(name: SavedName, new: NewVersion) -> Version:
    """Save a new version on top of `base`; 409 if there is a newer one."""
    if (new.text is None) == (new.graph is None):
        raise UsageError("A graph is saved from `text` or from `graph`.", "Send one of them.")

    def save(library: Library) -> Version:
        text = new.text
        if new.graph is not None:
            before = library.get(name, new.base).text if new.base else ""
            text = (
                rewrite_graph(before, new.graph, library.find) if before else write_graph(new.graph)
            )
        author = get_backend().author
        return library.save(name, text or "", new.note, new.base, author)

    return await _call_library(save)


@router.patch(
    "/{name}", summary="Rename a graph", responses=describe_errors(400, 404, 409, 413, 422, 500)
)
async def rename_graph(name: SavedName, change: NameChange) -> Version:
    """Rename a saved graph with all its versions."""
    user = get_backend().author
    return await _call_library(lambda library: library.rename(name, change.name, user))


@router.delete("/{name}", summary="Delete a graph", responses=describe_errors(400, 404, 500))
async def delete_graph(name: SavedName) -> GraphRef:
    """Delete a saved graph with all its versions; sessions keep theirs."""
    await _call_library(lambda library: library.delete(name))
    return GraphRef(name=name)


@router.post(
    "/{name}/copy",
    status_code=201,
    summary="Copy a graph",
    responses=describe_errors(400, 404, 409, 413, 422, 500),
)
async def copy_graph(
    name: Annotated[str, Path(description="The name of the copy.", examples=["mine"])],
    wanted: CopyRequest,
) -> Version:
    """Make a new graph from a preset, a saved graph or a version of one."""
    args = (wanted.source, name, wanted.note, get_backend().author)
    return await _call_library(lambda library: library.copy(*args))


@router.get("/{name}/versions", summary="List versions", responses=describe_errors(404, 500))
async def list_versions(name: SavedName) -> list[VersionLine]:
    """The versions of a saved graph, newest first, without their texts."""
    found = await _call_library(lambda library: library.list_versions(name))
    return [VersionLine(**_describe_version(each)) for each in found]


@router.post(
    "/{name}/restore",
    status_code=201,
    summary="Restore a version",
    responses=describe_errors(400, 404, 409, 413, 422, 500),
)
async def restore_version(name: SavedName, wanted: RestoreRequest) -> Version:
    """Make an earlier version the newest one."""
    args = (name, wanted.version, wanted.note, get_backend().author)
    return await _call_library(lambda library: library.restore(*args))


@router.get(
    "/{name}/export",
    summary="Export a graph",
    response_class=Response,
    responses={200: YAML, **describe_errors(400, 404, 422, 500)},
)
async def export_graph(
    name: Annotated[str, Path(description="A preset or a saved graph.", examples=["mango"])],
    version: VersionNumber = None,
) -> Response:
    """The YAML as it was written."""
    reference = f"{name}@{version}" if version else name

    def read_text(library: Library) -> str:
        if name not in preset_names():
            library.get(name, version)
        library.resolve_named(reference)
        return library.read_text(reference)[0]

    headers = {"Content-Disposition": f'attachment; filename="{name}.yaml"'}
    text = await _call_library(read_text)
    return Response(text, media_type="application/yaml", headers=headers)


async def _call_library(work: Callable[[Library], Result]) -> Result:
    return await asyncio.to_thread(work, open_library(get_backend().settings))


def _describe_version(version: Version) -> dict[str, Any]:
    return version.model_dump(mode="json", exclude={"text", "spec"})
