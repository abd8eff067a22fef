"""Edits that mend what the checker finds."""

import json
from collections.abc import Iterator, Mapping, Sequence

from pydantic import BaseModel, Field, JsonValue

from forager.domain.base import Frozen
from forager.errors import GraphError
from graphs.spec.spec import END, START, Edge, GraphSpec, NodeSpec


def number_name(name: str, taken: set[str]) -> str:
    """The name, with a number behind it when it is taken."""
    number, new = 1, name
    while new in taken:
        number += 1
        new = f"{name}_{number}"
    return new


class Fix(Frozen):
    """A small edit of a graph, or of the one inside the nodes `inside`, told by its `label`.

    `cut` takes out every edge like it, `draw` puts edges in; `remove` takes out nodes with their
    edges, `rename` calls nodes otherwise, `put` adds nodes or puts others in their place.
    """

    label: str
    inside: tuple[str, ...] = ()
    cut: tuple[Edge, ...] = ()
    draw: tuple[Edge, ...] = ()
    remove: tuple[str, ...] = ()
    rename: dict[str, str] = Field(default_factory=dict)
    put: dict[str, NodeSpec] = Field(default_factory=dict)

    def nested_in(self, node: str) -> "Fix":
        """The same, told from the graph around it."""
        return self.model_copy(update={"inside": (node, *self.inside)})


def apply_edit(spec: GraphSpec, fix: Fix) -> GraphSpec:
    """The graph after the edit. Raises GraphError for one that was made for another graph."""
    if fix.inside:
        name, deeper = fix.inside[0], fix.model_copy(update={"inside": fix.inside[1:]})
        return with_inner_graph(spec, name, apply_edit(_inner_graph(spec, name), deeper))
    gone = {*fix.remove, *fix.rename} - spec.nodes.keys()
    lost = set(fix.cut) - set(spec.edges)
    if gone or lost:
        what = ", ".join([*map(repr, sorted(gone)), *map(str, lost)])
        raise GraphError(f"There is no {what} in the graph any more.", "Check it again.")
    edges = tuple(edge for edge in _edited_edges(spec, fix) if not _touches(edge, fix.remove))
    left = {name: node for name, node in spec.nodes.items() if name not in fix.remove}
    kept = spec.model_copy(update={"nodes": left, "edges": edges})
    named = rename_nodes(kept, fix.rename)
    return _prune_layout(named.model_copy(update={"nodes": {**named.nodes, **fix.put}}))


def with_inner_graph(spec: GraphSpec, name: str, inner: GraphSpec) -> GraphSpec:
    """The graph with another one inside its node, in the form in which it is pinned."""
    node, body = spec.nodes[name], json.loads(inner.canonical())
    body["nodes"] = {own: body["nodes"][own] for own in inner.nodes}
    params = {**node.params, "spec": body}
    held = node.model_copy(update={"params": params})
    return spec.model_copy(update={"nodes": {**spec.nodes, name: held}})


def rename_nodes(spec: GraphSpec, names: Mapping[str, str]) -> GraphSpec:
    """The graph with nodes called otherwise, in its edges and its drawing too."""

    def now(name: str) -> str:
        return names.get(name, name)

    return spec.model_copy(
        update={
            "nodes": {now(name): node for name, node in spec.nodes.items()},
            "edges": tuple(_rename_ends(edge, names) for edge in spec.edges),
            "positions": {now(name): place for name, place in spec.positions.items()},
            "folds": {fold: tuple(map(now, group)) for fold, group in spec.folds.items()},
        }
    )


def _inner_graph(spec: GraphSpec, name: str) -> GraphSpec:
    if name not in spec.nodes:
        raise GraphError(f"There is no node {name!r} any more.", "Check the graph again.")
    return spec.inner(name)


def _edited_edges(spec: GraphSpec, fix: Fix) -> Iterator[Edge]:
    """Drawn edges stand where others were cut, and the rest behind all."""
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
    """The entry and the end keep their names: a node called so is told from them by its routes."""
    entry = edge.source == START and not edge.route
    source = edge.source if entry else names.get(edge.source, edge.source)
    target = edge.target if edge.target == END else names.get(edge.target, edge.target)
    return edge.model_copy(update={"source": source, "target": target})


def _prune_layout(spec: GraphSpec) -> GraphSpec:
    """The graph without the drawing of nodes that it has no more."""
    known = spec.nodes.keys()
    groups = {fold: tuple(n for n in group if n in known) for fold, group in spec.folds.items()}
    return spec.model_copy(
        update={
            "positions": {
                name: at for name, at in spec.positions.items() if name.partition("/")[0] in known
            },
            "folds": {fold: group for fold, group in groups.items() if group},
        }
    )


def without_nodes(spec: GraphSpec, gone: str) -> GraphSpec:
    """A node taken out, with its edges."""
    return apply_edit(spec, Fix(label=f"Remove {gone!r}", remove=(gone,)))


def with_route(
    spec: GraphSpec, source: str, route: str, target: str, *, fan: bool = False
) -> GraphSpec:
    """A route that leads to this target alone; to none where the target is empty."""
    mine = [edge for edge in spec.edges if (edge.source, edge.route) == (source, route)]
    edges = list(spec.edges)
    if target:
        new = Edge(source=source, route=route, target=target, fan=fan)
        if mine:
            edges[edges.index(mine[0])] = new
            mine = [edge for edge in mine[1:] if edge != new]
        else:
            edges.append(new)
    kept = tuple(edge for edge in edges if edge not in mine)
    return spec.model_copy(update={"edges": kept})


def with_param(
    spec: GraphSpec, name: str, param: str, value: JsonValue, model: type[BaseModel]
) -> GraphSpec:
    """A parameter with this value; the default is left out unless it was written there."""
    node = spec.nodes[name]
    field = model.model_fields.get(param)
    params = {**node.params, param: value}
    if field is not None and param not in node.params and field.default == value:
        del params[param]
    return with_node(spec, name, node.model_copy(update={"params": params}))


def with_prompt(spec: GraphSpec, name: str, task: str, told: str, shipped: str) -> GraphSpec:
    """A node's own instructions for a task; none where they are empty, or as shipped."""
    node = spec.nodes[name]
    prompts = {each: text for each, text in node.prompts.items() if each != task}
    if told.strip() and told != shipped:
        prompts[task] = told
    return with_node(spec, name, node.model_copy(update={"prompts": prompts}))


def with_node(spec: GraphSpec, name: str, node: NodeSpec) -> GraphSpec:
    """A node put in, or in place of the one of that name."""
    return spec.model_copy(update={"nodes": {**spec.nodes, name: node}})


def with_graph_at(spec: GraphSpec, path: tuple[str, ...], inner: GraphSpec) -> GraphSpec:
    """The graph with the one at this path, from node to node, put in place; so is its drawing."""
    if not path:
        return inner
    name, *rest = path
    body = with_graph_at(graph_at(spec, (name,)), tuple(rest), inner)
    around = f"{name}/"
    places = {each: place for each, place in spec.positions.items() if not each.startswith(around)}
    places |= {f"{around}{each}": place for each, place in body.positions.items()}
    return with_inner_graph(spec, name, body).model_copy(update={"positions": places})


def relative_place(path: Sequence[str], place: str) -> str | None:
    """What is at a place, as it is called in the graph that the path leads to; None outside."""
    around = "".join(f"{name}/" for name in path)
    return place.removeprefix(around) if place.startswith(around) else None


def graph_at(spec: GraphSpec, path: tuple[str, ...]) -> GraphSpec:
    """The graph at this path, from node to node, as it is drawn. Raises GraphError."""
    for name in path:
        if name not in spec.nodes:
            raise GraphError(f"There is no node {name!r} any more.", "Open the graph around it.")
        around = f"{name}/"
        places = {
            each.removeprefix(around): place
            for each, place in spec.positions.items()
            if each.startswith(around)
        }
        spec = spec.inner(name).model_copy(update={"positions": places})
    return spec
