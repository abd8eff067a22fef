"""What the shipped graphs do: where they lead each route of each type."""

from collections import Counter
from collections.abc import Iterator
from functools import cache

from graphs.spec.spec import END, GRAPH, START, GraphSpec, load, presets


def customary(kind: str, route: str) -> tuple[str, ...]:
    """The types that a type's route leads to in the shipped graphs, the most usual first.

    The entry is of type `start`, the end of type `end`.
    """
    return _customs().get((kind, route), ())


@cache
def _customs() -> dict[tuple[str, str], tuple[str, ...]]:
    counts: dict[tuple[str, str], Counter[str]] = {}
    for name in presets():
        for kind, route, target in _ways(load(name)):
            counts.setdefault((kind, route), Counter())[target] += 1
    return {way: tuple(kind for kind, _ in found.most_common()) for way, found in counts.items()}


def _ways(spec: GraphSpec) -> Iterator[tuple[str, str, str]]:
    kinds = {name: node.type for name, node in spec.nodes.items()} | {START: START, END: END}
    for edge in spec.edges:
        yield kinds[edge.source], edge.route, kinds[edge.target]
    for name, node in spec.nodes.items():
        if node.type == GRAPH:
            yield from _ways(spec.inner(name))
