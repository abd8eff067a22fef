"""Compiles a graph spec and its ports to a LangGraph graph."""

from collections.abc import Hashable

from langgraph.graph import END as FINISH
from langgraph.graph import START as BEGIN

from forager.domain.state import State
from forager.errors import GraphError
from forager.node_type import Registry
from forager.ports import Ports
from graphs.check.checker import find_faults
from graphs.runtime.branches import JoiningState
from graphs.runtime.graph_nodes import (
    ONCE,
    Builder,
    Graph,
    Hooks,
    Nodes,
    fan_out,
    join_found,
    run_branch,
    run_inside,
)
from graphs.spec.registry import REGISTRY
from graphs.spec.resolved_graph import ResolvedGraph, resolve_types
from graphs.spec.spec import END, START, Edge, GraphSpec, is_preset


def compile_graph(
    spec: GraphSpec, ports: Ports | None, registry: Registry = REGISTRY, hooks: Hooks | None = None
) -> Graph:
    """The graph, ready to run. Without ports it can only tell the position of a thread.

    Raises GraphError when the checker finds a fault.
    """
    refuse_faults(spec, registry)
    hooks = hooks or Hooks()
    seen, nodes = resolve_types(spec, registry), Nodes(ports, registry, hooks)
    before, after = _interrupts(seen, nodes)
    return _build_graph(seen, nodes).compile(
        checkpointer=hooks.checkpointer,
        name=spec.name,
        interrupt_before=before,
        interrupt_after=after,
    )


def refuse_faults(spec: GraphSpec, registry: Registry) -> None:
    """Raise GraphError when the checker finds a fault. Presets are known to have none."""
    if registry == REGISTRY and is_preset(spec):
        return
    faults = [finding for finding in find_faults(spec, registry) if finding.severity == "error"]
    if faults:
        more = f" ({len(faults) - 1} more faults)" if len(faults) > 1 else ""
        at = f"{faults[0].at}: " if faults[0].at else ""
        raise GraphError(f"{spec.name}: {at}{faults[0].message}{more}", faults[0].mend)


def super_step_limit(spec: GraphSpec, registry: Registry = REGISTRY) -> int:
    """A bound on the super-steps of a run that keeps to its budget, inner graphs included.

    A node runs at most twice for each action (before and after it), and once more in each round.
    """
    seen = resolve_types(spec, registry)
    params = [
        kind.params.model_validate(seen.nodes[name].params) for name, kind in seen.types.items()
    ]
    rounds = max([1, *(getattr(own, "rounds", 0) for own in params)])
    steps = max([1, *(getattr(own, "steps", 0) for own in params)])
    inner = max([0, *(super_step_limit(deeper.spec, registry) for deeper in seen.inner.values())])
    return max(inner, (len(spec.nodes) + 2) * (rounds + 2) * (2 * steps + 4))


def writes_answer(type: str, registry: Registry) -> bool:
    """Whether nodes of this type write the answer."""
    return type in registry and "answer" in registry[type].writes


def langgraph_name(node: str) -> str:
    """A node's name in LangGraph, which keeps node names and state keys in one namespace.

    Node names are capitalized; the lower-case names are those of the keys.
    """
    return FINISH if node == END else node.capitalize()


def joint_name(node: str) -> str:
    """LangGraph's name of the node that joins the branches of `node`."""
    return f"{langgraph_name(node)}Join"


def langgraph_names(spec: GraphSpec) -> dict[str, str]:
    """The graph's nodes by their names in LangGraph, joints included."""
    own = {langgraph_name(node): node for node in spec.nodes}
    return own | {joint_name(node): node for node in spec.nodes}


def _build_graph(seen: ResolvedGraph, nodes: Nodes) -> Builder:
    graph = nodes.new_graph()
    for name in seen.types:
        node = seen.nodes[name]
        bound = nodes.bind(name, node.type, node.params, node.prompts)
        graph.add_node(langgraph_name(name), bound, input_schema=State)
    for name, inner in seen.inner.items():
        before, after = _interrupts(inner, nodes.inside(name))
        built = _build_graph(inner, nodes.inside(name)).compile(
            name=inner.spec.name, interrupt_before=before, interrupt_after=after
        )
        if seen.runs_in_branches(name):
            branch = run_branch(built)
            graph.add_node(langgraph_name(name), branch, input_schema=State, retry_policy=ONCE)
            graph.add_node(joint_name(name), join_found, input_schema=JoiningState)
            graph.add_edge(langgraph_name(name), joint_name(name))
        else:
            inside = run_inside(built)
            graph.add_node(langgraph_name(name), inside, input_schema=State, retry_policy=ONCE)
    _add_edges(graph, seen, nodes)
    return graph


def _interrupts(seen: ResolvedGraph, nodes: Nodes) -> tuple[list[str], list[str]]:
    """LangGraph's names of the nodes before which, and after which, the run halts."""
    halts, before, after = nodes.hooks.halts, list[str](), list[str]()
    for name in seen.spec.nodes:
        path = f"{nodes.prefix}{name}"
        if halts.stops_before(path, entered=name in seen.inner):
            before.append(langgraph_name(name))
        if path in halts.after:
            joins = seen.runs_in_branches(name)
            after.append(joint_name(name) if joins else langgraph_name(name))
    return before, after


def _add_edges(graph: Builder, seen: ResolvedGraph, nodes: Nodes) -> None:
    by_source: dict[str, list[Edge]] = {}
    for edge in seen.spec.edges:
        by_source.setdefault(edge.source, []).append(edge)
    for name, edges in by_source.items():
        targets: dict[Hashable, str] = {e.route: langgraph_name(e.target) for e in edges}
        exit = joint_name(name) if seen.runs_in_branches(name) else langgraph_name(name)
        if name == START:
            graph.add_edge(BEGIN, targets[""])
        elif name in seen.inner:
            graph.add_edge(exit, targets[END])
        else:
            fans = {edge.route: langgraph_name(edge.target) for edge in edges if edge.fan}
            route = nodes.route(seen.nodes[name].type, seen.nodes[name].params)
            graph.add_conditional_edges(exit, fan_out(route, fans) if fans else route, targets)
