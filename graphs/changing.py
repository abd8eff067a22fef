"""Small changes of a graph, as a form makes them."""

from collections.abc import Sequence

from pydantic import BaseModel, JsonValue

from forager.errors import GraphError
from graphs.mending import Fix, apply, holding
from graphs.spec import Edge, GraphSpec, NodeSpec


def without(spec: GraphSpec, gone: str) -> GraphSpec:
    """A node taken out, with its edges."""
    return apply(spec, Fix(label=f"Remove {gone!r}", remove=(gone,)))


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
    """The graph with the one at this path, from node to node, put in place; so is its drawing."""
    if not path:
        return inner
    name, *rest = path
    body = within(at(spec, (name,)), tuple(rest), inner)
    around = f"{name}/"
    places = {each: place for each, place in spec.positions.items() if not each.startswith(around)}
    places |= {f"{around}{each}": place for each, place in body.positions.items()}
    return holding(spec, name, body).model_copy(update={"positions": places})


def called_within(path: Sequence[str], place: str) -> str | None:
    """What is at a place, as it is called in the graph that the path leads to; None outside."""
    around = "".join(f"{name}/" for name in path)
    return place.removeprefix(around) if place.startswith(around) else None


def at(spec: GraphSpec, path: tuple[str, ...]) -> GraphSpec:
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
