"""Possible fixes of a graph as a whole, the most sensible first; the checker picks the best one."""

from collections.abc import Iterator
from itertools import pairwise

from forager.node_type import NodeType, Registry
from graphs.check.suggest import (
    connect_route,
    edge_origin,
    edge_to,
    node_type_of,
    rank_targets,
    redirect_edge,
    unwired_routes,
    usual_among,
    usual_targets,
)
from graphs.spec.edit import Fix, number_name
from graphs.spec.flow import find_reached, reverse_arrows
from graphs.spec.resolved_graph import ResolvedGraph
from graphs.spec.spec import END, START, Edge, NodeSpec


def fix_unreached(seen: ResolvedGraph, given: frozenset[str], name: str) -> Iterator[Fix]:
    """Fix a node that is never reached: lead an unwired route or an edge to it, or remove it."""
    forwards = find_reached(START, seen.arrows())
    routes = [(source, route) for source, route in unwired_routes(seen) if source in forwards]
    usual = [each for each in routes if node_type_of(seen, name) in usual_targets(seen, *each)]
    for source, route in usual:
        yield connect_route(seen, source, route, name)
    onward = {edge.target for edge in seen.edges() if edge.source == name}
    for edge in seen.edges():  # a way that leads past it, to where it leads on
        kinds = usual_targets(seen, edge.source, edge.route)
        before = edge.source in forwards and edge.source != name and edge.target in onward
        if before and node_type_of(seen, name) in kinds:
            yield redirect_edge(seen, edge, name)
    for edge in seen.edges():
        kinds = usual_targets(seen, edge.source, edge.route)
        unusual = node_type_of(seen, edge.target) not in kinds
        if unusual and edge.source in forwards and node_type_of(seen, name) in kinds:
            yield redirect_edge(seen, edge, name)
    yield Fix(label=f"Remove {name!r}", remove=(name,))
    for source, route in routes:
        yield connect_route(seen, source, route, name)


def fix_dead_end(seen: ResolvedGraph, given: frozenset[str], name: str) -> Iterator[Fix]:
    """Fix a node from which the end cannot be reached: redirect an edge behind it."""
    arrows = seen.arrows()
    behind, reaching_end = find_reached(name, arrows), find_reached(END, reverse_arrows(arrows))
    edges = [edge for edge in seen.edges() if edge.source in behind]
    for edge in edges:
        for target in usual_among(seen, edge.source, edge.route, reaching_end):
            yield redirect_edge(seen, edge, target)
    for edge in sorted(edges, key=lambda edge: edge.route != seen.spent_route(edge.source)):
        targets = rank_targets(seen, given, edge.source, edge.route)
        yield from (
            redirect_edge(seen, edge, target) for target in targets[:3] if target in reaching_end
        )
    yield from (redirect_edge(seen, edge, END) for edge in edges if edge.source == name)


def fix_endless_loop(seen: ResolvedGraph, given: frozenset[str], loop: list[str]) -> Iterator[Fix]:
    """Fix a loop without a budget: lead the route of a spent budget, or another edge, out of it."""
    pairs = set(pairwise(loop))
    edges = [edge for edge in seen.edges() if (edge.source, edge.target) in pairs]
    spent = [edge for edge in edges if seen.spent_route(edge.source) == edge.route]
    for edge in [*spent, *(edge for edge in edges if edge not in spent)]:
        targets = [
            target
            for target in rank_targets(seen, given, edge.source, edge.route)
            if target not in loop or seen.spent_route(target)
        ]
        yield from (
            redirect_edge(seen, edge, target) for target in targets[:3] if target != edge.target
        )


def fix_unwritten_key(
    seen: ResolvedGraph, registry: Registry, path: list[str], key: str, writers: list[str]
) -> Iterator[Fix]:
    """Fix a key that no node on a path writes: lead the path through a writer, or add one."""
    hops = list(pairwise(path))[::-1]
    for hop in hops:
        for edge in (each for each in seen.edges() if (each.source, each.target) == hop):
            yield from (
                redirect_edge(seen, edge, writer) for writer in writers if writer != edge.target
            )
    if writers and hops:
        yield from _move_behind(seen, path[-1], writers)
    if writers or not hops:
        return
    for kind in (each for each in registry.values() if key in each.writes):
        last = [each for each in seen.edges() if (each.source, each.target) == hops[0]]
        yield _insert_node(seen, kind, last, path[-1])
        yield _insert_node(
            seen, kind, [each for each in seen.edges() if each.target == path[-1]], path[-1]
        )


def _move_behind(seen: ResolvedGraph, name: str, writers: list[str]) -> Iterator[Fix]:
    """Take a node with one edge out of its place, and put it behind a writer."""
    edges = seen.edges()
    after = [edge for edge in edges if edge.source == name]
    before = [edge for edge in edges if edge.target == name]
    if len(after) != 1 or after[0].target == name or name in writers:
        return
    onward = after[0]
    for old in (each for writer in writers for each in edges if each.source == writer):
        if old.target == name or old.fan:
            continue
        yield Fix(
            label=f"Put {name!r} between {edge_origin(old)} and {old.target}",
            cut=(*before, onward, old),
            draw=(
                *(edge_to(seen, edge.source, edge.route, onward.target) for edge in before),
                edge_to(seen, old.source, old.route, name),
                edge_to(seen, name, onward.route, old.target),
            ),
        )


def swap_nodes(seen: ResolvedGraph, name: str, route: str, writer: str) -> Iterator[Fix]:
    """Put the node behind a route before the node that has the route."""
    edges = seen.edges()
    between = [edge for edge in edges if (edge.source, edge.route) == (name, route)]
    after = [edge for edge in edges if edge.source == writer]
    before = [edge for edge in edges if edge.target == name and edge.source != writer]
    if [edge.target for edge in between] != [writer] or not before:
        return
    if len(after) != 1 or after[0].target == name:
        return
    yield Fix(
        label=f"Put {writer!r} before {name!r}",
        cut=(*before, *between, *after),
        draw=(
            *(edge_to(seen, edge.source, edge.route, writer) for edge in before),
            edge_to(seen, name, route, after[0].target),
            edge_to(seen, writer, after[0].route, name),
        ),
    )


def fix_uncounted_budget(
    seen: ResolvedGraph, registry: Registry, edge: Edge, key: str, writers: list[str]
) -> Iterator[Fix]:
    """Fix a budget that is not counted: lead its route to a node that counts it, or add one."""
    usual = list(usual_among(seen, edge.source, edge.route, writers))
    for name in [*usual, *(name for name in writers if name not in usual)]:
        yield redirect_edge(seen, edge, name)
    for kind in (each for each in registry.values() if key in each.writes):
        yield _insert_node(seen, kind, [edge], edge.target)


def fix_unanswered(seen: ResolvedGraph, kind: NodeType) -> Fix:
    """Fix a graph that ends without an answer: insert a node that writes it before the end."""
    return _insert_node(seen, kind, [each for each in seen.edges() if each.target == END], END)


def _insert_node(seen: ResolvedGraph, kind: NodeType, edges: list[Edge], before: str) -> Fix:
    """Insert a new node before a node; its first route leads there, the others where is usual."""
    name = number_name(
        kind.function.__name__.strip("_").lower()[:36], {*seen.spec.nodes, START, END}
    )
    holder = seen.spec.model_copy(
        update={"nodes": {**seen.spec.nodes, name: NodeSpec(type=kind.name)}}
    )
    nodes = {**seen.nodes, name: holder.nodes[name]}
    types = {**seen.types, name: kind}
    extended = ResolvedGraph(spec=holder, nodes=nodes, types=types, inner=seen.inner)
    drawn = [edge_to(extended, edge.source, edge.route, name) for edge in edges]
    for place, route in enumerate(kind.routes):
        others = (node for node in (*seen.spec.nodes, END) if node != before)
        usual = next(usual_among(extended, name, route, others), before)
        drawn.append(edge_to(extended, name, route, usual if place else before))
    return Fix(
        label=f"Insert {name!r} of type {kind.name!r} before {before!r}",
        cut=tuple(edges),
        draw=tuple(drawn),
        put={name: holder.nodes[name]},
    )
