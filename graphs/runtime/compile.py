"""Compiles a graph spec and its ports to a LangGraph graph."""

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

from forager.budget import subtract_spend
from forager.domain.state import State, Update
from forager.errors import ConnectError, GraphError
from forager.node_type import NodeType, Registry
from forager.ports import Model, Ports, Reply, Task
from graphs.check.checker import find_faults
from graphs.reports.events import Emit, emit_nothing
from graphs.runtime.branches import JoiningState, branch_result, join_branches, split_state
from graphs.runtime.metering import MeteredNode, SpendAccount, meter_node
from graphs.spec.registry import REGISTRY
from graphs.spec.resolved_graph import ResolvedGraph, resolve_types
from graphs.spec.spec import END, START, Edge, GraphSpec, NodeSpec, is_preset

NodeFunction = Callable[[State], Awaitable[Update]]
Builder = StateGraph[JoiningState, None, State, JoiningState]
Graph = CompiledStateGraph[JoiningState, None, State, JoiningState]
CONNECT_RETRY = RetryPolicy(max_attempts=3, retry_on=ConnectError)
"""Repeats a node that could not connect. Model calls have a retry of their own."""


class InstructedModel:
    """The Model port with a graph's prompts instead of those that the tasks bring."""

    def __init__(self, model: Model, prompts: Mapping[str, str]) -> None:
        self.name = model.name
        self._model = model
        self._prompts = prompts

    async def ask(self, task: Task[Reply]) -> Reply:
        """The model's reply. Raises ModelError."""
        own = self._prompts.get(type(task).__name__)
        return await self._model.ask(task.with_instructions(own) if own else task)


def bind_node(kind: NodeType, node: NodeSpec, ports: Ports) -> NodeFunction:
    """The function of a node, with its ports, params and prompts bound."""
    params = kind.params.model_validate(node.params)
    if node.prompts:
        ports = replace(ports, model=InstructedModel(ports.model, node.prompts))
    return partial(kind.function, ports=ports, params=params)


@dataclass(frozen=True, kw_only=True)
class Hooks:
    """Where a run's checkpoints, events and spending go, and when its nodes are repeated."""

    checkpointer: BaseCheckpointSaver[Any] | None = None
    emit: Emit = emit_nothing
    retry: RetryPolicy = CONNECT_RETRY
    account: SpendAccount = field(default_factory=SpendAccount)


def compile_graph(
    spec: GraphSpec, ports: Ports | None, registry: Registry = REGISTRY, hooks: Hooks | None = None
) -> Graph:
    """The graph, ready to run. Without ports it can only tell the position of a thread.

    Raises GraphError when the checker finds a fault.
    """
    refuse_faults(spec, registry)
    hooks = hooks or Hooks()
    graph = _build_graph(resolve_types(spec, registry), ports, hooks)
    return graph.compile(checkpointer=hooks.checkpointer, name=spec.name)


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


def _build_graph(
    seen: ResolvedGraph, ports: Ports | None, hooks: Hooks, prefix: str = ""
) -> Builder:
    graph: Builder = StateGraph(JoiningState, input_schema=State)
    for name, kind in seen.types.items():
        own = bind_node(kind, seen.nodes[name], ports) if ports else _refuse_to_run
        metered = meter_node(f"{prefix}{name}", own, hooks.emit, hooks.account, kind.route)
        graph.add_node(
            langgraph_name(name),
            _short_node(metered),
            input_schema=State,
            retry_policy=hooks.retry,
        )
    for name, inner in seen.inner.items():
        subgraph = _build_graph(inner, ports, hooks, f"{prefix}{name}/").compile(
            name=inner.spec.name
        )
        if seen.runs_in_branches(name):
            graph.add_node(langgraph_name(name), _branch_node(subgraph), input_schema=State)
            graph.add_node(joint_name(name), _join_node, input_schema=JoiningState)
            graph.add_edge(langgraph_name(name), joint_name(name))
        else:
            graph.add_node(langgraph_name(name), _subgraph_node(subgraph), input_schema=State)
    _add_edges(graph, seen)
    return graph


def _add_edges(graph: Builder, seen: ResolvedGraph) -> None:
    by_source: dict[str, dict[str, Edge]] = {}
    for edge in seen.spec.edges:
        by_source.setdefault(edge.source, {})[edge.route] = edge
    graph.add_edge(BEGIN, langgraph_name(by_source.pop(START)[""].target))
    for name, edges in by_source.items():
        route = seen.types[name].route if name in seen.types else _route_to_end
        targets = {edge.target: langgraph_name(edge.target) for edge in edges.values()}
        path_map: dict[Hashable, str] = {target: target for target in targets.values()}
        exit = joint_name(name) if seen.runs_in_branches(name) else langgraph_name(name)
        graph.add_conditional_edges(exit, _make_router(route, edges), path_map)


def _short_node(node: MeteredNode) -> MeteredNode:
    """The node behind few instructions: LangGraph disassembles its function at every compile."""

    async def run(state: State) -> dict[str, object]:
        return await node(state)

    return run


async def _refuse_to_run(state: State) -> Update:
    """A node of a graph without ports."""
    raise GraphError("A graph without ports cannot run.", "Compile it with its ports.")


def _route_to_end(state: State) -> str:
    return END


def _make_router(
    route: Callable[[State], str], edges: Mapping[str, Edge]
) -> Callable[[State], str | Sequence[Send]]:
    """A conditional edge: the target of the route taken, once per drawn arm where it fans out."""

    def choose_target(state: State) -> str | Sequence[Send]:
        edge = edges[route(state)]
        target = langgraph_name(edge.target)
        return [Send(target, own) for own in split_state(state)] if edge.fan else target

    return choose_target


def _subgraph_node(graph: Graph) -> MeteredNode:
    """A graph as a node: it runs on a copy of the state and returns the keys that changed."""

    async def run(state: State) -> dict[str, object]:
        after = await _run_subgraph(graph, state)
        changed = {key: value for key, value in vars(after).items() if value != vars(state)[key]}
        return {**changed, "spend": subtract_spend(after.spend, state.spend)}

    return run


def _branch_node(graph: Graph) -> MeteredNode:
    """A graph as one of several branches: its result waits for the others."""

    async def run(state: State) -> dict[str, object]:
        after = await _run_subgraph(graph, state)
        spend = subtract_spend(after.spend, state.spend)
        return {"found": (branch_result(state, after),), "spend": spend}

    return run


async def _run_subgraph(graph: Graph, state: State) -> State:
    values = await graph.ainvoke(state)
    return State(**{key: values[key] for key in vars(state) if key in values})


async def _join_node(state: JoiningState) -> dict[str, object]:
    """Merges what the branches have found into the state."""
    return {**dict(join_branches(state, state.found)), "found": Overwrite(())}
