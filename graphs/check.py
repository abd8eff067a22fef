"""The one checker: what LangGraph lets pass in silence is found here and said with its mend."""

import re
from collections import Counter
from collections.abc import Iterator

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from forager.errors import GraphError
from forager.nearest import did_you_mean
from graphs.finding import Finding
from graphs.node_type import KEYS_GIVEN, Registry, Types
from graphs.prompts import prompt_faults
from graphs.registry import REGISTRY
from graphs.soundness import unsound
from graphs.spec import END, GRAPH, START, Edge, GraphSpec
from graphs.view import View, view

__all__ = ["Finding", "check"]

NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
OWN = "If it is your own, name its file in FORAGER_OWN_NODES."


def check(spec: GraphSpec, registry: Registry = REGISTRY) -> tuple[Finding, ...]:
    """Every fault of a graph; none means that it compiles and ends within its budget."""
    return tuple(_check(view(spec, registry), registry, KEYS_GIVEN))


def _check(seen: View, registry: Registry, given: frozenset[str]) -> Iterator[Finding]:
    names = [*_names(seen.spec, registry), *_edges(seen), *_entry(seen.spec)]
    yield from names
    yield from _params(seen.spec, registry)
    yield from prompt_faults(seen.spec, registry)
    yield from _wiring(seen)
    if not names:  # a misspelt name would be told again as an unreachable node
        yield from unsound(seen, given)
    before = seen.written(given)
    for name, inner in seen.inner.items():
        for finding in _check(inner, registry, before.get(name, KEYS_GIVEN)):
            yield finding.inside(name)


def _names(spec: GraphSpec, registry: Registry) -> Iterator[Finding]:
    if not spec.nodes:
        yield Finding(
            at="", message="The graph has no nodes.", mend="Add one, an answerer at least."
        )
    for name, node in spec.nodes.items():
        if name in (START, END) or not NAME.fullmatch(name):
            yield Finding(
                at=name,
                message=f"{name!r} cannot be the name of a node.",
                mend="Use small letters, digits and _, a letter first; start and end are taken.",
            )
        if node.type not in registry and node.type != GRAPH:
            yield _untyped(name, node.type, registry)


def _untyped(node: str, kind: str, registry: Registry) -> Finding:
    """A type of one's own is missing while its file cannot be read."""
    message, mend = f"There is no node type {kind!r}.", did_you_mean(kind, [*registry, GRAPH])
    faults = registry.faults if isinstance(registry, Types) else ()
    for fault in faults:
        return Finding(at=node, message=f"{message} {fault.what}", mend=fault.mend)
    return Finding(at=node, message=message, mend=f"{mend} {OWN}".strip())


def _edges(seen: View) -> Iterator[Finding]:
    nodes = seen.spec.nodes
    for edge in seen.spec.edges:
        for name, known in ((edge.source, [*nodes, START]), (edge.target, [*nodes, END])):
            if name not in known:
                yield Finding(
                    at=str(edge),
                    message=f"There is no node {name!r}.",
                    mend=did_you_mean(name, known),
                )
        if edge.source in seen.types or edge.source in seen.inner:
            yield from _route(edge, seen.routes(edge.source))
        if edge.fan and edge.target in nodes and nodes[edge.target].type != GRAPH:
            yield Finding(
                at=str(edge),
                message="Only a graph can be fanned out: each branch has its own state.",
                mend=f"Fold {edge.target!r} and what follows it into one node of type graph.",
            )
    yield from _ways_in(seen.spec)


def _route(edge: Edge, routes: tuple[str, ...]) -> Iterator[Finding]:
    if edge.route not in routes:
        choices = ", ".join(f"{edge.source}.{route}" for route in routes)
        what = f"no route {edge.route!r}" if edge.route else "no edge without a route"
        yield Finding(
            at=str(edge), message=f"{edge.source!r} has {what}.", mend=f"It has {choices}."
        )


def _ways_in(spec: GraphSpec) -> Iterator[Finding]:
    for name in spec.nodes:
        if len({edge.fan for edge in spec.edges if edge.target == name}) > 1:
            yield Finding(
                at=name,
                message=f"{name!r} is reached by -> and by =>.",
                mend="Use one kind of arrow, or a second node.",
            )


def _entry(spec: GraphSpec) -> Iterator[Finding]:
    entries = [edge for edge in spec.edges if edge.source == START]
    first = next(iter(spec.nodes), "survey")
    if not entries:
        yield Finding(at="", message="The graph has no entry.", mend=f"Add `start -> {first}`.")
    for edge in entries[1:]:
        yield Finding(
            at=str(edge),
            message="The graph has more than one entry.",
            mend="Keep one `start -> …`.",
        )
    for edge in entries[:1]:
        if edge.route or edge.fan or edge.target == END:
            yield Finding(
                at=str(edge),
                message="The entry leads to one node, without a route.",
                mend=f"Write `start -> {first}`.",
            )


def _params(spec: GraphSpec, registry: Registry) -> Iterator[Finding]:
    for name, node in spec.nodes.items():
        if node.type == GRAPH:
            yield from _graph_params(spec, name)
            continue
        if node.type not in registry:
            continue
        model = registry[node.type].params
        try:
            model.model_validate(node.params)
        except ValidationError as error:
            for fault in error.errors():
                yield _param(name, fault, model)


def _graph_params(spec: GraphSpec, name: str) -> Iterator[Finding]:
    try:
        spec.inner(name)
    except GraphError as error:
        yield Finding(at=name, message=error.what, mend=error.mend)
    for param in spec.nodes[name].params.keys() - {"spec"}:
        yield Finding(
            at=name, message=f"There is no parameter {param!r}.", mend=did_you_mean(param, ["spec"])
        )


def _param(node: str, fault: ErrorDetails, model: type[BaseModel]) -> Finding:
    path = ".".join(map(str, fault["loc"]))
    if fault["type"] == "extra_forbidden":
        return Finding(
            at=node,
            message=f"There is no parameter {path!r}.",
            mend=did_you_mean(path, model.model_fields),
        )
    field = model.model_fields.get(str(fault["loc"][0])) if fault["loc"] else None
    default = f" The default is {field.default!r}." if field and not field.is_required() else ""
    about = f"It means: {field.description}." if field and field.description else ""
    return Finding(
        at=node,
        message=f"The parameter {path!r} does not fit: {fault['msg']}.",
        mend=f"{about}{default}".strip(),
    )


def _wiring(seen: View) -> Iterator[Finding]:
    """Every route of every node exactly once."""
    wired = Counter((edge.source, edge.route) for edge in seen.spec.edges)
    for name in [*seen.types, *seen.inner]:
        routes = seen.routes(name)
        misnamed = any(edge.source == name and edge.route not in routes for edge in seen.spec.edges)
        for route in routes:
            if wired[name, route] > 1:
                yield Finding(
                    at=name,
                    message=f"The route {name}.{route} is wired {wired[name, route]} times.",
                    mend="Keep one edge.",
                )
            if not wired[name, route] and not misnamed:
                yield Finding(
                    at=name,
                    message=f"The route {name}.{route} leads nowhere.",
                    mend=f"Add `{name}.{route} -> …`.",
                )
