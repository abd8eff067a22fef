"""Fixes of one node or one edge: misspelt names, duplicate edges, parameters and prompts."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, get_args

from pydantic import BaseModel, JsonValue, ValidationError
from pydantic_core import ErrorDetails

from forager.node_type import ParamFault
from forager.util.suggest import nearest_name
from graphs.spec.edit import Fix, number_name
from graphs.spec.spec import END, START, Edge, GraphSpec, NodeSpec

MIN_LIKENESS = 0.75
"""The similarity from which a name counts as misspelt rather than removed."""
BOUNDS = ("ge", "le")
"""The keys under which pydantic's errors give the bound of a number."""


def first_node(spec: GraphSpec) -> Fix:
    """The smallest graph: an answerer between the entry and the end."""
    edges = Edge(source=START, target="answer"), Edge(source="answer", route=END, target=END)
    drawn = {(edge.source, edge.route) for edge in spec.edges}
    return Fix(
        label="Add an answerer",
        put={"answer": NodeSpec(type="answerer")},
        draw=tuple(edge for edge in edges if (edge.source, edge.route) not in drawn),
    )


def rename_node(spec: GraphSpec, name: str) -> Fix:
    """Give a node with an invalid name a valid one."""
    plain = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")[:36]
    if not plain[:1].isalpha():
        plain = f"node_{plain}".rstrip("_")[:36]
    new = number_name(plain, {*spec.nodes, START, END})
    return Fix(label=f"Rename {name!r} to {new!r}", rename={name: new})


def change_type(name: str, node: NodeSpec, known: list[str]) -> Fix | None:
    """Change an unknown type to the nearest known one."""
    if not (near := nearest_name(node.type, known)):
        return None
    put = {name: node.model_copy(update={"type": near})}
    return Fix(label=f"Change the type of {name!r} to {near!r}", put=put)


def drop_edge(edge: Edge) -> Fix:
    """Remove an edge."""
    return Fix(label=f"Remove {edge}", cut=(edge,))


def drop_duplicates(edge: Edge) -> Fix:
    """Keep one of several equal edges."""
    return Fix(label=f"Keep {edge} once", cut=(edge,), draw=(edge,))


def replace_edge(edge: Edge, **change: object) -> Fix:
    """Change an edge."""
    new = edge.model_copy(update=change)
    return Fix(label=f"Write {new}", cut=(edge,), draw=(new,))


def misspelt_node(spec: GraphSpec, name: str, *others: str) -> str:
    """The node, or one of the other names, that an unknown name probably means; or empty."""
    return nearest_name(name, [*spec.nodes, *others], MIN_LIKENESS)


def correct_ends(edges: Sequence[Edge], wrong: str, right: str) -> Fix:
    """Write the right name of a node in edges that have a wrong one."""

    def now(name: str) -> str:
        return right if name == wrong else name

    drawn = [
        edge.model_copy(update={"source": now(edge.source), "target": now(edge.target)})
        for edge in edges
    ]
    label = f"Write {drawn[0]}" if len(edges) == 1 else f"Write {right!r} in {len(edges)} edges"
    return Fix(label=label, cut=tuple(edges), draw=tuple(drawn))


def correct_route(spec: GraphSpec, edge: Edge, routes: tuple[str, ...]) -> Fix | None:
    """Change an unknown route of an edge to the nearest unwired one, or remove the edge."""
    wired = {each.route for each in spec.edges if each.source == edge.source}
    left = [route for route in routes if route not in wired]
    near = left[0] if len(left) == 1 else nearest_name(edge.route, left)
    if near:
        return replace_edge(edge, route=near)
    return None if left else drop_edge(edge)


def unify_arrows(spec: GraphSpec, target: str, *, fan: bool) -> Fix:
    """Give all edges to a node the same kind of arrow."""
    old = tuple(dict.fromkeys(e for e in spec.edges if e.target == target and e.fan != fan))
    new = tuple(edge.model_copy(update={"fan": fan}) for edge in old)
    text = str(new[0]) if len(new) == 1 else f"{'=>' if fan else '->'} on each edge to {target}"
    return Fix(label=f"Write {text}", cut=old, draw=new)


def correct_entry(spec: GraphSpec, name: str, field: str, entry: str, known: list[str]) -> Fix:
    """Rename an unknown parameter or prompt to the nearest known one, or remove it."""
    node = spec.nodes[name]
    entries: dict[str, Any] = dict(getattr(node, field))
    value = entries.pop(entry)
    near = nearest_name(entry, [each for each in known if each not in entries])
    label = f"Remove {entry!r}"
    if near:
        entries[near], label = value, f"Rename {entry!r} to {near!r}"
    return Fix(label=label, put={name: node.model_copy(update={field: entries})})


def drop_prompt(spec: GraphSpec, name: str, task: str) -> Fix:
    """Remove a node's own instructions for a task."""
    node = spec.nodes[name]
    prompts = {key: text for key, text in node.prompts.items() if key != task}
    put = {name: node.model_copy(update={"prompts": prompts})}
    return Fix(label=f"Use the shipped instructions of {task!r}", put=put)


def set_param(node: str, spec: NodeSpec, fault: ParamFault) -> Fix:
    """Set a parameter to the value that its node type suggests."""
    params = {**spec.params, fault.param: fault.value}
    return Fix(label=fault.label, put={node: spec.model_copy(update={"params": params})})


def correct_param(
    node: str, spec: NodeSpec, fault: ErrorDetails, model: type[BaseModel]
) -> Fix | None:
    """Set a parameter to the nearest valid value, or to its default."""
    if not fault["loc"]:
        return None
    name = str(fault["loc"][0])
    for label, params in _candidate_values(name, spec.params, fault, model):
        if not _is_faulty(model, params, name):
            put = {node: spec.model_copy(update={"params": params})}
            return Fix(label=label, put=put)
    return None


def _candidate_values(
    name: str, params: Mapping[str, JsonValue], fault: ErrorDetails, model: type[BaseModel]
) -> Iterator[tuple[str, dict[str, JsonValue]]]:
    field = model.model_fields.get(name)
    if field is None or name not in params:
        return
    bounds = [fault.get("ctx", {})[bound] for bound in BOUNDS if bound in fault.get("ctx", {})]
    choices = [each for each in get_args(field.annotation) if isinstance(each, str)]
    near = nearest_name(str(params[name]), choices)
    for value in [*bounds, *([near] if near else [])]:
        yield f"Set {name} to {value}", {**params, name: value}
    if not field.is_required():
        left = {key: value for key, value in params.items() if key != name}
        yield f"Set {name} to its default, {field.default}", left


def _is_faulty(model: type[BaseModel], params: Mapping[str, JsonValue], name: str) -> bool:
    try:
        model.model_validate(params)
    except ValidationError as error:
        return any(fault["loc"][:1] == (name,) for fault in error.errors())
    return False
