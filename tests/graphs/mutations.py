"""Good graphs, and the ways to break one: each returns the bad graph and what must be named."""

import random
from collections.abc import Callable

from graphs.spec.spec import Edge, GraphSpec, NodeSpec, load_graph
from tests.graphs.fanned_graph import FANNED

Mutation = Callable[[GraphSpec, random.Random], tuple[GraphSpec, str]]

GOOD = [load_graph(name) for name in ("forager", "mango", "webwalker")] + [FANNED]


def with_edges(spec: GraphSpec, edges: list[Edge]) -> GraphSpec:
    return spec.model_copy(update={"edges": tuple(edges)})


def rewired(spec: GraphSpec, index: int, **change: str) -> GraphSpec:
    edges = list(spec.edges)
    edges[index] = edges[index].model_copy(update=change)
    return with_edges(spec, edges)


def orphan(spec: GraphSpec, seed: random.Random) -> tuple[GraphSpec, str]:
    nodes = {**spec.nodes, "orphan": NodeSpec(type="recaller")}
    edges = [*spec.edges, Edge(source="orphan", route="next", target="answer")]
    return with_edges(spec.model_copy(update={"nodes": nodes}), edges), "orphan"


def missing_route(spec: GraphSpec, seed: random.Random) -> tuple[GraphSpec, str]:
    edges = list(spec.edges)
    gone = edges.pop(seed.randrange(1, len(edges)))
    return with_edges(spec, edges), f"{gone.source}.{gone.route}"


def doubled_route(spec: GraphSpec, seed: random.Random) -> tuple[GraphSpec, str]:
    twin = seed.choice([edge for edge in spec.edges[1:] if not edge.fan])
    edges = [*spec.edges, twin.model_copy(update={"target": "answer"})]
    return with_edges(spec, edges), f"{twin.source}.{twin.route}"


def unknown_target(spec: GraphSpec, seed: random.Random) -> tuple[GraphSpec, str]:
    index = seed.randrange(len(spec.edges))
    return rewired(spec, index, target="nowhere"), "nowhere"


def unknown_source(spec: GraphSpec, seed: random.Random) -> tuple[GraphSpec, str]:
    index = seed.randrange(1, len(spec.edges))
    return rewired(spec, index, source="nobody"), "nobody"


def unknown_route(spec: GraphSpec, seed: random.Random) -> tuple[GraphSpec, str]:
    index = seed.randrange(1, len(spec.edges))
    return rewired(spec, index, route="sideways"), "sideways"


def wrong_type(spec: GraphSpec, seed: random.Random) -> tuple[GraphSpec, str]:
    name = seed.choice([name for name, node in spec.nodes.items() if node.type != "graph"])
    wrong = NodeSpec(type=spec.nodes[name].type[:-2] + "xx")
    return spec.model_copy(update={"nodes": {**spec.nodes, name: wrong}}), wrong.type


def misspelt_param(spec: GraphSpec, seed: random.Random) -> tuple[GraphSpec, str]:
    node = NodeSpec(type="selector", params={"stratgey": "greedy"})
    return spec.model_copy(update={"nodes": {**spec.nodes, "select": node}}), "stratgey"


def wrong_value(spec: GraphSpec, seed: random.Random) -> tuple[GraphSpec, str]:
    node = NodeSpec(type="selector", params={"rounds": "many"})
    return spec.model_copy(update={"nodes": {**spec.nodes, "select": node}}), "rounds"


def endless_loop(spec: GraphSpec, seed: random.Random) -> tuple[GraphSpec, str]:
    index = [str(edge) for edge in spec.edges].index("select.exhausted -> answer")
    return rewired(spec, index, target="select"), "select"


def no_way_home(spec: GraphSpec, seed: random.Random) -> tuple[GraphSpec, str]:
    edges = [edge for edge in spec.edges if edge.target != "end"]
    return with_edges(spec, [*edges, Edge(source="answer", route="end", target="survey")]), "end"


def no_entry(spec: GraphSpec, seed: random.Random) -> tuple[GraphSpec, str]:
    return with_edges(spec, list(spec.edges[1:])), "entry"


def two_entries(spec: GraphSpec, seed: random.Random) -> tuple[GraphSpec, str]:
    return with_edges(spec, [*spec.edges, Edge(source="start", target="select")]), "entry"


def read_before_written(spec: GraphSpec, seed: random.Random) -> tuple[GraphSpec, str]:
    index = [edge.source for edge in spec.edges].index("survey")
    return rewired(spec, index, target="answer"), "never reached"


MUTATIONS = [
    orphan,
    missing_route,
    doubled_route,
    unknown_target,
    unknown_source,
    unknown_route,
    wrong_type,
    misspelt_param,
    wrong_value,
    endless_loop,
    no_way_home,
    no_entry,
    two_entries,
    read_before_written,
]
