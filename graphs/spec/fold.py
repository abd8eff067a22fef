"""Folds several nodes into one node of type graph, and unfolds it."""

import json
import re
from collections.abc import Collection, Iterable, Mapping

from pydantic import JsonValue

from forager.errors import GraphError
from graphs.spec.edit import number_name, rename_nodes, with_inner_graph, with_references
from graphs.spec.spec import END, GRAPH, NAME, SET, START, Edge, GraphSpec, NodeSpec

DRAW_INSTEAD = "Or draw them as one box, which has no conditions."


def fold_nodes(spec: GraphSpec, nodes: Collection[str], name: str) -> GraphSpec:
    """The graph with some of its nodes moved into a new node of type graph.

    Raises GraphError unless all edges into the group lead to one node, and all edges out of it lead
    to one node.
    """
    group = dict.fromkeys(nodes)
    _refuse_fold(spec, group.keys(), name)
    entry = _only_one(
        (edge.target for edge in spec.edges if edge.target in group and edge.source not in group),
        "These nodes are not entered.",
        "These nodes are entered at",
    )
    out = [edge for edge in spec.edges if edge.source in group and edge.target not in group]
    target = _only_one(
        (edge.target for edge in out), "These nodes lead nowhere else.", "These nodes lead to"
    )
    if spec.nodes[entry].type == GRAPH and any(e.target == entry and e.fan for e in spec.edges):
        raise GraphError(
            f"{entry!r} runs once per arm, the nodes after it run only once.",
            f"Leave out {entry!r}, or the nodes after it. {DRAW_INSTEAD}",
        )
    if len({edge.fan for edge in out}) > 1:
        raise GraphError(
            f"These nodes lead to {target!r} both by -> and by =>.", "Use one kind of arrow."
        )
    passed = _mentioned_parameters(spec, group)
    inner = GraphSpec(
        name=name,
        parameters={each: spec.parameters[each] for each in passed},
        nodes={node: own for node, own in spec.nodes.items() if node in group},
        edges=(
            Edge(source=START, target=entry),
            *(
                edge
                if edge.target in group
                else edge.model_copy(update={"target": END, "fan": False})
                for edge in spec.edges
                if edge.source in group
            ),
        ),
    )
    before = [_retarget(edge, entry, name) for edge in spec.edges if edge.source not in group]
    after = Edge(source=name, route=END, target=target, fan=out[0].fan)
    kept = {node: own for node, own in spec.nodes.items() if node not in group}
    first = next(iter(place for place, node in enumerate(spec.nodes) if node in group))
    names = list(kept)
    names.insert(first, name)
    values: dict[str, JsonValue] = {SET: {each: f"${each}" for each in passed}} if passed else {}
    held = {node: kept.get(node, NodeSpec(type=GRAPH, params=values)) for node in names}
    folded = spec.model_copy(update={"nodes": held, "edges": (*before, after)})
    return _fold_layout(with_inner_graph(folded, name, inner), spec, group.keys(), name)


def unfold_node(spec: GraphSpec, name: str) -> GraphSpec:
    """The graph with a node of type graph replaced by the nodes inside it.

    Inner nodes whose names are taken get a number. Raises GraphError if the node holds no graph,
    does not have one entry and one exit, or runs once per arm and begins with another graph.
    """
    if name not in spec.nodes or spec.nodes[name].type != GRAPH:
        raise GraphError(
            f"{name!r} is not a node of type graph.", "Choose a node with nodes inside."
        )
    inner = spec.inner(name)
    entries = [edge.target for edge in inner.edges if edge.source == START]
    after = [edge for edge in spec.edges if edge.source == name]
    if len(entries) != 1 or len(after) != 1 or entries[0] not in inner.nodes:
        raise GraphError(
            f"{name!r} does not have exactly one entry and one exit.",
            "Fix what the checker reports first.",
        )
    fanned = any(edge.fan for edge in spec.edges if edge.target == name)
    if fanned and inner.nodes[entries[0]].type == GRAPH:
        raise GraphError(
            f"{name!r} runs once per arm and begins with the graph {entries[0]!r}.",
            f"Unfold {entries[0]!r} first, or leave {name!r} folded.",
        )
    others = {node for node in spec.nodes if node != name}
    renamed: dict[str, str] = {}
    for node in inner.nodes:
        if node in others:
            renamed[node] = number_name(node, {*others, *inner.nodes, *renamed.values()})
    inner = rename_nodes(inner, renamed)
    entry = renamed.get(entries[0], entries[0])
    [leaving] = after
    target = entry if leaving.target == name else leaving.target
    edges = (
        *(_retarget(edge, name, entry) for edge in spec.edges if edge.source != name),
        *(
            edge.model_copy(update={"target": target, "fan": leaving.fan})
            if edge.target == END
            else edge
            for edge in inner.edges
            if edge.source != START
        ),
    )
    nodes: dict[str, NodeSpec] = {}
    for node, own in spec.nodes.items():
        nodes |= _without_parameters(inner, own) if node == name else {node: own}
    opened = spec.model_copy(update={"nodes": nodes, "edges": edges})
    return _unfold_layout(opened, spec, name, renamed)


def _mentioned_parameters(spec: GraphSpec, group: Collection[str]) -> list[str]:
    """The graph's parameters that some of these nodes refer to."""
    text = json.dumps([spec.nodes[node].params for node in group])
    return [name for name in spec.parameters if re.search(rf"\${name}\b", text)]


def _without_parameters(inner: GraphSpec, held: NodeSpec) -> dict[str, NodeSpec]:
    """The nodes of an inner graph, with what its node sets in place of its parameters."""
    given = held.params.get(SET)
    values: dict[str, JsonValue] = {name: own.default for name, own in inner.parameters.items()}
    values |= given if isinstance(given, dict) else {}
    nodes: dict[str, NodeSpec] = {}
    for name, node in inner.nodes.items():
        params = with_references(node.params, values)
        same = params == node.params
        nodes[name] = node if same else node.model_copy(update={"params": params})
    return nodes


def _refuse_fold(spec: GraphSpec, group: Collection[str], name: str) -> None:
    unknown = [node for node in group if node not in spec.nodes]
    if unknown or not group:
        raise GraphError(
            f"There is no node {unknown[0]!r}." if unknown else "There is nothing to fold.",
            "Choose some of its nodes.",
        )
    if name in (START, END) or not NAME.fullmatch(name):
        raise GraphError(
            f"{name!r} cannot be the name of a node.",
            "Use lower-case letters, digits and _, starting with a letter; not start or end.",
        )
    if name in spec.nodes and name not in group:
        raise GraphError(f"There is already a node {name!r}.", "Choose another name.")


def _only_one(found: Iterable[str], none: str, many: str) -> str:
    names = list(dict.fromkeys(found))
    if len(names) != 1:
        what = f"{many} {len(names)} nodes: {', '.join(names)}." if names else none
        raise GraphError(what, f"A folded node has one entry and one exit. {DRAW_INSTEAD}")
    return names[0]


def _retarget(edge: Edge, old: str, new: str) -> Edge:
    return edge.model_copy(update={"target": new}) if edge.target == old else edge


def _fold_layout(folded: GraphSpec, old: GraphSpec, group: Collection[str], name: str) -> GraphSpec:
    """Place the new node at the centre of its inner nodes, whose layout is kept under it."""

    def deeper(at: str) -> str:
        return f"{name}/{at}" if at.partition("/")[0] in group else at

    places = [old.positions[node] for node in group if node in old.positions]
    positions = {deeper(at): place for at, place in old.positions.items()}
    if places:
        across, down = zip(*places, strict=True)
        positions[name] = (sum(across) / len(places), sum(down) / len(places))
    groups = {box: tuple(n for n in own if n not in group) for box, own in old.folds.items()}
    update = {
        "positions": positions,
        "folds": {box: own for box, own in groups.items() if own},
        "breakpoints": {deeper(at): on for at, on in old.breakpoints.items()},
        "notes": {deeper(id): note for id, note in old.notes.items()},
    }
    return folded.model_copy(update=update)


def _unfold_layout(
    opened: GraphSpec, old: GraphSpec, name: str, renamed: Mapping[str, str]
) -> GraphSpec:
    """Move the layout inside the node outwards; a note whose name is taken gets a number."""
    taken: set[str] = {id for id in old.notes if "/" not in id}

    def outside(at: str) -> str:
        """The place of what is at a place; empty for the node itself."""
        around, _, inside = at.partition("/")
        if around != name:
            return at
        node, slash, rest = inside.partition("/")
        return f"{renamed.get(node, node)}{slash}{rest}"

    def free(id: str) -> str:
        new = outside(id)
        if new != id and new in taken:
            new = number_name(new, taken)
        taken.add(new)
        return new

    groups = {box: tuple(n for n in all if n in opened.nodes) for box, all in old.folds.items()}
    update = {
        "positions": {to: place for at, place in old.positions.items() if (to := outside(at))},
        "folds": {box: all for box, all in groups.items() if all},
        "breakpoints": {to: on for at, on in old.breakpoints.items() if (to := outside(at))},
        "notes": {free(id): note for id, note in old.notes.items()},
    }
    return opened.model_copy(update=update)
