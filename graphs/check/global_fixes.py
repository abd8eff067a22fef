"""What may mend a graph as a whole, the most sensible first; the checker takes what helps most."""

from collections.abc import Iterator
from itertools import pairwise

from forager.node_type import NodeType, Registry
from graphs.check.suggest import (
    by_custom,
    connect,
    customs,
    edge_to,
    kind_of,
    lead,
    ranked,
    unwired,
)
from graphs.spec.edit import Fix, free
from graphs.spec.flow import backwards, reached
from graphs.spec.resolved_graph import View
from graphs.spec.spec import END, START, Edge, NodeSpec


def reach(seen: View, given: frozenset[str], name: str) -> Iterator[Fix]:
    """A node that is never reached: an open route leads to it, or it goes."""
    forwards = reached(START, seen.arrows())
    ways = [(source, route) for source, route in unwired(seen) if source in forwards]
    usual = [way for way in ways if kind_of(seen, name) in customs(seen, *way)]
    for source, route in usual:
        yield connect(seen, source, route, name)
    for edge in seen.edges():
        kinds = customs(seen, edge.source, edge.route)
        strange = kind_of(seen, edge.target) not in kinds
        if strange and edge.source in forwards and kind_of(seen, name) in kinds:
            yield lead(seen, edge, name)
    yield Fix(label=f"Remove {name!r}", remove=(name,))
    for source, route in ways:
        yield connect(seen, source, route, name)


def homeward(seen: View, given: frozenset[str], name: str) -> Iterator[Fix]:
    """A node that no way leads on from to the end: one of the edges behind it leads there."""
    arrows = seen.arrows()
    behind, home = reached(name, arrows), reached(END, backwards(arrows))
    edges = [edge for edge in seen.edges() if edge.source in behind]
    for edge in edges:
        for target in by_custom(seen, edge.source, edge.route, home):
            yield lead(seen, edge, target)
    for edge in sorted(edges, key=lambda edge: edge.route != seen.spent(edge.source)):
        targets = ranked(seen, given, edge.source, edge.route)
        yield from (lead(seen, edge, target) for target in targets[:3] if target in home)
    yield from (lead(seen, edge, END) for edge in edges if edge.source == name)


def out_of(seen: View, given: frozenset[str], loop: list[str]) -> Iterator[Fix]:
    """A loop without a budget: a spent budget leads out of it, or one of its edges does."""
    pairs = set(pairwise(loop))
    edges = [edge for edge in seen.edges() if (edge.source, edge.target) in pairs]
    spent = [edge for edge in edges if seen.spent(edge.source) == edge.route]
    for edge in [*spent, *(edge for edge in edges if edge not in spent)]:
        targets = [
            target
            for target in ranked(seen, given, edge.source, edge.route)
            if target not in loop or seen.spent(target)
        ]
        yield from (lead(seen, edge, target) for target in targets[:3] if target != edge.target)


def written_before(
    seen: View, registry: Registry, way: list[str], key: str, writers: list[str]
) -> Iterator[Fix]:
    """A key that is read and not written on a way: it goes by a writer, or by a new one."""
    hops = list(pairwise(way))[::-1]
    for hop in hops:
        for edge in (each for each in seen.edges() if (each.source, each.target) == hop):
            yield from (lead(seen, edge, writer) for writer in writers if writer != edge.target)
    if writers or not hops:
        return
    for kind in (each for each in registry.values() if key in each.writes):
        last = [each for each in seen.edges() if (each.source, each.target) == hops[0]]
        yield _put(seen, kind, last, way[-1])
        yield _put(seen, kind, [each for each in seen.edges() if each.target == way[-1]], way[-1])


def counted(
    seen: View, registry: Registry, edge: Edge, key: str, writers: list[str]
) -> Iterator[Fix]:
    """A budget that is not counted: its route leads to what counts it, or to a new one."""
    usual = list(by_custom(seen, edge.source, edge.route, writers))
    for name in [*usual, *(name for name in writers if name not in usual)]:
        yield lead(seen, edge, name)
    for kind in (each for each in registry.values() if key in each.writes):
        yield _put(seen, kind, [edge], edge.target)


def _put(seen: View, kind: NodeType, edges: list[Edge], before: str) -> Fix:
    """A new node on some edges to a node; its routes lead on to that node, or where is usual."""
    name = free(kind.function.__name__.strip("_").lower()[:36], {*seen.spec.nodes, START, END})
    holder = seen.spec.model_copy(
        update={"nodes": {**seen.spec.nodes, name: NodeSpec(type=kind.name)}}
    )
    there = View(spec=holder, types={**seen.types, name: kind}, inner=seen.inner)
    ways = [edge_to(there, edge.source, edge.route, name) for edge in edges]
    for place, route in enumerate(kind.routes):
        others = (node for node in (*seen.spec.nodes, END) if node != before)
        usual = next(by_custom(there, name, route, others), before)
        ways.append(edge_to(there, name, route, usual if place else before))
    return Fix(
        label=f"Put {name!r} of type {kind.name!r} before {before!r}",
        cut=tuple(edges),
        draw=tuple(ways),
        put={name: holder.nodes[name]},
    )
