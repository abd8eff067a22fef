"""Faults of a graph as a whole: dead ends, endless loops, keys read before they are written."""

from collections.abc import Collection, Iterable, Iterator
from functools import partial
from itertools import islice
from typing import NamedTuple

from forager.node_type import Registry
from graphs.check import global_fixes
from graphs.check.finding import Finding
from graphs.check.local_fixes import unify_arrows
from graphs.check.suggest import arrows_without_budget, is_single, is_usual, unwired_routes
from graphs.spec.edit import Fix, apply_edit
from graphs.spec.flow import find_loops, find_reached, reverse_arrows, trace_path
from graphs.spec.resolved_graph import ResolvedGraph, with_other_spec
from graphs.spec.spec import END, START

MAX_TRIED = 12
"""The number of fixes that are tried for one fault."""
MAX_OFFERED = 3
"""The number of fixes of one fault among which a person may choose."""


class Fault(NamedTuple):
    """A finding with its possible fixes, the most sensible first."""

    finding: Finding
    fixes: Iterable[Fix]


def find_unsound(
    seen: ResolvedGraph, given: frozenset[str], registry: Registry, closing: Iterable[Fix] = ()
) -> Iterator[Finding]:
    """The faults of a graph whose names are valid, each with the fix that leaves the fewest.

    `given` are the state keys written before the graph starts. A fix of those that are `closing` a
    gap goes before all others, then that of an earlier fault which has the same cause, then one by
    which a route leads where the presets lead it and which brings no other fault; there may be
    several of these. None bypasses a node: what was reached before it, still is.
    """
    trials = _Trials(seen, given, registry)
    kept: list[Fix] = []
    closing = tuple(closing)
    for finding, fixes in trials.faults:
        own = tuple(islice(fixes, MAX_TRIED))
        left = {place: trials.left_by(fix, finding) for place, fix in enumerate(own)}
        usual = [
            own[place]
            for place, others in left.items()
            if others is not None and trials.brings_nothing(others) and is_usual(seen, own[place])
        ]
        closed = next((fix for fix in closing if trials.left_by(fix, finding) is not None), None)
        fewest = trials.fewest_left((*kept, *own), finding)
        cause = closed or (fewest if fewest in kept else None)
        best = cause or next(iter(usual), fewest)
        kept += [best] if best and best not in kept else []
        told = {
            "fix": best,
            "alternatives": () if cause else tuple(usual[1:MAX_OFFERED]),
            "sure": bool(cause or usual) or best is None or not is_single(best),
        }
        yield finding.model_copy(update=told)


class _Trials:
    """What is left of the faults of a graph after each of its possible fixes."""

    def __init__(self, seen: ResolvedGraph, given: frozenset[str], registry: Registry) -> None:
        self._graph = (seen, given, registry)
        self._reached = find_reached(START, seen.arrows()).keys()
        self._left: dict[str, list[Finding]] = {}
        self.faults = list(_find_faults(*self._graph))
        self._before = [finding for finding, _ in self.faults]

    def left_by(self, fix: Fix, finding: Finding) -> list[Finding] | None:
        """The faults after a fix; None if the finding is among them, or a node is bypassed."""
        key = fix.model_dump_json()
        if key not in self._left:
            self._left[key] = faults_after(*self._graph, fix)
        left = self._left[key]
        bypassed = any(map(partial(_bypasses, self._reached), left))
        return None if finding in left or bypassed else left

    def brings_nothing(self, left: list[Finding]) -> bool:
        """Is all that is left a fault that there was before?"""
        return all(each in self._before for each in left)

    def fewest_left(self, fixes: Iterable[Fix], finding: Finding) -> Fix | None:
        """The first of the fixes that mend a finding which leaves the fewest faults."""
        found = ((fix, self.left_by(fix, finding)) for fix in fixes)
        counted = [(len(left), fix) for fix, left in found if left is not None]
        return min(counted, key=lambda each: each[0])[1] if counted else None


def _bypasses(reached: Collection[str], left: Finding) -> bool:
    """Is it, after a fix, that a node is not reached which was reached before?"""
    return left.at in reached and left.message == _never_reached(left.at)


def _never_reached(name: str) -> str:
    return f"{name!r} is never reached."


def faults_after(
    seen: ResolvedGraph, given: frozenset[str], registry: Registry, fix: Fix
) -> list[Finding]:
    """The faults of the graph as a whole after a fix, themselves without fixes."""
    changed = resolve_after(seen, registry, fix)
    return [finding for finding, _ in _find_faults(changed, given, registry)]


def resolve_after(seen: ResolvedGraph, registry: Registry, fix: Fix) -> ResolvedGraph:
    """The graph after a fix that leaves the graphs inside it as they are."""
    return with_other_spec(seen, apply_edit(seen.spec, fix), registry)


def _find_faults(seen: ResolvedGraph, given: frozenset[str], registry: Registry) -> Iterator[Fault]:
    yield from _reach_faults(seen, given)
    yield from _loop_faults(seen, given)
    yield from _uncounted_budgets(seen, registry)
    yield from _key_faults(seen, given, registry)


def _reach_faults(seen: ResolvedGraph, given: frozenset[str]) -> Iterator[Fault]:
    arrows = seen.arrows()
    forwards = find_reached(START, arrows)
    back = reverse_arrows(arrows)
    reaching_end = set(find_reached(END, back))
    for source, _ in unwired_routes(seen):  # reported as unwired; they may yet lead to the end
        reaching_end |= find_reached(source, back).keys()
    for name in seen.spec.nodes:
        if name not in forwards:
            finding = Finding(
                at=name,
                message=_never_reached(name),
                mend="Add an edge to it, or remove it.",
            )
            yield Fault(finding, global_fixes.fix_unreached(seen, given, name))
        elif name not in reaching_end:
            finding = Finding(
                at=name,
                message=f"No path leads from {name!r} to the end.",
                mend="Lead one of its routes to a node from which the end is reached.",
            )
            yield Fault(finding, global_fixes.fix_dead_end(seen, given, name))


def _loop_faults(seen: ResolvedGraph, given: frozenset[str]) -> Iterator[Fault]:
    """Loops that remain when each node with a budget takes the route of its spent budget."""
    within = find_reached(START, seen.arrows())
    arrows = {node: nexts for node, nexts in arrows_without_budget(seen).items() if node in within}
    for loop in find_loops(arrows):
        exits = ", ".join(
            f"{name}.{seen.spent_route(name)}" for name in loop[1:] if seen.spent_route(name)
        )
        finding = Finding(
            at=loop[0],
            message=f"The loop {' -> '.join(loop)} has no budget that ends it.",
            mend=f"Lead {exits} out of it." if exits else "Lead it through a node with a budget.",
        )
        yield Fault(finding, global_fixes.fix_endless_loop(seen, given, loop))


def _uncounted_budgets(seen: ResolvedGraph, registry: Registry) -> Iterator[Fault]:
    """Budgets counted by other nodes, where a path leads back without passing one of those."""
    writes, arrows = seen.writes(), seen.arrows()
    own = {name for name, kind in seen.types.items() if kind.spent and not kind.counts}
    for edge in seen.edges():
        kind = seen.types.get(edge.source)
        key = kind.counts.get(edge.route) if kind else None
        if key is None:
            continue
        writers = [name for name, keys in writes.items() if key in keys]
        before = find_reached(edge.target, arrows, without={*writers, *own})
        if edge.source in before:
            path = " -> ".join(trace_path(before, edge.source))
            finding = Finding(
                at=str(edge),
                message=f"It leads back by {path}, and no node there writes {key!r}, "
                f"by which the budget of {edge.source!r} is counted.",
                mend=f"Lead it through {' or '.join(map(repr, writers))}."
                if writers
                else f"Insert a node on that path that writes {key!r}.",
            )
            yield Fault(
                finding, global_fixes.fix_uncounted_budget(seen, registry, edge, key, writers)
            )


def _key_faults(seen: ResolvedGraph, given: frozenset[str], registry: Registry) -> Iterator[Fault]:
    before = seen.written_before(given)
    writes = seen.writes()
    for name, kind in seen.types.items():
        if name not in before:
            continue  # reported as unreachable
        for key in sorted(seen.required_keys(name) - before[name]):
            writers = sorted(node for node, keys in writes.items() if key in keys)
            path = trace_path(
                find_reached(START, seen.arrows(), without=set(writers) - {name}), name
            )
            finding = Finding(
                at=name,
                message=f"It reads {key!r}, which no node writes on {' -> '.join(path)}.",
                mend=f"Lead that path through {' or '.join(map(repr, writers))}."
                if writers
                else f"Insert a node before it that writes {key!r}.",
            )
            fixes = global_fixes.fix_unwritten_key(seen, registry, path, key, writers)
            yield Fault(finding, fixes)
        fans = [edge for edge in seen.edges() if edge.source == name and edge.fan]
        if fans and "draw" not in before[name] | kind.writes:
            finding = Finding(
                at=str(fans[0]),
                message="No arms are drawn for the branches.",
                mend="Fan out from a selector.",
            )
            yield Fault(finding, [unify_arrows(seen.spec, fans[0].target, fan=False)])
