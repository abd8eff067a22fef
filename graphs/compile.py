"""From a spec and its ports to a LangGraph graph."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END as FINISH
from langgraph.graph import START as BEGIN
from langgraph.graph import StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import RetryPolicy, Send

from forager.budget import minus, share
from forager.errors import ConnectError, GraphError, ModelError
from forager.ports import Ports
from forager.state import Budget, State
from graphs.check import check
from graphs.events import Emit, silent
from graphs.metered import Run, metered
from graphs.node_type import Registry
from graphs.registry import REGISTRY
from graphs.spec import END, START, Edge, GraphSpec
from graphs.view import KEYS_MERGED, View, view

Graph = CompiledStateGraph[State, None, State, State]
PASSING = RetryPolicy(max_attempts=3, retry_on=(ModelError, ConnectError))
"""What may pass by itself is tried again; all else is said at once."""


@dataclass(frozen=True, kw_only=True)
class Hooks:
    """What a run is watched and kept by."""

    checkpointer: BaseCheckpointSaver[Any] | None = None
    emit: Emit = silent
    retry: RetryPolicy = PASSING


def compile(
    spec: GraphSpec, ports: Ports, registry: Registry = REGISTRY, hooks: Hooks = Hooks()
) -> Graph:
    """The graph, ready to run. Raises GraphError when the checker finds a fault."""
    refuse_faults(spec, registry)
    graph = _build(view(spec, registry), ports, hooks)
    return graph.compile(checkpointer=hooks.checkpointer, name=spec.name)


def refuse_faults(spec: GraphSpec, registry: Registry) -> None:
    """Raise GraphError when the checker finds a fault."""
    faults = [finding for finding in check(spec, registry) if finding.severity == "error"]
    if faults:
        more = f" ({len(faults) - 1} more faults)" if len(faults) > 1 else ""
        at = f"{faults[0].at}: " if faults[0].at else ""
        raise GraphError(f"{spec.name}: {at}{faults[0].message}{more}", faults[0].mend)


def super_steps(spec: GraphSpec, budget: Budget) -> int:
    """A bound on the super-steps of a run that keeps to its budget.

    A node runs at most twice for each action (before it and after it) and once more per round.
    """
    rounds, steps = budget.rounds, budget.steps
    for node in spec.nodes.values():
        rounds = max(rounds, _number(node.params.get("rounds")))
        steps = max(steps, _number(node.params.get("steps")))
    return (len(spec.nodes) + 2) * (rounds + 2) * (2 * steps + 4)


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


def langgraph_name(node: str) -> str:
    """LangGraph keeps state keys and node names in one space; small letters are the keys'."""
    return FINISH if node == END else node.capitalize()


def _build(
    seen: View, ports: Ports, hooks: Hooks, prefix: str = ""
) -> "StateGraph[State, None, State, State]":
    graph: StateGraph[State, None, State, State] = StateGraph(State)
    for name, kind in seen.types.items():
        params = kind.params.model_validate(seen.spec.nodes[name].params)
        work = partial(kind.function, ports=ports, params=params)
        graph.add_node(
            langgraph_name(name),
            metered(f"{prefix}{name}", work, hooks.emit),
            input_schema=State,
            retry_policy=hooks.retry,
        )
    for name, inner in seen.inner.items():
        deeper = _build(inner, ports, hooks, f"{prefix}{name}/")
        run = _within(deeper.compile(name=inner.spec.name), fanned=seen.fanned(name))
        graph.add_node(langgraph_name(name), run, input_schema=State)
    _connect(graph, seen)
    return graph


def _connect(graph: "StateGraph[State, None, State, State]", seen: View) -> None:
    ways: dict[str, dict[str, Edge]] = {}
    for edge in seen.spec.edges:
        ways.setdefault(edge.source, {})[edge.route] = edge
    graph.add_edge(BEGIN, langgraph_name(ways.pop(START)[""].target))
    for name, edges in ways.items():
        route = seen.types[name].route if name in seen.types else _finished
        targets = {edge.target: langgraph_name(edge.target) for edge in edges.values()}
        path_map: dict[Hashable, str] = {target: target for target in targets.values()}
        graph.add_conditional_edges(langgraph_name(name), _way(route, edges), path_map)


def _finished(state: State) -> str:
    return END


def _way(
    route: Callable[[State], str], edges: Mapping[str, Edge]
) -> Callable[[State], str | Sequence[Send]]:
    def way(state: State) -> str | Sequence[Send]:
        edge = edges[route(state)]
        target = langgraph_name(edge.target)
        return [Send(target, own) for own in branches(state)] if edge.fan else target

    return way


def branches(state: State) -> list[State]:
    """One copy of the state per drawn arm: its own draw, and its share of what may be spent.

    The draw's round counts arms, so the last of n arms drawn at once has the draw's own number.
    """
    urls = state.draw.urls
    if not urls:
        raise GraphError("There is no drawn arm to fan out on.", "Fan out on a selector's arm.")
    budget = share(state.question.budget, state.spend, len(urls))
    question = state.question.model_copy(update={"budget": budget})
    first = state.draw.round - len(urls) + 1
    return [
        replace(
            state,
            question=question,
            draw=state.draw.model_copy(update={"urls": (url,), "round": first + index}),
        )
        for index, url in enumerate(urls)
    ]


def _within(graph: Graph, *, fanned: bool) -> Run:
    """A graph as a node: it walks on a copy of the state and hands back what it changed."""

    async def run(state: State) -> dict[str, object]:
        after = await graph.ainvoke(state)
        changed = {
            key: value
            for key, value in after.items()
            if value != getattr(state, key) and (key in KEYS_MERGED or not fanned)
        }
        return {**changed, "spend": minus(after["spend"], state.spend)}

    return run
