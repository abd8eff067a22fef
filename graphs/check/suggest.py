"""Suggests targets for routes: sound ones first, then those that the presets use."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from graphs.spec.edit import Fix
from graphs.spec.flow import find_reached, reverse_arrows
from graphs.spec.resolved_graph import ResolvedGraph
from graphs.spec.spec import END, GRAPH, START, Edge, GraphSpec, load_graph, preset_names


def usual_types(kind: str, route: str) -> tuple[str, ...]:
    """The types to which a type's route leads in the presets, the most frequent first.

    The entry has type `start`, the end has type `end`.
    """
    return _usual_successors().get((kind, route), ())


@cache
def _usual_successors() -> dict[tuple[str, str], tuple[str, ...]]:
    counts: dict[tuple[str, str], Counter[str]] = {}
    for name in preset_names():
        for kind, route, target in _typed_edges(load_graph(name)):
            counts.setdefault((kind, route), Counter())[target] += 1
    return {
        route: tuple(kind for kind, _ in found.most_common()) for route, found in counts.items()
    }


def _typed_edges(spec: GraphSpec) -> Iterator[tuple[str, str, str]]:
    kinds = {name: node.type for name, node in spec.nodes.items()} | {START: START, END: END}
    for edge in spec.edges:
        yield kinds[edge.source], edge.route, kinds[edge.target]
    for name, node in spec.nodes.items():
        if node.type == GRAPH:
            yield from _typed_edges(spec.inner(name))


def connect_route(seen: ResolvedGraph, source: str, route: str, target: str) -> Fix:
    """Lead an unwired route to a node."""
    edge = edge_to(seen, source, route, target)
    return Fix(label=f"Connect {edge_origin(edge)} to {target}", draw=(edge,))


def redirect_edge(seen: ResolvedGraph, old: Edge, target: str) -> Fix:
    """Lead an edge to another node."""
    edge = edge_to(seen, old.source, old.route, target)
    label = f"Begin at {target}" if old.source == START else f"Lead {edge_origin(edge)} to {target}"
    return Fix(label=label, cut=(old,), draw=(edge,))


def redirect_or_drop(seen: ResolvedGraph, given: frozenset[str], old: Edge) -> Fix:
    """Lead an edge without a valid target to the most sensible node, or remove it."""
    known = old.source in seen.types or old.source in seen.inner or old.source == START
    targets = rank_targets(seen, given, old.source, old.route) if known else [END]
    if (old.source == START and targets == [END]) or not known:
        return Fix(label=f"Remove {old}", cut=(old,))
    return redirect_edge(
        seen, old, next(name for name in targets if old.source != START or name != END)
    )


def edge_to(seen: ResolvedGraph, source: str, route: str, target: str) -> Edge:
    """An edge; it fans out if it leads from a node that draws arms to a graph."""
    draws = source in seen.types and "draw" in seen.types[source].writes
    fan = draws and node_type_of(seen, target) == GRAPH
    return Edge(source=source, route=route, target=target, fan=fan)


def edge_origin(edge: Edge) -> str:
    """The source of an edge with its route."""
    return f"{edge.source}.{edge.route}" if edge.route else edge.source


def node_type_of(seen: ResolvedGraph, node: str) -> str:
    """The type of a node; `start` and `end` for the entry and the end."""
    return seen.spec.nodes[node].type if node in seen.spec.nodes else node


def unwired_routes(seen: ResolvedGraph) -> list[tuple[str, str]]:
    """The routes without an edge, as (node, route)."""
    wired = {(edge.source, edge.route) for edge in seen.spec.edges}
    names = [name for name in seen.spec.nodes if name in seen.types or name in seen.inner]
    routes = [(name, route) for name in names for route in seen.routes(name)]
    return [route for route in routes if route not in wired]


def arrows_without_budget(seen: ResolvedGraph) -> dict[str, list[str]]:
    """The arrows that remain when each node with a budget takes the route of its spent budget."""
    arrows: dict[str, list[str]] = {}
    for edge in seen.edges():
        if edge.route == (seen.spent_route(edge.source) or edge.route):
            arrows.setdefault(edge.source, []).append(edge.target)
    return arrows


def usual_targets(seen: ResolvedGraph, source: str, route: str) -> tuple[str, ...]:
    """The types to which the presets lead the route; the end last."""
    kinds = usual_types(node_type_of(seen, source), route)
    return tuple(sorted(kinds, key=lambda kind: kind == END))


def is_single(fix: Fix) -> bool:
    """Does a fix no more than lead one route to a node?"""
    return len(fix.draw) == 1 and not (fix.put or fix.remove)


def is_usual(seen: ResolvedGraph, fix: Fix) -> bool:
    """Does a fix no more than lead a route to a node to which the presets would lead it?"""
    if not is_single(fix):
        return False
    [edge] = fix.draw
    return node_type_of(seen, edge.target) in usual_targets(seen, edge.source, edge.route)


def usual_among(
    seen: ResolvedGraph, source: str, route: str, among: Iterable[str]
) -> Iterator[str]:
    """Those of the nodes `among` to which the presets would lead the route."""
    names = list(among)
    for kind in usual_targets(seen, source, route):
        yield from (name for name in names if node_type_of(seen, name) == kind)


def rank_targets(seen: ResolvedGraph, given: frozenset[str], source: str, route: str) -> list[str]:
    """All known nodes and the end, the most sensible target of the route first."""
    arrows, before = seen.arrows(), seen.written_before(given)
    forwards, reaching_end = find_reached(START, arrows), find_reached(END, reverse_arrows(arrows))
    known = before[source] | seen.writes().get(source, frozenset()) if source in before else None
    free = seen.spent_route(source) not in {"", route}
    circles = (
        {source}
        if free
        else {source, *find_reached(source, reverse_arrows(arrows_without_budget(seen)))}
    )
    kinds = usual_targets(seen, source, route)
    names = list(seen.spec.nodes)
    own = names.index(source) if source in names else -1

    def rank(target: str) -> tuple[int | bool, ...]:
        kind = node_type_of(seen, target)
        return (
            target in circles or (known is not None and not seen.required_keys(target) <= known),
            kinds.index(kind) if kind in kinds else len(kinds) + (target == END),
            target in forwards,
            target not in reaching_end,
            target != END and names.index(target) < own,
        )

    return sorted(
        [*(name for name in names if name in seen.types or name in seen.inner), END], key=rank
    )


def close_gaps(seen: ResolvedGraph, earlier: Sequence[GraphSpec]) -> dict[tuple[str, str], Fix]:
    """For each route without an edge that led to a node which is gone, the fix that leads it on.

    `earlier` are the graphs as they were before, the newest first.
    """
    gaps: dict[tuple[str, str], Fix] = {}
    for source, route in unwired_routes(seen):
        for before in earlier:
            led = [e.target for e in before.edges if (e.source, e.route) == (source, route)]
            gone = [name for name in led if name in before.nodes and name not in seen.spec.nodes]
            onward = (name for each in gone for name in _lead_on(seen, before, each, {source}))
            if target := next(onward, None):
                gaps[source, route] = connect_route(seen, source, route, target)
                break
    return gaps


def _lead_on(seen: ResolvedGraph, before: GraphSpec, gone: str, passed: set[str]) -> Iterator[str]:
    """Where the routes of a node led that is gone, in their order; through others that are gone."""
    passed.add(gone)
    for edge in before.edges:
        if edge.source != gone or edge.target in passed:
            continue
        if edge.target in seen.types or edge.target in seen.inner or edge.target == END:
            yield edge.target
        elif edge.target not in seen.spec.nodes:
            yield from _lead_on(seen, before, edge.target, passed)
