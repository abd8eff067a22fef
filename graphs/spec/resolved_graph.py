"""A spec with its node types looked up: the view of a graph for the checker and the compiler."""

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import get_type_hints

from pydantic import JsonValue

from forager.conditions.condition import fill_references
from forager.domain.parameters import ParameterValue, fill_value
from forager.domain.state import State
from forager.errors import GraphError
from forager.node_type import KEYS_GIVEN, NodeType, Registry
from graphs.spec.edit import with_values
from graphs.spec.flow import Arrows, keys_written
from graphs.spec.spec import END, GRAPH, INNER, SET, START, Edge, GraphSpec, NodeSpec

DRAWS = "selector"
"""The type of the nodes that begin each round."""
MAPS = "surveyor"
"""The type of the nodes that rank the pages of sites."""
KEYS_MERGED = frozenset(
    key
    for key, hint in get_type_hints(State, include_extras=True).items()
    if hasattr(hint, "__metadata__")
) - {"spend"}
"""The state keys that parallel branches may all write, because they are merged by id."""


@dataclass(frozen=True)
class ResolvedGraph:
    """A spec with its nodes, in which parameters have their values, their types and inner graphs.

    Only edges between known nodes count as arrows.
    """

    spec: GraphSpec
    nodes: Mapping[str, NodeSpec]
    types: Mapping[str, NodeType]
    inner: Mapping[str, "ResolvedGraph"]

    def required_keys(self, node: str) -> frozenset[str]:
        """The state keys that must be written before a node runs; none if its type is unknown."""
        if node not in self.types:
            return frozenset()
        return self.types[node].required_keys(self.nodes[node].params)

    def routes(self, node: str) -> tuple[str, ...]:
        """The routes of a node; an inner graph has one."""
        return self.types[node].routes if node in self.types else (END,)

    def spent_route(self, node: str) -> str:
        """The route that a node takes when its budget is spent, or empty."""
        return self.types[node].spent if node in self.types else ""

    def edges(self) -> list[Edge]:
        """The edges that lead from a known node to a known node."""
        known = self.types.keys() | self.inner.keys()
        sources, targets = known | {START}, known | {END}
        return [
            edge for edge in self.spec.edges if edge.source in sources and edge.target in targets
        ]

    def arrows(self) -> Arrows:
        """Each node's successors, in the order of the edges."""
        return self._arrows

    @cached_property
    def _arrows(self) -> Arrows:
        found: dict[str, list[str]] = {}
        for edge in self.edges():
            found.setdefault(edge.source, []).append(edge.target)
        return found

    def runs_in_branches(self, node: str) -> bool:
        """Whether the node runs as one branch per drawn arm."""
        return any(edge.fan for edge in self.spec.edges if edge.target == node)

    def writes(self) -> Mapping[str, frozenset[str]]:
        """The state keys that each node has written when it ends."""
        return self._writes

    @cached_property
    def _writes(self) -> Mapping[str, frozenset[str]]:
        found = {name: kind.writes for name, kind in self.types.items()}
        for name, inner in self.inner.items():
            keys = inner.written_before(KEYS_GIVEN).get(END, frozenset())
            found[name] = keys & KEYS_MERGED if self.runs_in_branches(name) else keys
        return found

    def may_write(self, node: str) -> frozenset[str]:
        """The state keys that a node, or one of the graph inside it, writes on any path."""
        if inner := self.inner.get(node):
            return frozenset[str]().union(*map(inner.may_write, inner.nodes))
        return self.types[node].writes if node in self.types else frozenset()

    def written_before(self, given: frozenset[str]) -> dict[str, frozenset[str]]:
        """The state keys that are written before each node on every path."""
        return keys_written(START, self.arrows(), self.writes(), given)


def resolve_types(spec: GraphSpec, registry: Registry) -> ResolvedGraph:
    """Look up the types of a spec's nodes; unknown types and invalid inner graphs are left out."""
    inner: dict[str, ResolvedGraph] = {}
    nodes = filled_nodes(spec, registry)
    for name, node in nodes.items():
        if node.type == GRAPH and isinstance(node.params.get("spec"), dict):
            try:
                inner[name] = resolve_types(_inner_with_values(spec, name, node), registry)
            except GraphError:
                continue  # the checker reports it
    return ResolvedGraph(spec=spec, nodes=nodes, types=_types_of(nodes, registry), inner=inner)


def _inner_with_values(spec: GraphSpec, name: str, node: NodeSpec) -> GraphSpec:
    """The graph inside a node, with the values that the node sets; valid ones alone."""
    inner, values = spec.inner(name), node.params.get(SET)
    for parameter, value in values.items() if isinstance(values, dict) else ():
        with suppress(GraphError):  # the checker reports it
            inner = with_values(inner, {parameter: value})
    return inner


def filled_nodes(spec: GraphSpec, registry: Registry) -> dict[str, NodeSpec]:
    """The nodes with the values of the graph's parameters in place of `$name`."""
    values = {name: parameter.default for name, parameter in spec.parameters.items()}
    filled: dict[str, NodeSpec] = {}
    for name, node in spec.nodes.items():
        params = fill_params(registry.get(node.type), node.params, values)
        same = params == node.params
        filled[name] = node if same else node.model_copy(update={"params": params})
    return filled


def filled_graph(spec: GraphSpec, registry: Registry) -> GraphSpec:
    """The graph with its values in place, inner graphs included, and without parameters."""
    nodes = filled_nodes(spec, registry)
    for name, node in nodes.items():
        if node.type == GRAPH and isinstance(node.params.get(INNER), dict):
            inner = filled_graph(_inner_with_values(spec, name, node), registry)
            nodes[name] = node.model_copy(update={"params": {INNER: json.loads(inner.canonical())}})
    return spec.model_copy(update={"nodes": nodes, "parameters": {}})


def fill_params(
    kind: NodeType | None, params: Mapping[str, JsonValue], values: Mapping[str, ParameterValue]
) -> dict[str, JsonValue]:
    """A node's parameters with values in place of `$name`; a graph inside has its own."""
    filled: dict[str, JsonValue] = {}
    for param, value in params.items():
        if kind and param in kind.conditions and isinstance(value, list):
            texts = (fill_references(text, values) for text in value if isinstance(text, str))
            filled[param] = list(texts)
        else:
            filled[param] = value if param == INNER else fill_value(value, values)
    return filled


def node_types(spec: GraphSpec, registry: Registry) -> dict[str, NodeType]:
    """The type of each node as it is with the node's parameters; unknown types are left out."""
    return _types_of(filled_nodes(spec, registry), registry)


def most_rounds(spec: GraphSpec, registry: Registry) -> int | None:
    """The most rounds that a graph takes, whatever the budget; None if it has no limit."""
    return max(_params_of(spec, registry, DRAWS, "rounds"), default=None)


def most_offline_rounds(spec: GraphSpec, registry: Registry) -> int | None:
    """The same without a model, for a question whose budget says nothing of rounds."""
    return max(filter(None, _params_of(spec, registry, DRAWS, "offline_rounds")), default=None)


def most_read_whole(spec: GraphSpec, registry: Registry) -> int:
    """How many pages a site may have to be read whole without a model."""
    ranked = max(_params_of(spec, registry, MAPS, "top"), default=0)
    return min(ranked, most_rounds(spec, registry) or ranked)


def _params_of(spec: GraphSpec, registry: Registry, type: str, param: str) -> Iterator[int]:
    """This parameter of every node of a type, also in the graphs inside."""
    seen = resolve_types(spec, registry)
    for inner in seen.inner.values():
        yield from _params_of(inner.spec, registry, type, param)
    for node in seen.nodes.values():
        if node.type == type and node.type in registry:
            params = registry[node.type].params.model_validate(node.params)
            yield params.model_dump()[param]


def with_other_spec(seen: ResolvedGraph, spec: GraphSpec, registry: Registry) -> ResolvedGraph:
    """Another spec that holds the same graphs inside, as far as it has their nodes."""
    nodes = filled_nodes(spec, registry)
    inner = {name: inner for name, inner in seen.inner.items() if name in spec.nodes}
    return ResolvedGraph(spec=spec, nodes=nodes, types=_types_of(nodes, registry), inner=inner)


def _types_of(nodes: Mapping[str, NodeSpec], registry: Registry) -> dict[str, NodeType]:
    return {
        name: registry[node.type].for_params(node.params)
        for name, node in nodes.items()
        if node.type in registry
    }
