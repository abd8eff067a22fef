"""Faults of the wiring: a graph has one entry, and every route has exactly one edge."""

from collections import Counter
from collections.abc import Iterator, Mapping

from forager.node_type import Registry
from forager.util.suggest import did_you_mean
from graphs.check.finding import Finding
from graphs.check.local_fixes import (
    correct_ends,
    drop_duplicates,
    drop_edge,
    misspelt_node,
)
from graphs.check.soundness import MAX_OFFERED, faults_after
from graphs.check.suggest import (
    connect_route,
    is_usual,
    node_type_of,
    rank_targets,
    redirect_or_drop,
    unwired_routes,
    usual_targets,
)
from graphs.spec.edit import Fix
from graphs.spec.flow import find_reached
from graphs.spec.resolved_graph import ResolvedGraph
from graphs.spec.spec import END, START, Edge


def check_entry(seen: ResolvedGraph, given: frozenset[str]) -> Iterator[Finding]:
    """Faults of the entry: exactly one edge must lead from `start`, to a node."""
    entries = [edge for edge in seen.spec.edges if edge.source == START]
    first = next(iter(seen.spec.nodes), END)
    if not entries and seen.spec.nodes:  # a graph without nodes has a finding of its own
        yield Finding(
            at="",
            message="There is no entry.",
            mend=f"Lead start to a node, such as {first!r}.",
            fix=_fix_entry(seen, given, ()),
        )
    for edge in entries[1:]:
        yield Finding(
            at=str(edge),
            message="There is more than one entry.",
            mend="Keep one of them.",
            fix=drop_duplicates(edge) if entries.count(edge) > 1 else drop_edge(edge),
        )
    for edge in entries[:1]:
        if edge.route or edge.fan or edge.target == END:
            yield Finding(
                at=str(edge),
                message="The entry must lead to one node, without a route.",
                mend=f"Lead start to a node, such as {first!r}.",
                fix=_fix_entry(seen, given, (edge,)),
            )


def check_ends(seen: ResolvedGraph, given: frozenset[str]) -> Iterator[Finding]:
    """Names in edges that no node has, each once with all edges that have it."""
    unknown: dict[str, dict[Edge, None]] = {}
    for edge in seen.spec.edges:
        for name, open_end in ((edge.source, START), (edge.target, END)):
            if name not in seen.spec.nodes and name != open_end:
                unknown.setdefault(name, {})[edge] = None
    for name, found in unknown.items():
        edges = tuple(found)
        ends = (END,) if all(edge.source != name for edge in edges) else ()
        near = misspelt_node(seen.spec, name, *ends)
        yield Finding(
            at=str(edges[0]),
            message=f"There is no node {name!r}.",
            mend=did_you_mean(name, [*seen.spec.nodes, *(ends or (START,))]),
            fix=correct_ends(edges, name, near) if near else _drop_ends(seen, given, edges, name),
            sure=bool(near),
            also=tuple(map(str, edges[1:])),
        )


def _drop_ends(
    seen: ResolvedGraph, given: frozenset[str], edges: tuple[Edge, ...], name: str
) -> Fix:
    """Remove the edges that leave a node that is gone, and lead those to it elsewhere."""
    fixes = [
        drop_edge(edge) if edge.source == name else redirect_or_drop(seen, given, edge)
        for edge in edges
    ]
    if len(fixes) == 1:
        return fixes[0]
    return Fix(
        label=f"Lead its {len(fixes)} edges elsewhere, or remove them",
        cut=edges,
        draw=tuple(edge for fix in fixes for edge in fix.draw),
    )


def check_wiring(
    seen: ResolvedGraph,
    given: frozenset[str],
    registry: Registry,
    gaps: Mapping[tuple[str, str], Fix],
) -> Iterator[Finding]:
    """Routes with several edges, and routes without one; `gaps` are the fixes to prefer."""
    wired = Counter((edge.source, edge.route) for edge in seen.spec.edges)
    strays = (edge for edge in seen.spec.edges if edge.source not in {START, *seen.spec.nodes})
    meant = {(misspelt_node(seen.spec, edge.source), edge.route) for edge in strays}
    unwired = set(unwired_routes(seen)) - meant
    for name in [*seen.types, *seen.inner]:
        routes = seen.routes(name)
        misnamed = any(edge.source == name and edge.route not in routes for edge in seen.spec.edges)
        for route in routes:
            if wired[name, route] > 1:
                yield Finding(
                    at=name,
                    message=f"The route {name}.{route} has {wired[name, route]} edges.",
                    mend="Keep one edge.",
                    fix=_keep_one_edge(seen, given, registry, (name, route)),
                )
            if (name, route) in unwired and not misnamed:
                finding = Finding(
                    at=name,
                    message=f"The route {name}.{route} has no edge.",
                    mend="Lead it to a node, or to the end.",
                    fix=gaps.get((name, route)),
                )
                yield (
                    finding
                    if finding.fix
                    else _guess_target(seen, given, registry, finding, (name, route))
                )


def _fix_entry(seen: ResolvedGraph, given: frozenset[str], wrong: tuple[Edge, ...]) -> Fix | None:
    """An entry to the node from which most nodes are reached, given the initial state keys."""
    edge = next((each for each in wrong if each.target in seen.spec.nodes), None)
    if edge:
        target = edge.target
    elif seen.types or seen.inner:
        arrows = seen.arrows()
        targets = rank_targets(seen, given, START, "")
        suitable = [
            name
            for name in targets
            if name != END and not (name in seen.types and seen.required_keys(name) - given)
        ] or [name for name in targets if name != END]
        target = max(suitable, key=lambda name: len(find_reached(name, arrows)))
    else:
        return None
    return Fix(label=f"Begin at {target}", cut=wrong, draw=(Edge(source=START, target=target),))


def _guess_target(
    seen: ResolvedGraph,
    given: frozenset[str],
    registry: Registry,
    finding: Finding,
    route: tuple[str, str],
) -> Finding:
    """The finding with the best target, and the others to which the presets lead the route."""
    best = _connect_route(seen, given, registry, route)
    before = len(faults_after(seen, given, registry, best))
    others = [connect_route(seen, *route, name) for name in rank_targets(seen, given, *route)]
    usual = [
        fix
        for fix in others
        if fix != best
        and is_usual(seen, fix)
        and len(faults_after(seen, given, registry, fix)) <= before
    ]
    told = {
        "fix": best,
        "alternatives": tuple(usual[: MAX_OFFERED - 1]),
        "sure": is_usual(seen, best),
    }
    return finding.model_copy(update=told)


def _connect_route(
    seen: ResolvedGraph, given: frozenset[str], registry: Registry, route: tuple[str, str]
) -> Fix:
    """Lead the route to the best target, or to an unreached node if that leaves no faults."""
    usual = rank_targets(seen, given, *route)[0]
    arrows = seen.arrows()
    forwards = find_reached(START, arrows)
    unreached = [name for name in seen.spec.nodes if name not in forwards]
    if node_type_of(seen, usual) in usual_targets(seen, *route):
        candidates = [name for name in unreached if usual in arrows.get(name, ())]
    else:
        candidates = unreached
    for name in candidates:
        fix = connect_route(seen, *route, name)
        if find_reached(name, arrows).keys() >= set(unreached) and not faults_after(
            seen, given, registry, fix
        ):
            return fix
    return connect_route(seen, *route, usual)


def _keep_one_edge(
    seen: ResolvedGraph, given: frozenset[str], registry: Registry, route: tuple[str, str]
) -> Fix:
    """Keep the one of several edges of a route that leaves the fewest faults."""
    edges = tuple(
        dict.fromkeys(edge for edge in seen.spec.edges if (edge.source, edge.route) == route)
    )
    if len(edges) == 1:
        return drop_duplicates(edges[0])
    fixes = [Fix(label=f"Keep only {edge}", cut=edges, draw=(edge,)) for edge in edges]
    return min(fixes, key=lambda fix: len(faults_after(seen, given, registry, fix)))
