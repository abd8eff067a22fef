"""Nodes that work on nothing: no path to them writes the key that one of their routes needs."""

from collections import deque
from collections.abc import Iterator

from forager.node_type import NodeType, Registry
from graphs.check.finding import Finding
from graphs.check.global_fixes import fix_unanswered, fix_unwritten_key, swap_nodes
from graphs.check.soundness import MAX_TRIED, faults_after, resolve_after
from graphs.check.suggest import redirect_edge
from graphs.spec.edit import Fix
from graphs.spec.flow import find_reached, trace_path
from graphs.spec.resolved_graph import ResolvedGraph
from graphs.spec.spec import END, START

ANSWER = "answer"
"""The state key that a session shows."""


def find_unfed(
    seen: ResolvedGraph, given: frozenset[str], registry: Registry, maybe: frozenset[str]
) -> Iterator[Finding]:
    """Routes that need a key which is never written before them, each with the best fix.

    `given` are the state keys that are surely written before the graph starts, `maybe` those that
    may be. A route that a node never takes is an error. It is a warning if that is the only route,
    since the graph still ends.
    """
    for finding, fixes in _unfed_faults(seen, registry, maybe):
        for fix in fixes[:MAX_TRIED]:
            fixed = resolve_after(seen, registry, fix)
            fed = all(finding != left for left, _ in _unfed_faults(fixed, registry, maybe))
            if fed and not faults_after(seen, given, registry, fix):
                yield finding.model_copy(update={"fix": fix})
                break
        else:
            yield finding
    before = _maybe_written(seen, maybe)
    surely = seen.written_before(given)
    for name, inner in seen.inner.items():
        if name in before:
            for finding in find_unfed(inner, surely.get(name, given), registry, before[name]):
                yield finding.nested_in(name)


def find_unanswered(
    seen: ResolvedGraph, registry: Registry, maybe: frozenset[str]
) -> Iterator[Finding]:
    """A graph that ends without an answer on every path, though a node type can write one."""
    if ANSWER in _maybe_written(seen, maybe).get(END, {ANSWER}):
        return
    for kind in (each for each in registry.values() if ANSWER in each.writes):
        yield Finding(
            at="",
            message="No node writes an answer before the end.",
            mend=f"Insert a node of type {kind.name!r} before the end.",
            fix=fix_unanswered(seen, kind),
        )
        return


def find_silent_ends(seen: ResolvedGraph, given: frozenset[str]) -> Iterator[Finding]:
    """Edges by which the graph ends although no node before them wrote an answer, as warnings."""
    surely = seen.written_before(given)
    writers = [name for name, kind in seen.types.items() if ANSWER in kind.writes]
    if not writers:
        return
    for edge in seen.edges():
        silent = edge.source in surely and edge.source not in writers
        if edge.target == END and silent and ANSWER not in surely[edge.source]:
            yield Finding(
                severity="warning",
                at=str(edge),
                message="A run ends here without an answer, not even that nothing was found.",
                mend=f"Lead it to {' or '.join(map(repr, writers))}.",
                fix=redirect_edge(seen, edge, writers[0]),
            )


def _unfed_faults(
    seen: ResolvedGraph, registry: Registry, maybe: frozenset[str]
) -> Iterator[tuple[Finding, list[Fix]]]:
    before = _maybe_written(seen, maybe)
    reached = find_reached(START, seen.arrows())
    for name, kind in seen.types.items():
        for route, key in kind.fed.items():
            if key in before.get(name, {key}):
                continue
            writers = sorted(node for node in seen.types if key in seen.types[node].writes)
            message = (
                f"No node writes {key!r} before it, so it never takes {name}.{route}."
                if _is_closed(kind, route, before[name])
                else f"No node writes {key!r} before it, so it has nothing to work with."
            )
            finding = Finding(
                severity="error" if len(kind.routes) > 1 else "warning",
                at=name,
                message=message,
                mend=f"Lead a path to it through {' or '.join(map(repr, writers))}."
                if writers
                else f"Insert a node before it that writes {key!r}.",
            )
            path = trace_path(reached, name)
            swaps = [fix for node in writers for fix in swap_nodes(seen, name, route, node)]
            inserted = fix_unwritten_key(seen, registry, path, key, [])
            led = fix_unwritten_key(seen, registry, path, key, writers) if writers else ()
            yield finding, [*swaps, *led, *inserted]


def _maybe_written(seen: ResolvedGraph, maybe: frozenset[str]) -> dict[str, frozenset[str]]:
    """Per node that may be reached, the keys that some path writes before it."""
    before = {START: maybe}
    queue = deque([START])
    while queue:
        node = queue.popleft()
        after = before[node] | _may_write(seen, node)
        for edge in (each for each in seen.edges() if each.source == node):
            if node in seen.types and _is_closed(seen.types[node], edge.route, after):
                continue
            fresh = before.get(edge.target, frozenset()) | after
            if fresh != before.get(edge.target):
                before[edge.target] = fresh
                queue.append(edge.target)
    return before


def _may_write(seen: ResolvedGraph, node: str) -> frozenset[str]:
    if node in seen.inner:
        inner = seen.inner[node]
        return frozenset().union(*(_may_write(inner, each) for each in inner.spec.nodes))
    return seen.types[node].writes if node in seen.types else frozenset()


def _is_closed(kind: NodeType, route: str, written: frozenset[str]) -> bool:
    """Is the route one of several, and never taken before its key is written?"""
    return len(kind.routes) > 1 and kind.fed.get(route, "") not in {"", *written}
