"""What may mend a graph as a whole, the most sensible first; the checker takes what helps most."""

from collections.abc import Iterator
from itertools import pairwise

from forager.node_type import NodeType, Registry
from graphs.check.suggest import (
    connect_route,
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
    """A node that is never reached: an open route leads to it, or it goes."""
    forwards = find_reached(START, seen.arrows())
    ways = [(source, route) for source, route in unwired_routes(seen) if source in forwards]
    usual = [way for way in ways if node_type_of(seen, name) in usual_targets(seen, *way)]
    for source, route in usual:
        yield connect_route(seen, source, route, name)
    for edge in seen.edges():
        kinds = usual_targets(seen, edge.source, edge.route)
        strange = node_type_of(seen, edge.target) not in kinds
        if strange and edge.source in forwards and node_type_of(seen, name) in kinds:
            yield redirect_edge(seen, edge, name)
    yield Fix(label=f"Remove {name!r}", remove=(name,))
    for source, route in ways:
        yield connect_route(seen, source, route, name)


def fix_dead_end(seen: ResolvedGraph, given: frozenset[str], name: str) -> Iterator[Fix]:
    """A node that no way leads on from to the end: one of the edges behind it leads there."""
    arrows = seen.arrows()
    behind, home = find_reached(name, arrows), find_reached(END, reverse_arrows(arrows))
    edges = [edge for edge in seen.edges() if edge.source in behind]
    for edge in edges:
        for target in usual_among(seen, edge.source, edge.route, home):
            yield redirect_edge(seen, edge, target)
    for edge in sorted(edges, key=lambda edge: edge.route != seen.spent_route(edge.source)):
        targets = rank_targets(seen, given, edge.source, edge.route)
        yield from (redirect_edge(seen, edge, target) for target in targets[:3] if target in home)
    yield from (redirect_edge(seen, edge, END) for edge in edges if edge.source == name)


def fix_endless_loop(seen: ResolvedGraph, given: frozenset[str], loop: list[str]) -> Iterator[Fix]:
    """A loop without a budget: a spent budget leads out of it, or one of its edges does."""
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
    seen: ResolvedGraph, registry: Registry, way: list[str], key: str, writers: list[str]
) -> Iterator[Fix]:
    """A key that is read and not written on a way: it goes by a writer, or by a new one."""
    hops = list(pairwise(way))[::-1]
    for hop in hops:
        for edge in (each for each in seen.edges() if (each.source, each.target) == hop):
            yield from (
                redirect_edge(seen, edge, writer) for writer in writers if writer != edge.target
            )
    if writers or not hops:
        return
    for kind in (each for each in registry.values() if key in each.writes):
        last = [each for each in seen.edges() if (each.source, each.target) == hops[0]]
        yield _insert_node(seen, kind, last, way[-1])
        yield _insert_node(
            seen, kind, [each for each in seen.edges() if each.target == way[-1]], way[-1]
        )


def fix_uncounted_budget(
    seen: ResolvedGraph, registry: Registry, edge: Edge, key: str, writers: list[str]
) -> Iterator[Fix]:
    """A budget that is not counted: its route leads to what counts it, or to a new one."""
    usual = list(usual_among(seen, edge.source, edge.route, writers))
    for name in [*usual, *(name for name in writers if name not in usual)]:
        yield redirect_edge(seen, edge, name)
    for kind in (each for each in registry.values() if key in each.writes):
        yield _insert_node(seen, kind, [edge], edge.target)


def _insert_node(seen: ResolvedGraph, kind: NodeType, edges: list[Edge], before: str) -> Fix:
    """A new node on some edges to a node; its routes lead on to that node, or where is usual."""
    name = number_name(
        kind.function.__name__.strip("_").lower()[:36], {*seen.spec.nodes, START, END}
    )
    holder = seen.spec.model_copy(
        update={"nodes": {**seen.spec.nodes, name: NodeSpec(type=kind.name)}}
    )
    there = ResolvedGraph(spec=holder, types={**seen.types, name: kind}, inner=seen.inner)
    ways = [edge_to(there, edge.source, edge.route, name) for edge in edges]
    for place, route in enumerate(kind.routes):
        others = (node for node in (*seen.spec.nodes, END) if node != before)
        usual = next(usual_among(there, name, route, others), before)
        ways.append(edge_to(there, name, route, usual if place else before))
    return Fix(
        label=f"Put {name!r} of type {kind.name!r} before {before!r}",
        cut=tuple(edges),
        draw=tuple(ways),
        put={name: holder.nodes[name]},
    )
