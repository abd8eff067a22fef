"""From a spec and its ports to a LangGraph graph."""

from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END as FINISH
from langgraph.graph import START as BEGIN
from langgraph.graph import StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Overwrite, RetryPolicy, Send

from forager.budget import minus
from forager.domain.state import State, Update
from forager.errors import ConnectError, GraphError
from forager.node_type import NodeType, Registry
from forager.ports import Model, Ports, Reply, Task
from graphs.check.checker import check
from graphs.reports.events import Emit, emit_nothing
from graphs.runtime.branches import JoiningState, branch_result, join_branches, split_state
from graphs.runtime.metering import MeteredNode, SpendAccount, meter_node
from graphs.spec.registry import REGISTRY
from graphs.spec.resolved_graph import View, view
from graphs.spec.spec import END, START, Edge, GraphSpec, NodeSpec

NodeFunction = Callable[[State], Awaitable[Update]]


class InstructedModel:
    """The Model port with a graph's instructions in place of those that ship with the tasks."""

    def __init__(self, model: Model, prompts: Mapping[str, str]) -> None:
        self.name = model.name
        self._model = model
        self._prompts = prompts

    async def ask(self, task: Task[Reply]) -> Reply:
        """What the model replies. Raises ModelError."""
        own = self._prompts.get(type(task).__name__)
        return await self._model.ask(task.instructed(own) if own else task)


def bind_node(kind: NodeType, node: NodeSpec, ports: Ports) -> NodeFunction:
    """What a node of this type does to a state."""
    params = kind.params.model_validate(node.params)
    if node.prompts:
        ports = replace(ports, model=InstructedModel(ports.model, node.prompts))
    return partial(kind.function, ports=ports, params=params)


Builder = StateGraph[JoiningState, None, State, JoiningState]
Graph = CompiledStateGraph[JoiningState, None, State, JoiningState]
CONNECT_RETRY = RetryPolicy(max_attempts=3, retry_on=ConnectError)
"""What may pass by itself is tried again; models are asked again at their own door."""


@dataclass(frozen=True, kw_only=True)
class Hooks:
    """What a run is watched and kept by."""

    checkpointer: BaseCheckpointSaver[Any] | None = None
    emit: Emit = emit_nothing
    retry: RetryPolicy = CONNECT_RETRY
    account: SpendAccount = field(default_factory=SpendAccount)


def compile_graph(
    spec: GraphSpec, ports: Ports | None, registry: Registry = REGISTRY, hooks: Hooks | None = None
) -> Graph:
    """The graph, ready to run; without ports, only to be asked where a thread stands in it.

    Raises GraphError when the checker finds a fault.
    """
    refuse_faults(spec, registry)
    hooks = hooks or Hooks()
    graph = _build_graph(view(spec, registry), ports, hooks)
    return graph.compile(checkpointer=hooks.checkpointer, name=spec.name)


def refuse_faults(spec: GraphSpec, registry: Registry) -> None:
    """Raise GraphError when the checker finds a fault."""
    faults = [finding for finding in check(spec, registry) if finding.severity == "error"]
    if faults:
        more = f" ({len(faults) - 1} more faults)" if len(faults) > 1 else ""
        at = f"{faults[0].at}: " if faults[0].at else ""
        raise GraphError(f"{spec.name}: {at}{faults[0].message}{more}", faults[0].mend)


def super_step_limit(spec: GraphSpec, registry: Registry = REGISTRY) -> int:
    """A bound on the super-steps of a run that keeps to its budget, and of each graph inside it.

    A node runs at most twice for each action (before it and after it) and once more per round.
    """
    seen = view(spec, registry)
    params = [
        kind.params.model_validate(spec.nodes[name].params) for name, kind in seen.types.items()
    ]
    rounds = max([1, *(getattr(own, "rounds", 0) for own in params)])
    steps = max([1, *(getattr(own, "steps", 0) for own in params)])
    inner = max([0, *(super_step_limit(deeper.spec, registry) for deeper in seen.inner.values())])
    return max(inner, (len(spec.nodes) + 2) * (rounds + 2) * (2 * steps + 4))


def langgraph_name(node: str) -> str:
    """LangGraph keeps state keys and node names in one space; small letters are the keys'."""
    return FINISH if node == END else node.capitalize()


def joint_name(node: str) -> str:
    """LangGraph's name of what takes over the results of a node's branches."""
    return f"{langgraph_name(node)}Join"


def langgraph_names(spec: GraphSpec) -> dict[str, str]:
    """From LangGraph's names of a graph's nodes, joints included, to the graph's own."""
    own = {langgraph_name(node): node for node in spec.nodes}
    return own | {joint_name(node): node for node in spec.nodes}


def _build_graph(seen: View, ports: Ports | None, hooks: Hooks, prefix: str = "") -> Builder:
    graph: Builder = StateGraph(JoiningState, input_schema=State)
    for name, kind in seen.types.items():
        own = bind_node(kind, seen.spec.nodes[name], ports) if ports else _refuse_to_run
        graph.add_node(
            langgraph_name(name),
            meter_node(f"{prefix}{name}", own, hooks.emit, hooks.account, kind.route),
            input_schema=State,
            retry_policy=hooks.retry,
        )
    for name, inner in seen.inner.items():
        deeper = _build_graph(inner, ports, hooks, f"{prefix}{name}/")
        walk = deeper.compile(name=inner.spec.name)
        if seen.fanned(name):
            graph.add_node(langgraph_name(name), _branch_node(walk), input_schema=State)
            graph.add_node(joint_name(name), _join_node, input_schema=JoiningState)
            graph.add_edge(langgraph_name(name), joint_name(name))
        else:
            graph.add_node(langgraph_name(name), _subgraph_node(walk), input_schema=State)
    _add_edges(graph, seen)
    return graph


def _add_edges(graph: Builder, seen: View) -> None:
    ways: dict[str, dict[str, Edge]] = {}
    for edge in seen.spec.edges:
        ways.setdefault(edge.source, {})[edge.route] = edge
    graph.add_edge(BEGIN, langgraph_name(ways.pop(START)[""].target))
    for name, edges in ways.items():
        route = seen.types[name].route if name in seen.types else _route_to_end
        targets = {edge.target: langgraph_name(edge.target) for edge in edges.values()}
        path_map: dict[Hashable, str] = {target: target for target in targets.values()}
        exit = joint_name(name) if seen.fanned(name) else langgraph_name(name)
        graph.add_conditional_edges(exit, _make_router(route, edges), path_map)


async def _refuse_to_run(state: State) -> Update:
    """A node of a graph without ports."""
    raise GraphError("A graph without ports runs nothing.", "Compile it with its ports.")


def _route_to_end(state: State) -> str:
    return END


def _make_router(
    route: Callable[[State], str], edges: Mapping[str, Edge]
) -> Callable[[State], str | Sequence[Send]]:
    def way(state: State) -> str | Sequence[Send]:
        edge = edges[route(state)]
        target = langgraph_name(edge.target)
        return [Send(target, own) for own in split_state(state)] if edge.fan else target

    return way


def _subgraph_node(graph: Graph) -> MeteredNode:
    """A graph as a node: it walks on a copy of the state and hands back what it changed."""

    async def run(state: State) -> dict[str, object]:
        after = await _run_subgraph(graph, state)
        changed = {key: value for key, value in vars(after).items() if value != vars(state)[key]}
        return {**changed, "spend": minus(after.spend, state.spend)}

    return run


def _branch_node(graph: Graph) -> MeteredNode:
    """A graph as one of several branches: what it found waits for the others."""

    async def run(state: State) -> dict[str, object]:
        after = await _run_subgraph(graph, state)
        spend = minus(after.spend, state.spend)
        return {"found": (branch_result(state, after),), "spend": spend}

    return run


async def _run_subgraph(graph: Graph, state: State) -> State:
    values = await graph.ainvoke(state)
    return State(**{key: values[key] for key in vars(state) if key in values})


async def _join_node(state: JoiningState) -> dict[str, object]:
    """Takes over what the branches have found."""
    return {**dict(join_branches(state, state.found)), "found": Overwrite(())}
