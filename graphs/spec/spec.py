"""Graphs as data: nodes with types and parameters, and edges written as `node.route -> node`."""

import hashlib
import json
import re
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Literal

from pydantic import (
    Field,
    FiniteFloat,
    GetJsonSchemaHandler,
    ValidationError,
    model_serializer,
    model_validator,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, ErrorDetails

from forager.adapters.store.sessions.session_records import Session, refuse_damaged
from forager.domain.base import FiniteJson, Frozen
from forager.domain.parameters import Parameter
from forager.errors import GraphError
from forager.util.suggest import did_you_mean
from forager.util.yaml_reader import Path as DataPath
from forager.util.yaml_reader import read_yaml

NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
START = "start"
END = "end"
GRAPH = "graph"
"""The node type that holds another spec in its parameter `spec`."""
INNER, SET = "spec", "set"
"""The parameters of a node of type graph: the graph inside, and values for its parameters."""

Breakpoint = Literal["before", "after", "both"]
"""Where runs of a draft pause at a node."""

PRESETS = Path(__file__).parents[1] / "presets"
EDGE = re.compile(r"\s*([^\s.]+?)(?:\.([^\s.]+))?\s*(->|=>)\s*([^\s.]+)\s*")
MAX_DEPTH = 8
MAX_BYTES = 1_000_000
MAX_NODES = 500
MAX_PARAMETERS = 50
MAX_NOTES = 100
MAX_NOTE_TEXT = 4000
DRAWING = ("positions", "folds", "notes", "breakpoints")
"""What is kept with a graph and is no part of what it does."""


class NodeSpec(Frozen):
    """A node: its type, the parameters that differ from the defaults, and its own instructions.

    `prompts` maps tasks of the node to instructions that replace the shipped ones. `description`
    says to a reader what the node is for.
    """

    type: str
    description: str = Field("", max_length=MAX_NOTE_TEXT)
    params: dict[str, FiniteJson] = Field(default_factory=dict)
    prompts: dict[str, str] = Field(default_factory=dict)


class Note(Frozen):
    """A note on the canvas; `place` is its left and upper edge, its width and its height."""

    text: str = Field("", max_length=MAX_NOTE_TEXT)
    colour: Literal["yellow", "green", "blue", "grey"] = "yellow"
    place: tuple[FiniteFloat, FiniteFloat, FiniteFloat, FiniteFloat]


class Edge(Frozen):
    """`source.route -> target`; with `=>` one branch per drawn arm. Only `start` has no route."""

    source: str
    route: str = ""
    target: str
    fan: bool = False

    @model_validator(mode="before")
    @classmethod
    def _read(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        match = EDGE.fullmatch(value)
        if match is None:
            raise ValueError(f"{value!r} is not an edge; write `node.route -> node`")
        source, route, arrow, target = match.groups()
        return {"source": source, "route": route or "", "target": target, "fan": arrow == "=>"}

    @model_serializer
    def _write(self) -> str:
        return str(self)

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """An edge is written as text."""
        return {"type": "string", "title": "Edge", "examples": ["survey.found -> select"]}

    def __str__(self) -> str:
        route = f".{self.route}" if self.route else ""
        return f"{self.source}{route} {'=>' if self.fan else '->'} {self.target}"


class GraphSpec(Frozen):
    """A whole graph. Its layout and what nodes are said to be for are not part of its hash.

    `positions` are the nodes' places on the canvas, `folds` the groups of nodes drawn as one box,
    `notes` texts that lie between them. `breakpoints` are where runs of a draft pause, by the path
    of a node: walk/act is inside walk. Nodes refer to the `parameters` as `$name`.
    """

    name: str
    description: str = ""
    parameters: dict[str, Parameter] = Field(default_factory=dict, max_length=MAX_PARAMETERS)
    nodes: dict[str, NodeSpec] = Field(max_length=MAX_NODES)
    edges: tuple[Edge, ...]
    positions: dict[str, tuple[float, float]] = Field(default_factory=dict)
    folds: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    notes: dict[str, Note] = Field(default_factory=dict, max_length=MAX_NOTES)
    breakpoints: dict[str, Breakpoint] = Field(default_factory=dict)

    def canonical(self) -> str:
        """The canonical JSON text: without layout and breakpoints, names and edges sorted."""
        body = self.model_dump(mode="json", exclude=set(DRAWING))
        body["edges"] = sorted(body["edges"])
        for node in body["nodes"].values():
            if not node["description"]:
                del node["description"]
            if not node["prompts"]:  # keeps the hashes of graphs from before there were prompts
                del node["prompts"]
        if not body["parameters"]:  # and from before there were parameters
            del body["parameters"]
        return _canonical_json(body)

    @property
    def hash(self) -> str:
        """SHA-256 of the canonical form without descriptions of nodes, in hex."""
        text = self.canonical()
        if any(node.description or node.type == GRAPH for node in self.nodes.values()):
            body = json.loads(text)
            _drop_descriptions(body["nodes"])
            text = _canonical_json(body)
        return hashlib.sha256(text.encode()).hexdigest()

    def inner(self, name: str) -> "GraphSpec":
        """The graph inside a node of type `graph`. Raises GraphError."""
        body = self.nodes[name].params.get("spec")
        if not isinstance(body, dict):
            raise GraphError(
                f"The node {name!r} of {self.name!r} holds no graph.",
                "Set its parameter `spec` to the name of a preset, or to a whole graph.",
            )
        return _validate_graph(body, f"graph {name!r}", {})


def _canonical_json(body: dict[str, Any]) -> str:
    return json.dumps(body, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def _drop_descriptions(nodes: dict[str, Any]) -> None:
    """Remove what nodes are said to be for, also in the graphs inside them."""
    for node in nodes.values():
        node.pop("description", None)
        inner = node.get("params", {}).get("spec")
        if node.get("type") == GRAPH and isinstance(inner, dict):
            own = inner.get("nodes")
            if isinstance(own, dict) and all(isinstance(each, dict) for each in own.values()):
                _drop_descriptions(own)


FindGraph = Callable[[str], GraphSpec | None]
"""Looks up a reference that names no preset; None if it may name a file. Raises GraphError."""


def find_none(reference: str) -> None:
    """A FindGraph that knows no graphs."""


def parse_graph(text: str, source: str = "the graph", find: FindGraph = find_none) -> GraphSpec:
    """Parse a graph and the graphs inside it from YAML or JSON. Raises GraphError with the line."""
    return _parse_nested(text, source, find, ())


def line_numbers(text: str) -> dict[str, int]:
    """The line of each node (by name) and each edge (as `str(edge)`) in a valid text."""
    data, places = read_yaml(text, "the graph")
    found = {str(name): places["nodes", name] for name in data["nodes"]}
    for index, edge in enumerate(data["edges"]):
        found[str(Edge.model_validate(edge))] = places["edges", index]
    return found


@cache
def preset_names() -> tuple[str, ...]:
    """The names of the graphs that ship with Forager."""
    return tuple(sorted(path.stem for path in PRESETS.glob("*.yaml")))


def is_preset(spec: GraphSpec) -> bool:
    """Is it a graph that ships with Forager, unchanged but for its layout?"""
    return spec.name in preset_names() and spec.hash == _load_preset(spec.name).hash


def load_graph(reference: str, find: FindGraph = find_none) -> GraphSpec:
    """A graph by the name of a preset, by `find`, or from a file. Raises GraphError."""
    return _load_nested(reference, find, ())


def _load_nested(reference: str, find: FindGraph, trail: tuple[str, ...]) -> GraphSpec:
    if reference not in preset_names() and (found := find(reference)):
        return found
    if reference in trail or len(trail) >= MAX_DEPTH:
        raise GraphError(
            f"The graph {reference!r} contains itself: {' in '.join((reference, *trail[::-1]))}.",
            "Remove one of them.",
        )
    if reference in preset_names():
        return _load_preset(reference)
    return _parse_nested(_read_file(reference), reference, find, (*trail, reference))


def _read_file(reference: str) -> str:
    """The text of a graph in a file. Raises GraphError."""
    path = Path(reference)
    try:
        if not path.is_file():
            raise FileNotFoundError(reference)
        with path.open("rb") as file:
            body = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise GraphError(
            f"There is no graph {reference!r}.",
            f"{did_you_mean(reference, preset_names())} Or name a file.".strip(),
        ) from error
    if len(body) > MAX_BYTES:
        raise GraphError(
            f"{path} is too large for a graph.", f"A graph has at most {MAX_BYTES:,} bytes."
        )
    try:
        return body.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise GraphError(f"{path} is not text in UTF-8.", "Save it as UTF-8.") from error


@cache
def _load_preset(name: str) -> GraphSpec:
    """A preset, read once: parsing takes 10 to 20 ms. The graphs inside it are presets too."""
    path = PRESETS / f"{name}.yaml"
    return _parse_nested(path.read_text(encoding="utf-8"), str(path), find_none, (name,))


def _parse_nested(text: str, source: str, find: FindGraph, trail: tuple[str, ...]) -> GraphSpec:
    return _inline_graphs(_parse_text(text, source), find, trail)


@lru_cache(maxsize=64)
def _parse_text(text: str, source: str) -> GraphSpec:
    """A graph as it stands in a text; the editor reads that of a draft several times in a run."""
    data, places = read_yaml(text, source)
    if not isinstance(data, dict):
        raise GraphError(f"{source} holds no graph.", "A graph has `name:`, `nodes:` and `edges:`.")
    return _validate_graph(data, source, places)


def _inline_graphs(spec: GraphSpec, find: FindGraph, trail: tuple[str, ...]) -> GraphSpec:
    """Replace references to graphs by their specs, so that the graph is complete in itself."""
    nodes = dict(spec.nodes)
    for name, node in spec.nodes.items():
        body = node.params.get("spec")
        if node.type != GRAPH or body is None:
            continue
        if isinstance(body, str):
            inner = _load_nested(body, find, trail)
        else:
            inner = _inline_graphs(spec.inner(name), find, trail)
        params = {**node.params, "spec": json.loads(inner.canonical())}
        nodes[name] = node.model_copy(update={"params": params})
    return spec.model_copy(update={"nodes": nodes})


def _validate_graph(data: dict[str, Any], source: str, places: dict[DataPath, int]) -> GraphSpec:
    try:
        return GraphSpec.model_validate(data)
    except ValidationError as error:
        faults = sorted(error.errors(), key=lambda fault: fault["type"] == "missing")
        more = f" ({len(faults) - 1} more)" if len(faults) > 1 else ""
        what, mend = _explain_fault(faults[0])
        line = _line_of(faults[0]["loc"], places)
        raise GraphError(f"{source}{line}: {what}.{more}", mend) from error


def _explain_fault(fault: ErrorDetails) -> tuple[str, str]:
    path, kind = fault["loc"], fault["type"]
    where = ".".join(map(str, path))
    if kind == "extra_forbidden":
        return f"unknown entry {path[-1]!r}", did_you_mean(str(path[-1]), _field_names(path))
    if kind == "missing":
        return f"{where!r} is missing", "Add it."
    if path and path[0] == "edges" and kind == "value_error":
        return str(fault["ctx"]["error"]), "For example: `survey.found -> select`."
    return f"{where}: {fault['msg']}", "See `forager graph draw forager` for a graph that works."


def _field_names(path: tuple[int | str, ...]) -> Iterable[str]:
    models: dict[str, type[Frozen]] = {"nodes": NodeSpec, "parameters": Parameter}
    return models.get(str(path[0]), GraphSpec).model_fields


def _line_of(path: DataPath, places: dict[DataPath, int]) -> str:
    """The line of the longest known prefix of the path."""
    known = (places[path[:end]] for end in range(len(path), -1, -1) if path[:end] in places)
    line = next(known, None)
    return f", line {line}" if line else ""


def graph_of(session: Session) -> GraphSpec:
    """The graph that the session was started with. Raises DamagedError."""
    with refuse_damaged(session.id):
        return _graph_of_body(session.graph_body)


@lru_cache(maxsize=64)
def _graph_of_body(body: str) -> GraphSpec:
    return GraphSpec.model_validate_json(body)
