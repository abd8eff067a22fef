"""Functions on directed graphs: reachability, paths, loops, keys written before a node."""

from collections import deque
from collections.abc import Iterable, Mapping

Arrows = Mapping[str, Iterable[str]]
"""Node to its successors."""


def find_reached(start: str, arrows: Arrows, without: Iterable[str] = ()) -> dict[str, str]:
    """Every node reached from `start`, with its predecessor; paths end at nodes in `without`."""
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
    """The path to `target` from the predecessors that `find_reached` returned."""
    nodes = [target]
    while before[nodes[-1]] != nodes[-1]:
        nodes.append(before[nodes[-1]])
    return nodes[::-1]


def reverse_arrows(arrows: Arrows) -> dict[str, list[str]]:
    """The graph with every arrow reversed."""
    found: dict[str, list[str]] = {}
    for node, successors in arrows.items():
        for successor in successors:
            found.setdefault(successor, []).append(node)
    return found


def find_loops(arrows: Arrows) -> list[list[str]]:
    """One loop per strongly connected component, starting and ending at its first node."""
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
    """Per node reached, the keys that every path from `start` writes before it."""
    before = {start: given}
    queue = deque([start])
    while queue:
        node = queue.popleft()
        after = before[node] | writes.get(node, frozenset())
        for successor in arrows.get(node, ()):
            known = before.get(successor)
            common = after if known is None else known & after
            if common != known:
                before[successor] = common
                queue.append(successor)
    return before
