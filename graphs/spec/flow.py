"""Pure questions about directed graphs: what is reached, what loops, what was written before."""

from collections import deque
from collections.abc import Iterable, Mapping

Arrows = Mapping[str, Iterable[str]]
"""Node to its successors."""


def find_reached(start: str, arrows: Arrows, without: Iterable[str] = ()) -> dict[str, str]:
    """Every node reached from `start`, with its predecessor; no path goes on from `without`."""
    before = {start: start}
    closed = set(without)
    queue = deque([start])
    while queue:
        node = queue.popleft()
        if node in closed:
            continue
        for successor in arrows.get(node, ()):
            if successor not in before:
                before[successor] = node
                queue.append(successor)
    return before


def trace_path(before: Mapping[str, str], target: str) -> list[str]:
    """The path that `reached` found."""
    nodes = [target]
    while before[nodes[-1]] != nodes[-1]:
        nodes.append(before[nodes[-1]])
    return nodes[::-1]


def reverse_arrows(arrows: Arrows) -> dict[str, list[str]]:
    """The same graph with every arrow turned round."""
    turned: dict[str, list[str]] = {}
    for node, successors in arrows.items():
        for successor in successors:
            turned.setdefault(successor, []).append(node)
    return turned


def find_loops(arrows: Arrows) -> list[list[str]]:
    """One loop through each set of nodes that reach each other, each from its first node on."""
    found: list[list[str]] = []
    seen: set[str] = set()
    for node in arrows:
        if node in seen:
            continue
        for successor in arrows[node]:
            before = find_reached(successor, arrows)
            if node in before:
                loop = [node, *trace_path(before, node)]
                found.append(loop)
                seen |= {other for other in before if node in find_reached(other, arrows)}
                break
    return found


def keys_written(
    start: str, arrows: Arrows, writes: Mapping[str, frozenset[str]], given: frozenset[str]
) -> dict[str, frozenset[str]]:
    """Per node reached, the keys that every path from `start` has written before it."""
    before = {start: given}
    queue = deque([start])
    while queue:
        node = queue.popleft()
        after = before[node] | writes.get(node, frozenset())
        for successor in arrows.get(node, ()):
            known = before.get(successor)
            met = after if known is None else known & after
            if met != known:
                before[successor] = met
                queue.append(successor)
    return before
