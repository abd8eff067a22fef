"""A spec with its node types looked up: the view of a graph for the checker and the compiler."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import get_type_hints

from forager.domain.state import State
from forager.errors import GraphError
from forager.node_type import KEYS_GIVEN, NodeType, Registry
from graphs.spec.flow import Arrows, keys_written
from graphs.spec.spec import END, GRAPH, START, Edge, GraphSpec

KEYS_MERGED = frozenset(
    key
    for key, hint in get_type_hints(State, include_extras=True).items()
    if hasattr(hint, "__metadata__")
) - {"spend"}
"""The state keys that parallel branches may all write, because they are merged by id."""


@dataclass(frozen=True)
class ResolvedGraph:
    """A spec with the types of its nodes and its inner graphs.

    Only edges between known nodes count as arrows.
    """

    spec: GraphSpec
    types: Mapping[str, NodeType]
    inner: Mapping[str, "ResolvedGraph"]

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

    def written_before(self, given: frozenset[str]) -> dict[str, frozenset[str]]:
        """The state keys that are written before each node on every path."""
        return keys_written(START, self.arrows(), self.writes(), given)


def resolve_types(spec: GraphSpec, registry: Registry) -> ResolvedGraph:
    """Look up the types of a spec's nodes; unknown types and invalid inner graphs are left out."""
    inner: dict[str, ResolvedGraph] = {}
    for name, node in spec.nodes.items():
        if node.type == GRAPH and isinstance(node.params.get("spec"), dict):
            try:
                inner[name] = resolve_types(spec.inner(name), registry)
            except GraphError:
                continue  # the checker reports it
    return ResolvedGraph(spec=spec, types=node_types(spec, registry), inner=inner)


def node_types(spec: GraphSpec, registry: Registry) -> dict[str, NodeType]:
    """The type of each node as it is with the node's parameters; unknown types are left out."""
    return {
        name: registry[node.type].for_params(node.params)
        for name, node in spec.nodes.items()
        if node.type in registry
    }
