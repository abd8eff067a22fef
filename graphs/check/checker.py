"""The checker: finds faults that LangGraph accepts silently, and suggests a fix for each."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from forager.domain.parameters import reference_name
from forager.errors import GraphError
from forager.node_type import KEYS_GIVEN, LoadedRegistry, ParamFault, Registry
from forager.util.suggest import did_you_mean
from graphs.check.finding import Finding, group_by_fix
from graphs.check.idle_judges import find_idle_judges
from graphs.check.local_fixes import (
    change_type,
    correct_entry,
    correct_param,
    correct_route,
    drop_prompt,
    first_node,
    rename_node,
    set_param,
    unify_arrows,
)
from graphs.check.parameter_faults import find_parameter_faults, find_unused, misreferring_params
from graphs.check.soundness import find_unsound
from graphs.check.suggest import close_gaps
from graphs.check.unfed_nodes import find_silent_ends, find_unanswered, find_unfed
from graphs.check.wiring import check_ends, check_entry, check_wiring
from graphs.spec.edit import Fix, apply_edit
from graphs.spec.plugins import type_faults
from graphs.spec.registry import REGISTRY
from graphs.spec.resolved_graph import ResolvedGraph, resolve_types
from graphs.spec.spec import END, GRAPH, INNER, NAME, SET, START, Edge, GraphSpec, NodeSpec


def prompt_faults(spec: GraphSpec, registry: Registry) -> Iterator[Finding]:
    """Prompts of tasks that a node does not have, and empty prompts."""
    for name, node in spec.nodes.items():
        if node.type not in registry and node.type != GRAPH:
            continue
        known = registry[node.type].default_prompts if node.type in registry else {}
        for task, instructions in node.prompts.items():
            if task not in known:
                yield Finding(
                    at=name,
                    message=f"{name!r} has no task {task!r}.",
                    mend=_suggest_task(node.type, task, list(known)),
                    fix=correct_entry(spec, name, "prompts", task, list(known)),
                )
            elif not instructions.strip():
                yield Finding(
                    at=name,
                    message=f"The instructions of {task!r} are empty.",
                    mend="Write them, or remove the entry to use the shipped ones.",
                    fix=drop_prompt(spec, name, task),
                )


def _suggest_task(kind: str, task: str, known: list[str]) -> str:
    if kind == GRAPH:
        return "Move the prompt to a node inside it."
    if not known:
        return f"Nodes of type {kind!r} do not use a model; remove the entry."
    return did_you_mean(task, known)


__all__ = ["Finding", "clear_fixes", "find_faults", "mend_faults"]

OWN_TYPE_HINT = "If it is your own, name its file in FORAGER_OWN_NODES."


def find_faults(
    spec: GraphSpec, registry: Registry = REGISTRY, earlier: Sequence[GraphSpec] = ()
) -> tuple[Finding, ...]:
    """All faults of a graph. A graph without errors compiles and ends within its budget.

    `earlier` is the graph as it was before, the newest first: where a node is gone, the fixes lead
    on to where it led. A missing answer, and nodes that work on nothing, are looked for only in a
    graph without other faults, and those that end all the same only without nodes that never do:
    they may be the consequence.
    """
    seen = resolve_types(spec, registry)
    if found := tuple(_all_faults(seen, registry, KEYS_GIVEN, earlier)):
        return found
    if unanswered := tuple(find_unanswered(seen, registry, KEYS_GIVEN)):
        return unanswered
    unfed = tuple(group_by_fix(find_unfed(seen, KEYS_GIVEN, registry, KEYS_GIVEN)))
    errors = tuple(each for each in unfed if each.severity == "error")
    return errors or (
        *unfed,
        *find_idle_judges(seen, KEYS_GIVEN, registry),
        *find_silent_ends(seen, KEYS_GIVEN),
        *find_unused(seen, registry),
    )


def mend_faults(
    spec: GraphSpec, registry: Registry = REGISTRY, earlier: Sequence[GraphSpec] = ()
) -> tuple[GraphSpec, tuple[Fix, ...]]:
    """The graph after the clear fixes of its findings, and those that were applied.

    None is a guess or removes something. A fix that an earlier one has made needless is left out;
    what then comes up is not mended.
    """
    applied: list[Fix] = []
    for fix in clear_fixes(find_faults(spec, registry, earlier)):
        if fix in clear_fixes(find_faults(spec, registry, earlier)):
            spec = apply_edit(spec, fix)
            applied.append(fix)
    return spec, tuple(applied)


def clear_fixes(findings: Iterable[Finding]) -> list[Fix]:
    """The fixes that `mend_faults` applies."""
    return [fix for found in findings if (fix := found.clear_fix)]


def _all_faults(
    seen: ResolvedGraph,
    registry: Registry,
    given: frozenset[str],
    earlier: Sequence[GraphSpec] = (),
) -> Iterator[Finding]:
    name_findings = [
        *_name_faults(seen.spec, registry),
        *_type_faults(seen.spec, registry),
        *check_ends(seen, given),
        *_edge_faults(seen),
        *check_entry(seen, given),
    ]
    yield from name_findings
    yield from find_parameter_faults(seen.spec, registry)
    yield from _param_faults(seen, registry)
    yield from prompt_faults(seen.spec, registry)
    gaps = close_gaps(seen, earlier)
    wiring = [*check_wiring(seen, given, registry, gaps)]
    if not name_findings:  # a misspelt name would be reported again as an unreachable node
        wiring += find_unsound(seen, given, registry, gaps.values())
    yield from group_by_fix(wiring)
    before = seen.written_before(given)
    for name, inner in seen.inner.items():
        for finding in _all_faults(inner, registry, before.get(name, KEYS_GIVEN)):
            yield finding.nested_in(name)


def _name_faults(spec: GraphSpec, registry: Registry) -> Iterator[Finding]:
    if not spec.nodes:
        yield Finding(
            at="",
            message="There are no nodes.",
            mend="Add at least an answerer.",
            fix=first_node(spec) if "answerer" in registry else None,
        )
    for name, node in spec.nodes.items():
        if name in (START, END) or not NAME.fullmatch(name):
            yield Finding(
                at=name,
                message=f"{name!r} cannot be the name of a node.",
                mend="Use lower-case letters, digits and _, starting with a letter; "
                "not start or end.",
                fix=rename_node(spec, name),
            )
        if node.type not in registry and node.type != GRAPH:
            yield _unknown_type(name, node, registry)


def _unknown_type(name: str, node: NodeSpec, registry: Registry) -> Finding:
    """The finding for an unknown type, with the fault of a plugin that could not be loaded."""
    kind, known = node.type, [*registry, GRAPH]
    message, mend = f"There is no node type {kind!r}.", did_you_mean(kind, known)
    faults = registry.faults if isinstance(registry, LoadedRegistry) else ()
    for fault in faults:
        return Finding(at=name, message=f"{message} {fault.what}", mend=fault.mend)
    fix = change_type(name, node, known)
    return Finding(at=name, message=message, mend=f"{mend} {OWN_TYPE_HINT}".strip(), fix=fix)


def _type_faults(spec: GraphSpec, registry: Registry) -> Iterator[Finding]:
    """Wrong declarations of node types, each at the first node of the type."""
    first = {node.type: name for name, node in reversed(spec.nodes.items())}
    for kind, name in first.items():
        if kind in registry and (fault := next(type_faults(registry[kind], {}), "")):
            yield Finding(
                at=name,
                message=f"The node type {kind!r} is not declared correctly: {fault}.",
                mend="Correct its NODE_TYPE.",
            )


def _edge_faults(seen: ResolvedGraph) -> Iterator[Finding]:
    nodes = seen.spec.nodes
    for edge in seen.spec.edges:
        if edge.source in seen.types or edge.source in seen.inner:
            yield from _route_faults(edge, seen)
        if edge.fan and edge.target in nodes and nodes[edge.target].type != GRAPH:
            yield Finding(
                at=str(edge),
                message="Only a node of type graph can be fanned out, "
                "because each branch has its own state.",
                mend=f"Fold {edge.target!r} and the nodes after it into one node of type graph.",
                fix=unify_arrows(seen.spec, edge.target, fan=False),
            )
    yield from _join_faults(seen.spec)


def _route_faults(edge: Edge, seen: ResolvedGraph) -> Iterator[Finding]:
    routes = seen.routes(edge.source)
    if edge.route not in routes:
        choices = ", ".join(f"{edge.source}.{route}" for route in routes)
        message = (
            f"{edge.source!r} has no route {edge.route!r}."
            if edge.route
            else f"This edge of {edge.source!r} has no route."
        )
        yield Finding(
            at=str(edge),
            message=message,
            mend=f"Its routes are {choices}.",
            fix=correct_route(seen.spec, edge, routes),
        )


def _join_faults(spec: GraphSpec) -> Iterator[Finding]:
    for name, node in spec.nodes.items():
        arrows = Counter(edge.fan for edge in spec.edges if edge.target == name)
        if len(arrows) > 1:
            begins = any(edge.source == START for edge in spec.edges if edge.target == name)
            fan = node.type == GRAPH and not begins and arrows[True] > arrows[False]
            yield Finding(
                at=name,
                message=f"{name!r} is reached both by -> and by =>.",
                mend="Use one kind of arrow, or a second node.",
                fix=unify_arrows(spec, name, fan=fan),
            )


def _param_faults(seen: ResolvedGraph, registry: Registry) -> Iterator[Finding]:
    spec = seen.spec
    misreferring = misreferring_params(spec, registry)
    for name, node in seen.nodes.items():
        if node.type == GRAPH:
            yield from _graph_node_faults(spec, name)
            continue
        if node.type not in registry:
            continue
        kind = registry[node.type]
        reported = {param for owner, param in misreferring if owner == name}
        values = {param: value for param, value in node.params.items() if param not in reported}
        try:
            params = kind.params.model_validate(values)
        except ValidationError as error:
            for fault in error.errors():
                yield _param_finding(spec, name, fault, kind.params)
        else:
            faults = kind.faults(params)
            fixed = node.params == spec.nodes[name].params
            wrong = (
                each
                for each in faults
                if each.param not in reported and (fixed or not each.by_value)
            )
            yield from (_declared_finding(seen, name, each) for each in wrong)


def _declared_finding(seen: ResolvedGraph, name: str, fault: ParamFault) -> Finding:
    """A fault that the node type found in parameters whose types are right.

    Where a parameter of the graph is part of it, there is no fix: its value would take its place.
    """
    spec = seen.spec
    param = fault.param
    whole = spec.nodes[name].params.get(param) == seen.nodes[name].params.get(param)
    return Finding(
        severity=fault.severity,
        at=name,
        message=fault.message,
        mend=fault.mend,
        fix=set_param(name, spec.nodes[name], fault) if fault.label and whole else None,
    )


def _graph_node_faults(spec: GraphSpec, name: str) -> Iterator[Finding]:
    try:
        spec.inner(name)
    except GraphError as error:
        yield Finding(at=name, message=error.what, mend=error.mend)
    for param in spec.nodes[name].params.keys() - {INNER, SET}:
        yield Finding(
            at=name,
            message=f"There is no parameter {param!r}.",
            mend=did_you_mean(param, [INNER, SET]),
            fix=correct_entry(spec, name, "params", param, [INNER, SET]),
        )


def _param_finding(
    spec: GraphSpec, node: str, fault: ErrorDetails, model: type[BaseModel]
) -> Finding:
    path = ".".join(map(str, fault["loc"]))
    if fault["type"] == "extra_forbidden":
        return Finding(
            at=node,
            message=f"There is no parameter {path!r}.",
            mend=did_you_mean(path, model.model_fields),
            fix=correct_entry(spec, node, "params", path, list(model.model_fields))
            if path in spec.nodes[node].params
            else None,
        )
    field = model.model_fields.get(str(fault["loc"][0])) if fault["loc"] else None
    own = spec.nodes[node].params.get(str(fault["loc"][0])) if fault["loc"] else None
    refers = reference_name(own)
    default = f" The default is {field.default!r}." if field and not field.is_required() else ""
    about = f"Meaning: {field.description}." if field and field.description else ""
    return Finding(
        at=node,
        message=f"The parameter {path!r} is not valid (it is {own}): {fault['msg']}."
        if refers
        else f"The parameter {path!r} is not valid: {fault['msg']}.",
        mend=f"{about}{default}".strip(),
        fix=None if refers else correct_param(node, spec.nodes[node], fault, model),
    )
