"""Edits of graphs: the checker's fixes, and changes of single nodes, routes and parameters."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from pydantic import BaseModel, Field, JsonValue

from forager.conditions.syntax import REFERENCE as CONDITION_REFERENCE
from forager.conditions.syntax import quote_value
from forager.domain.base import Frozen
from forager.domain.parameters import EXAMPLES, Parameter, ParameterValue, reference_name
from forager.errors import GraphError
from forager.util.suggest import did_you_mean
from graphs.spec.spec import END, INNER, SET, START, Edge, GraphSpec, NodeSpec


def number_name(name: str, taken: set[str]) -> str:
    """The name, with a number appended if it is taken."""
    number, new = 1, name
    while new in taken:
        number += 1
        new = f"{name}_{number}"
    return new


class Fix(Frozen):
    """A small edit of a graph, or of the graph at the path `inside`; `label` describes it.

    `cut` removes all edges equal to these, `draw` adds edges; `remove` removes nodes with their
    edges, `rename` renames nodes, `put` adds or replaces nodes, `declare` adds or replaces
    parameters of the graph, and `drop` removes them.
    """

    label: str
    inside: tuple[str, ...] = ()
    cut: tuple[Edge, ...] = ()
    draw: tuple[Edge, ...] = ()
    remove: tuple[str, ...] = ()
    rename: dict[str, str] = Field(default_factory=dict)
    put: dict[str, NodeSpec] = Field(default_factory=dict)
    declare: dict[str, Parameter] = Field(default_factory=dict)
    drop: tuple[str, ...] = ()

    def nested_in(self, node: str) -> "Fix":
        """The same fix, seen from the graph around it."""
        return self.model_copy(update={"inside": (node, *self.inside)})


def apply_edit(spec: GraphSpec, fix: Fix) -> GraphSpec:
    """The graph after the edit. Raises GraphError if the edit does not fit the graph."""
    if fix.inside:
        name, deeper = fix.inside[0], fix.model_copy(update={"inside": fix.inside[1:]})
        return with_inner_graph(spec, name, apply_edit(_inner_graph(spec, name), deeper))
    nodes_missing = {*fix.remove, *fix.rename} - spec.nodes.keys()
    edges_missing = set(fix.cut) - set(spec.edges)
    if nodes_missing or edges_missing:
        what = ", ".join([*map(repr, sorted(nodes_missing)), *map(str, edges_missing)])
        raise GraphError(f"The graph no longer has {what}.", "Check it again.")
    edges = tuple(edge for edge in _edited_edges(spec, fix) if not _touches(edge, fix.remove))
    nodes = {name: node for name, node in spec.nodes.items() if name not in fix.remove}
    kept = spec.model_copy(update={"nodes": nodes, "edges": edges})
    renamed = rename_nodes(kept, fix.rename)
    given = {name: own for name, own in spec.parameters.items() if name not in fix.drop}
    update = {"nodes": {**renamed.nodes, **fix.put}, "parameters": {**given, **fix.declare}}
    return _prune_layout(renamed.model_copy(update=update))


def with_inner_graph(spec: GraphSpec, name: str, inner: GraphSpec) -> GraphSpec:
    """The graph with `inner` inside one of its nodes, in canonical form."""
    node, body = spec.nodes[name], json.loads(inner.canonical())
    body["nodes"] = {own: body["nodes"][own] for own in inner.nodes}
    params = {**node.params, "spec": body}
    held = node.model_copy(update={"params": params})
    return spec.model_copy(update={"nodes": {**spec.nodes, name: held}})


def rename_nodes(spec: GraphSpec, names: Mapping[str, str]) -> GraphSpec:
    """The graph with nodes renamed, also in its edges and its layout."""

    def now(name: str) -> str:
        return names.get(name, name)

    return spec.model_copy(
        update={
            "nodes": {now(name): node for name, node in spec.nodes.items()},
            "edges": tuple(_rename_ends(edge, names) for edge in spec.edges),
            "positions": {now(name): place for name, place in spec.positions.items()},
            "folds": {fold: tuple(map(now, group)) for fold, group in spec.folds.items()},
            "breakpoints": {_renamed_path(at, names): on for at, on in spec.breakpoints.items()},
        }
    )


def _renamed_path(path: str, names: Mapping[str, str]) -> str:
    outer, slash, inner = path.partition("/")
    return f"{names.get(outer, outer)}{slash}{inner}"


def _inner_graph(spec: GraphSpec, name: str) -> GraphSpec:
    if name not in spec.nodes:
        raise GraphError(f"The node {name!r} no longer exists.", "Check the graph again.")
    return spec.inner(name)


def _edited_edges(spec: GraphSpec, fix: Fix) -> Iterator[Edge]:
    """The edges after a fix: added edges take the places of removed ones, the rest follow last."""
    drawn = iter(fix.draw)
    for edge in spec.edges:
        if edge not in fix.cut:
            yield edge
        elif (other := next(drawn, None)) is not None:
            yield other
    yield from drawn


def _touches(edge: Edge, nodes: tuple[str, ...]) -> bool:
    return edge.source in nodes or edge.target in nodes


def _rename_ends(edge: Edge, names: Mapping[str, str]) -> Edge:
    """Rename the ends of an edge, but not the entry and the end.

    A node that is wrongly named `start` differs from the entry in that its edges have routes.
    """
    entry = edge.source == START and not edge.route
    source = edge.source if entry else names.get(edge.source, edge.source)
    target = edge.target if edge.target == END else names.get(edge.target, edge.target)
    return edge.model_copy(update={"source": source, "target": target})


def _prune_layout(spec: GraphSpec) -> GraphSpec:
    """The graph without the layout of nodes that it no longer has."""
    known = spec.nodes.keys()
    groups = {fold: tuple(n for n in group if n in known) for fold, group in spec.folds.items()}
    return spec.model_copy(
        update={
            "positions": {
                name: at for name, at in spec.positions.items() if name.partition("/")[0] in known
            },
            "folds": {fold: group for fold, group in groups.items() if group},
            "notes": {
                id: note
                for id, note in spec.notes.items()
                if "/" not in id or id.partition("/")[0] in known
            },
            "breakpoints": {
                at: on for at, on in spec.breakpoints.items() if at.partition("/")[0] in known
            },
        }
    )


def with_description(spec: GraphSpec, name: str, text: str) -> GraphSpec:
    """The graph with a node described in other words; empty: not at all."""
    node = spec.nodes[name].model_copy(update={"description": text.strip()})
    return spec.model_copy(update={"nodes": {**spec.nodes, name: node}})


def without_nodes(spec: GraphSpec, gone: str) -> GraphSpec:
    """The graph without a node and its edges."""
    return apply_edit(spec, Fix(label=f"Remove {gone!r}", remove=(gone,)))


def with_route(
    spec: GraphSpec, source: str, route: str, target: str, *, fan: bool = False
) -> GraphSpec:
    """The graph with a route that leads to `target` alone; to nothing if `target` is empty."""
    old = [edge for edge in spec.edges if (edge.source, edge.route) == (source, route)]
    edges = list(spec.edges)
    if target:
        new = Edge(source=source, route=route, target=target, fan=fan)
        if old:
            edges[edges.index(old[0])] = new
            old = [edge for edge in old[1:] if edge != new]
        else:
            edges.append(new)
    kept = tuple(edge for edge in edges if edge not in old)
    return spec.model_copy(update={"edges": kept})


def with_param(
    spec: GraphSpec, name: str, param: str, value: JsonValue, model: type[BaseModel]
) -> GraphSpec:
    """The graph with a parameter set; a default is omitted unless the node had the parameter."""
    node = spec.nodes[name]
    field = model.model_fields.get(param)
    params = {**node.params, param: value}
    if field is not None and param not in node.params and field.default == value:
        del params[param]
    return with_node(spec, name, node.model_copy(update={"params": params}))


def with_prompt(
    spec: GraphSpec, name: str, task: str, instructions: str, shipped: str
) -> GraphSpec:
    """The graph with a node's own instructions for a task; removed if empty or as shipped."""
    node = spec.nodes[name]
    prompts = {each: text for each, text in node.prompts.items() if each != task}
    if instructions.strip() and instructions != shipped:
        prompts[task] = instructions
    return with_node(spec, name, node.model_copy(update={"prompts": prompts}))


def with_node(spec: GraphSpec, name: str, node: NodeSpec) -> GraphSpec:
    """The graph with a node added, or replaced."""
    return spec.model_copy(update={"nodes": {**spec.nodes, name: node}})


def with_values(spec: GraphSpec, values: Mapping[str, JsonValue]) -> GraphSpec:
    """The graph with these values as those of its parameters. Raises GraphError.

    The values become the defaults, and so a part of the graph's hash.
    """
    parameters = set_defaults(spec.parameters, values, spec.name)
    return spec.model_copy(update={"parameters": parameters})


def set_defaults(
    given: Mapping[str, Parameter], values: Mapping[str, JsonValue], graph: str
) -> dict[str, Parameter]:
    """The parameters of a graph with these values as their defaults. Raises GraphError."""
    parameters = dict(given)
    for name, value in values.items():
        if name not in parameters:
            raise GraphError(
                f"The graph {graph!r} has no parameter {name!r}.",
                did_you_mean(name, parameters) or "It has no parameters.",
            )
        parameter = parameters[name]
        try:
            new = parameter.read_value(value)
        except ValueError as error:
            about = f" It means: {parameter.help}." if parameter.help else ""
            raise GraphError(
                f"The parameter {name!r} cannot be {value!r}.",
                f"It is {EXAMPLES[parameter.type]}.{about}",
            ) from error
        parameters[name] = parameter.model_copy(update={"default": new})
    return parameters


def with_parameter(spec: GraphSpec, name: str, parameter: Parameter | None) -> GraphSpec:
    """The graph with a parameter added or replaced; removed if it is None."""
    parameters = {**spec.parameters, name: parameter} if parameter else dict(spec.parameters)
    if parameter is None:
        parameters.pop(name, None)
    return spec.model_copy(update={"parameters": parameters})


def with_reference(
    spec: GraphSpec, node: str, param: str, name: str, new: Parameter | None = None
) -> GraphSpec:
    """The graph with a node's parameter referring to one of the graph, which may be `new`."""
    own = spec.nodes[node]
    params = {**own.params, param: f"${name}"}
    spec = with_node(spec, node, own.model_copy(update={"params": params}))
    return with_parameter(spec, name, new) if new else spec


def rename_parameter(spec: GraphSpec, path: tuple[str, ...], old: str, new: str) -> GraphSpec:
    """The graph with a parameter of the graph at `path` renamed, and what refers to it.

    Raises GraphError.
    """
    inner = graph_at(spec, path)
    nodes = {
        name: node.model_copy(update={"params": with_references(node.params, {old: f"${new}"})})
        for name, node in inner.nodes.items()
    }
    parameters = {new if name == old else name: own for name, own in inner.parameters.items()}
    changed = inner.model_copy(update={"nodes": nodes, "parameters": parameters})
    spec = with_graph_at(spec, path, changed)
    if not path:
        return spec
    around = graph_at(spec, path[:-1])
    node = around.nodes[path[-1]]
    given = node.params.get(SET)
    if not isinstance(given, dict) or old not in given:
        return spec
    values = {new if name == old else name: value for name, value in given.items()}
    held = node.model_copy(update={"params": {**node.params, SET: values}})
    return with_graph_at(spec, path[:-1], with_node(around, path[-1], held))


def with_references(
    params: Mapping[str, JsonValue], values: Mapping[str, JsonValue]
) -> dict[str, JsonValue]:
    """A node's parameters with values in place of references; a graph inside has its own."""
    return {
        name: value if name == INNER else _replace_references(value, values)
        for name, value in params.items()
    }


def _replace_references(
    value: JsonValue, values: Mapping[str, JsonValue], *, listed: bool = False
) -> JsonValue:
    """A parameter's value without references; in the texts of a list, as in conditions."""
    if isinstance(value, dict):
        return {key: _replace_references(each, values) for key, each in value.items()}
    if isinstance(value, list):
        return [_replace_references(each, values, listed=True) for each in value]
    if name := reference_name(value):
        return values.get(name, value)
    if not listed or not isinstance(value, str):
        return value

    def write(found: re.Match[str]) -> str:
        new = values.get(found[1]) if found[1] else None
        if not isinstance(new, ParameterValue):
            return found[0]
        return str(new) if reference_name(new) else quote_value(new)

    return CONDITION_REFERENCE.sub(write, value)


def with_graph_at(spec: GraphSpec, path: tuple[str, ...], inner: GraphSpec) -> GraphSpec:
    """The graph with `inner` at a path of node names, including its layout."""
    if not path:
        return inner
    name, *rest = path
    body = with_graph_at(graph_at(spec, (name,)), tuple(rest), inner)
    layout = {
        "positions": _with_inside(spec.positions, name, body.positions),
        "breakpoints": _with_inside(spec.breakpoints, name, body.breakpoints),
        "notes": _with_inside(spec.notes, name, body.notes),
    }
    return with_inner_graph(spec, name, body).model_copy(update=layout)


Kept = TypeVar("Kept")


def _with_inside(
    outer: Mapping[str, Kept], name: str, inner: Mapping[str, Kept]
) -> dict[str, Kept]:
    """What is kept by node, with that of the graph inside a node under the node's name."""
    around = f"{name}/"
    kept = {each: value for each, value in outer.items() if not each.startswith(around)}
    return kept | {f"{around}{each}": value for each, value in inner.items()}


def _of_inside(outer: Mapping[str, Kept], name: str) -> dict[str, Kept]:
    """What is kept by node for the graph inside a node."""
    around = f"{name}/"
    return {
        each.removeprefix(around): value for each, value in outer.items() if each.startswith(around)
    }


def relative_place(path: Sequence[str], place: str) -> str | None:
    """A place relative to the graph at `path`; None if it is outside that graph."""
    around = "".join(f"{name}/" for name in path)
    return place.removeprefix(around) if place.startswith(around) else None


def graph_at(spec: GraphSpec, path: tuple[str, ...]) -> GraphSpec:
    """The graph at a path of node names, with its layout. Raises GraphError."""
    for name in path:
        if name not in spec.nodes:
            raise GraphError(f"The node {name!r} no longer exists.", "Open the graph around it.")
        layout = {
            "positions": _of_inside(spec.positions, name),
            "breakpoints": _of_inside(spec.breakpoints, name),
            "notes": _of_inside(spec.notes, name),
        }
        spec = spec.inner(name).model_copy(update=layout)
    return spec
