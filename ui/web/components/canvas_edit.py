"""What the canvas sends and is sent, as types."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from pydantic import ValidationError

from forager.domain.base import Frozen
from forager.errors import GraphError
from forager.node_type import KEYS_GIVEN, NodeType, Registry
from graphs.check.checker import Finding
from graphs.spec.resolved_graph import node_types
from graphs.spec.spec import END, GraphSpec, load_graph, preset_names


class Edit(Frozen):
    """A graph as it was changed on the canvas.

    `base` is the revision that was changed; `number` counts the edits of this `canvas`.
    """

    canvas: str = ""
    base: int
    number: int
    spec: GraphSpec

    @property
    def revision(self) -> int:
        """The revision that the canvas reaches with this edit."""
        return self.base + 1


def read_edit(value: object) -> Edit:
    """The edit in a message of the canvas. Raises GraphError."""
    try:
        return Edit.model_validate(value)
    except ValidationError as error:
        raise GraphError(
            "The canvas sent something that is not a graph.",
            "Reload the page; your draft is kept.",
        ) from error


def describe_graph(
    spec: GraphSpec, revision: int, registry: Registry, findings: Sequence[Finding]
) -> dict[str, Any]:
    """A graph with its node types and findings, as the canvas reads it."""
    return {
        "revision": revision,
        **describe_drawing(spec, registry),
        "findings": [{"fix": None, **finding.model_dump(mode="json")} for finding in findings],
    }


def describe_drawing(spec: GraphSpec, registry: Registry) -> dict[str, Any]:
    """What is drawn of a graph: itself and its node types."""
    return {"spec": spec.model_dump(mode="json"), "types": _describe_types(spec, registry)}


def _describe_types(spec: GraphSpec, registry: Registry) -> list[dict[str, Any]]:
    """The types, with the routes, and the one that is enough, of nodes with others of their own."""
    types = {name: _describe_type(kind) for name, kind in registry.items()}
    for name, kind in node_types(spec, registry).items():
        if kind.routes != registry[kind.name].routes:
            types[kind.name]["node_routes"][name] = list(kind.routes)
        if kind.enough != registry[kind.name].enough:
            types[kind.name]["node_enough"][name] = kind.enough
    return list(types.values())


def _describe_type(kind: NodeType) -> dict[str, Any]:
    return {
        "name": kind.name,
        "family": kind.family,
        "summary": kind.summary,
        "routes": list(kind.routes),
        "node_routes": {},
        "node_enough": {},
        "reads": sorted(kind.reads | kind.looks),
        "needs": sorted(kind.required_keys({}) - KEYS_GIVEN),
        "writes": sorted(kind.writes),
        "spent": kind.spent,
        "enough": kind.enough,
        "own": getattr(kind, "own", False),
        "followed": count_followers().get(kind.name, {}),
    }


@cache
def count_followers() -> Mapping[str, Mapping[str, Mapping[str, int]]]:
    """How often a type follows on a route of another in the presets, by type and route.

    A node that ends the graph is followed by `end`.
    """
    found: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    for name in preset_names():
        spec = load_graph(name)
        for edge in spec.edges:
            source, target = spec.nodes.get(edge.source), spec.nodes.get(edge.target)
            if source:
                found[source.type][edge.route][target.type if target else END] += 1
    counts = found.items()
    return {kind: {route: dict(each) for route, each in routes.items()} for kind, routes in counts}
