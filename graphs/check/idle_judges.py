"""Judges whose verdict decides nothing, since all their routes lead to one node."""

from collections.abc import Iterable, Iterator

from forager.node_type import Registry
from graphs.check.finding import Finding
from graphs.check.soundness import MAX_OFFERED, MAX_TRIED, faults_after, resolve_after
from graphs.check.suggest import is_usual, redirect_edge, usual_among
from graphs.spec.edit import Fix
from graphs.spec.flow import find_reached, reverse_arrows
from graphs.spec.resolved_graph import ResolvedGraph
from graphs.spec.spec import END, START, Edge

ANSWER, EVIDENCE = "answer", "evidence"


def find_idle_judges(
    seen: ResolvedGraph, given: frozenset[str], registry: Registry
) -> Iterator[Finding]:
    """A warning for each judge that changes nothing, with the fix that lets it decide.

    A graph of one node has no other place to lead to. `given` are the state keys that are surely
    written before the graph starts.
    """
    for name, edges in _idle_judges(seen).items():
        fixes = list(_sound_fixes(seen, given, registry, name, edges))
        target = edges[0].target
        led = f"routes of {name!r} lead to {target!r}, so its verdict changes nothing."
        finding = Finding(
            severity="warning",
            at=name,
            message=f"All {led}" if edges[2:] else f"Both {led}",
            mend="Lead the one on which there is enough to where the answer is written, "
            "and the others to where the work goes on.",
            fix=fixes[0] if fixes else None,
            alternatives=tuple(fix for fix in fixes[1:] if is_usual(seen, fix))[: MAX_OFFERED - 1],
        )
        yield finding
    before = seen.written_before(given)
    for name, inner in seen.inner.items():
        for finding in find_idle_judges(inner, before.get(name, given), registry):
            yield finding.nested_in(name)


def _idle_judges(seen: ResolvedGraph) -> dict[str, list[Edge]]:
    """The judges that only decide, and do not, with their edges."""
    found: dict[str, list[Edge]] = {}
    for name, kind in seen.types.items():
        edges = [edge for edge in seen.edges() if edge.source == name]
        whole = {edge.route for edge in edges} == set(kind.routes)
        if kind.only_decides and whole and len({edge.target for edge in edges}) == 1:
            found[name] = edges
    return found if len(seen.spec.nodes) > 1 else {}


def _sound_fixes(
    seen: ResolvedGraph, given: frozenset[str], registry: Registry, name: str, edges: list[Edge]
) -> Iterator[Fix]:
    """The fixes after which the judge decides and the graph is sound, the most sensible first."""
    tried = 0
    for fix in _possible_fixes(seen, name, edges):
        if (tried := tried + 1) > MAX_TRIED:
            return
        if name not in _idle_judges(resolve_after(seen, registry, fix)) and not faults_after(
            seen, given, registry, fix
        ):
            yield fix


def _possible_fixes(seen: ResolvedGraph, name: str, edges: list[Edge]) -> Iterator[Fix]:
    """Lead the way out to where the graph ends; if it does already, another one back to work."""
    enough = seen.types[name].enough
    out = next((edge for edge in edges if edge.route == enough), None)
    last = _ending_part(seen)
    if out is None:
        return
    if out.target in last:
        behind = find_reached(name, reverse_arrows(seen.arrows()))
        working = [node for node in behind if node not in {*last, name, START}]
        for edge in (each for each in edges if each is not out):
            for target in _ranked(seen, edge, working):
                yield redirect_edge(seen, edge, target)
        return
    answering = [node for node in last if ANSWER in seen.writes().get(node, ())]
    for target in _ranked(seen, out, [*answering, *last]):
        yield redirect_edge(seen, out, target)


def _ending_part(seen: ResolvedGraph) -> tuple[str, ...]:
    """The nodes from which only the end is left: none behind them finds more. The end is last."""
    arrows = seen.arrows()
    finding = {name for name in seen.spec.nodes if EVIDENCE in seen.writes().get(name, ())}
    finding |= seen.inner.keys()
    working = {name for each in finding for name in find_reached(each, reverse_arrows(arrows))}
    ending = find_reached(END, reverse_arrows(arrows))
    nodes = (name for name in seen.spec.nodes if name in ending and name not in working)
    return (*nodes, END)


def _ranked(seen: ResolvedGraph, edge: Edge, among: Iterable[str]) -> list[str]:
    """Where the presets lead the route first, then the others in their order."""
    names = list(dict.fromkeys(among))
    return list(dict.fromkeys([*usual_among(seen, edge.source, edge.route, names), *names]))
