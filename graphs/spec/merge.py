"""Merges what two people made of one graph: by node, route, parameter and prompt.

What only one of them changed is taken; what both changed differently is a conflict with a name.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Final, Literal, NamedTuple

from graphs.spec.diff import MISSING, find_renames, inner_graph, is_same_value
from graphs.spec.edit import rename_nodes, with_inner_graph
from graphs.spec.spec import INNER, Edge, GraphSpec, NodeSpec

Side = Literal["theirs", "mine"]
Route = tuple[str, str]
TAKEN_AS_MINE: Final = ("positions", "folds", "breakpoints")
"""Where both changed how one thing is drawn, mine stays."""


class Conflict(NamedTuple):
    """What both changed: its place, and what it is on each side; MISSING if it is not there."""

    place: str
    theirs: object
    mine: object


class Merge(NamedTuple):
    """The merged graph, and all conflicts; mine is in the graph where none was chosen."""

    graph: GraphSpec
    conflicts: tuple[Conflict, ...]


def merge_graphs(
    base: GraphSpec,
    theirs: GraphSpec,
    mine: GraphSpec,
    choices: Mapping[str, Side] | None = None,
) -> Merge:
    """Merge two graphs that were made from `base`; `choices` decide conflicts by their places."""
    base, theirs, mine = _with_same_names(base, theirs, mine)
    three = _ThreeWay(base, theirs, mine, choices or {})
    return three.merge()


def _with_same_names(
    base: GraphSpec, theirs: GraphSpec, mine: GraphSpec
) -> tuple[GraphSpec, GraphSpec, GraphSpec]:
    """The three graphs with the new names of nodes that one side renamed."""
    for renamed, other in ((theirs, mine), (mine, theirs)):
        names = {
            was: now
            for was, now in find_renames(base, renamed).items()
            if was in other.nodes and now not in other.nodes
        }
        base = rename_nodes(base, names)
        if other is mine:
            mine = rename_nodes(mine, names)
        else:
            theirs = rename_nodes(theirs, names)
    return base, theirs, mine


@dataclass
class _ThreeWay:
    base: GraphSpec
    theirs: GraphSpec
    mine: GraphSpec
    choices: Mapping[str, Side]
    conflicts: list[Conflict] = field(default_factory=list)
    kept: dict[str, Side] = field(default_factory=dict)
    """The nodes that one side removed and the other changed: from which side they are."""

    def merge(self) -> Merge:
        nodes = self._merge_nodes()
        description = self._pick(
            "description", *(each.description for each in (self.base, self.theirs, self.mine))
        )
        drawing = {name: self._merge_part(name, None) for name in TAKEN_AS_MINE}
        graph = self.mine.model_copy(
            update={
                "description": description,
                "parameters": self._merge_part("parameters", "parameter {}"),
                "nodes": nodes,
                "edges": self._merge_edges(nodes),
                "notes": self._merge_part("notes", "note {}"),
                **drawing,
            }
        )
        return Merge(self._merge_inner(graph), tuple(self.conflicts))

    def _pick(self, place: str | None, base: object, theirs: object, mine: object) -> Any:
        """The value at a place; without a place mine stays where both changed it."""
        if is_same_value(theirs, mine) or is_same_value(theirs, base):
            return mine
        if is_same_value(mine, base):
            return theirs
        if place is None:
            return mine
        self.conflicts.append(Conflict(place, theirs, mine))
        return theirs if self.choices.get(place) == "theirs" else mine

    def _merge_part(self, name: str, place: str | None) -> dict[str, Any]:
        parts = [getattr(spec, name) for spec in (self.base, self.theirs, self.mine)]
        return self._merge_members(parts, place)

    def _merge_members(
        self, three: Sequence[Mapping[str, Any]], place: str | None
    ) -> dict[str, Any]:
        """What base, theirs and mine hold by name, merged one by one."""
        base, theirs, mine = three
        merged: dict[str, Any] = {}
        for name in dict.fromkeys([*mine, *theirs]):
            at = place.format(name) if place else None
            values = (each.get(name, MISSING) for each in (base, theirs, mine))
            if (value := self._pick(at, *values)) is not MISSING:
                merged[name] = value
        return merged

    def _merge_nodes(self) -> dict[str, NodeSpec]:
        merged: dict[str, NodeSpec] = {}
        for name in dict.fromkeys([*self.mine.nodes, *self.theirs.nodes]):
            one, other = self.theirs.nodes.get(name), self.mine.nodes.get(name)
            was = self.base.nodes.get(name)
            if one and other and one.type == other.type and (not was or was.type == one.type):
                merged[name] = self._merge_node(name, was, one, other)
            elif node := self._pick_whole(name, was, one, other):
                merged[name] = node
        return merged

    def _pick_whole(
        self, name: str, was: NodeSpec | None, one: NodeSpec | None, other: NodeSpec | None
    ) -> NodeSpec | None:
        """A node that one side has not, or that has another type there."""
        here = next((spec for spec in (self.theirs, self.mine) if name not in spec.nodes), None)
        if was and here is not None:
            rest = self.mine if here is self.theirs else self.theirs
            used = _edges_of(rest, name) - _edges_of(self.base, name)
            if used and is_same_value(rest.nodes.get(name), was):
                self.conflicts.append(Conflict(name, one or MISSING, other or MISSING))
                side: Side = "theirs" if self.choices.get(name) == "theirs" else "mine"
                self.kept[name] = side
                return one if side == "theirs" else other
        before = len(self.conflicts)
        found: NodeSpec | object = self._pick(
            name, was or MISSING, one or MISSING, other or MISSING
        )
        if len(self.conflicts) > before:
            self.kept[name] = "theirs" if self.choices.get(name) == "theirs" else "mine"
        return found if isinstance(found, NodeSpec) else None

    def _merge_node(
        self, name: str, was: NodeSpec | None, one: NodeSpec, other: NodeSpec
    ) -> NodeSpec:
        old = was or NodeSpec(type=one.type)
        three = (old, one, other)
        bodies = [
            {param: value for param, value in each.params.items() if param != INNER}
            for each in three
        ]
        params = self._merge_members(bodies, f"{name}.{{}}")
        if not _all_inner(three):
            inner = (each.params.get(INNER, MISSING) for each in three)
            if (value := self._pick(f"{name}.{INNER}", *inner)) is not MISSING:
                params[INNER] = value
        else:
            params[INNER] = other.params[INNER]  # merged at the end
        written = [each.prompts for each in three]
        prompts = self._merge_members(written, f"{name}, instructions for {{}}")
        about = self._pick(f"{name}.description", *(each.description for each in three))
        update = {"params": params, "prompts": prompts, "description": about}
        return other.model_copy(update=update)

    def _merge_edges(self, nodes: Mapping[str, NodeSpec]) -> tuple[Edge, ...]:
        base, theirs, mine = map(_routes, (self.base, self.theirs, self.mine))
        sides = {"theirs": theirs, "mine": mine}
        gone = {*self.base.nodes, *self.theirs.nodes, *self.mine.nodes} - nodes.keys()
        merged: dict[Route, tuple[Edge, ...]] = {}
        for route in dict.fromkeys([*mine, *theirs]):
            old = _without(base.get(route, ()), gone | self.kept.keys())
            three = old, *(_without(each.get(route, ()), gone) for each in (theirs, mine))
            kept = next((side for name, side in self.kept.items() if self._is_of(route, name)), "")
            named = f"{route[0]}.{route[1]}" if route[1] else route[0]
            merged[route] = sides[kept].get(route, ()) if kept else self._pick(named, *three)
        found = dict.fromkeys(chain.from_iterable(merged.values()))
        ordered = dict.fromkeys([*self.mine.edges, *self.theirs.edges])
        return _without(tuple(edge for edge in ordered if edge in found), gone)

    def _is_of(self, route: Route, node: str) -> bool:
        """Whether a route begins at a node, or leads to it on the side that has the node."""
        touching = (*_edges_of(self.theirs, node), *_edges_of(self.mine, node))
        return any((each.source, each.route) == route for each in touching)

    def _merge_inner(self, graph: GraphSpec) -> GraphSpec:
        """The graph with the graphs inside of nodes merged, which all three have."""
        for name in graph.nodes:
            three = [
                found
                for spec in (self.base, self.theirs, self.mine)
                if name in spec.nodes and (found := inner_graph(spec.nodes[name]))
            ]
            if len(three) < 3 or not inner_graph(graph.nodes[name]):  # noqa: PLR2004
                continue
            around = f"{name}/"
            choices = {
                place.removeprefix(around): side
                for place, side in self.choices.items()
                if place.startswith(around)
            }
            merge = merge_graphs(three[0], three[1], three[2], choices)
            self.conflicts += (
                each._replace(place=f"{around}{each.place}") for each in merge.conflicts
            )
            if merge.graph != three[2]:
                graph = with_inner_graph(graph, name, merge.graph)
        return graph


def _all_inner(nodes: tuple[NodeSpec, ...]) -> bool:
    return all(inner_graph(each) for each in nodes)


def _routes(spec: GraphSpec) -> dict[Route, tuple[Edge, ...]]:
    found: dict[Route, tuple[Edge, ...]] = {}
    for edge in sorted(spec.edges, key=str):
        route = (edge.source, edge.route)
        found[route] = (*found.get(route, ()), edge)
    return found


def _edges_of(spec: GraphSpec, node: str) -> set[Edge]:
    return {edge for edge in spec.edges if node in (edge.source, edge.target)}


def _without(edges: tuple[Edge, ...], gone: set[str]) -> tuple[Edge, ...]:
    return tuple(edge for edge in edges if not {edge.source, edge.target} & gone)


def describe_sides(merge: Merge) -> Iterator[tuple[str, str, str]]:
    """Each conflict in words: its place, theirs and mine."""
    for each in merge.conflicts:
        yield each.place, _describe(each.theirs), _describe(each.mine)


def _describe(value: object) -> str:
    """A value of one side, or empty where it is not there."""
    if value is MISSING or value in ((), None):
        return ""
    if isinstance(value, tuple):
        return ", ".join(each.target if isinstance(each, Edge) else str(each) for each in value)
    if isinstance(value, NodeSpec):
        return value.type
    text = getattr(value, "text", getattr(value, "default", value))
    return str(text)
