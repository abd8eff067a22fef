"""A graph with one thing drawn otherwise."""

import json
from collections.abc import Callable

from graphs.spec.spec import START, Edge, GraphSpec, NodeSpec, parse_graph


def renamed(spec: GraphSpec, old: str, new: str) -> GraphSpec:
    """With another name for a node."""

    def name(each: str) -> str:
        return new if each == old else each

    nodes = {name(each): node for each, node in spec.nodes.items()}
    edges = [
        edge.model_copy(update={"source": name(edge.source), "target": name(edge.target)})
        for edge in spec.edges
    ]
    return _drawn(spec, nodes, edges)


def without(spec: GraphSpec, node: str, to: str) -> GraphSpec:
    """Without a node: what led to it leads to another one."""
    edges = [
        edge.model_copy(update={"target": to}) if edge.target == node else edge
        for edge in spec.edges
        if edge.source != node
    ]
    return _drawn(spec, {each: own for each, own in spec.nodes.items() if each != node}, edges)


def inserted(spec: GraphSpec, name: str, type: str, before: str, *routes: str) -> GraphSpec:
    """With a node before another one."""
    edges = [
        edge.model_copy(update={"target": name}) if edge.target == before else edge
        for edge in spec.edges
    ]
    own = [Edge(source=name, route=route, target=before) for route in routes]
    return _drawn(spec, {**spec.nodes, name: NodeSpec(type=type)}, [*edges, *own])


def begun_at(spec: GraphSpec, node: str) -> GraphSpec:
    """With another entry."""
    edges = [
        edge.model_copy(update={"target": node}) if edge.source == START else edge
        for edge in spec.edges
    ]
    return _drawn(spec, spec.nodes, edges)


def inside(spec: GraphSpec, node: str, change: Callable[[GraphSpec], GraphSpec]) -> GraphSpec:
    """With a graph inside it drawn otherwise."""
    inner = json.loads(change(spec.inner(node)).canonical())
    own = spec.nodes[node].model_copy(update={"params": {"spec": inner}})
    return _drawn(spec, {**spec.nodes, node: own}, list(spec.edges))


def _drawn(spec: GraphSpec, nodes: dict[str, NodeSpec], edges: list[Edge]) -> GraphSpec:
    changed = spec.model_copy(update={"nodes": nodes, "edges": tuple(edges)})
    return parse_graph(changed.canonical())
