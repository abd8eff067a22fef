"""Small changes of a graph, as a form makes them."""

import json

from pydantic import BaseModel, JsonValue

from graphs.spec import Edge, GraphSpec, NodeSpec


def renamed(spec: GraphSpec, old: str, new: str) -> GraphSpec:
    """A node called otherwise, wherever it is named."""

    def name(each: str) -> str:
        return new if each == old else each

    edges = tuple(
        edge.model_copy(update={"source": name(edge.source), "target": name(edge.target)})
        for edge in spec.edges
    )
    return spec.model_copy(
        update={
            "nodes": {name(each): node for each, node in spec.nodes.items()},
            "edges": edges,
            "positions": {name(each): place for each, place in spec.positions.items()},
            "folds": {fold: tuple(map(name, group)) for fold, group in spec.folds.items()},
        }
    )


def without(spec: GraphSpec, gone: str) -> GraphSpec:
    """A node taken out, with its edges."""
    folds = {
        fold: tuple(each for each in group if each != gone) for fold, group in spec.folds.items()
    }
    return spec.model_copy(
        update={
            "nodes": {name: node for name, node in spec.nodes.items() if name != gone},
            "edges": tuple(edge for edge in spec.edges if gone not in (edge.source, edge.target)),
            "positions": {name: place for name, place in spec.positions.items() if name != gone},
            "folds": {fold: group for fold, group in folds.items() if group},
        }
    )


def routed(
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


def placed(
    spec: GraphSpec, name: str, param: str, value: JsonValue, model: type[BaseModel]
) -> GraphSpec:
    """A parameter with this value; the default is left out unless it was written there."""
    node = spec.nodes[name]
    field = model.model_fields.get(param)
    params = {**node.params, param: value}
    if field is not None and param not in node.params and field.default == value:
        del params[param]
    return with_node(spec, name, node.model_copy(update={"params": params}))


def prompted(spec: GraphSpec, name: str, task: str, told: str, shipped: str) -> GraphSpec:
    """A node's own instructions for a task; none where they are empty, or as shipped."""
    node = spec.nodes[name]
    prompts = {each: text for each, text in node.prompts.items() if each != task}
    if told.strip() and told != shipped:
        prompts[task] = told
    return with_node(spec, name, node.model_copy(update={"prompts": prompts}))


def with_node(spec: GraphSpec, name: str, node: NodeSpec) -> GraphSpec:
    """A node put in, or in place of the one of that name."""
    return spec.model_copy(update={"nodes": {**spec.nodes, name: node}})


def within(spec: GraphSpec, path: tuple[str, ...], inner: GraphSpec) -> GraphSpec:
    """The graph with the one at this path, from node to node, put in place."""
    if not path:
        return inner
    name, *rest = path
    body = within(spec.inner(name), tuple(rest), inner) if rest else inner
    node = spec.nodes[name]
    params = {**node.params, "spec": json.loads(body.canonical())}
    return with_node(spec, name, node.model_copy(update={"params": params}))


def at(spec: GraphSpec, path: tuple[str, ...]) -> GraphSpec:
    """The graph at this path, from node to node. Raises GraphError."""
    for name in path:
        spec = spec.inner(name)
    return spec
