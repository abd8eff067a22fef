"""Nodes, routes and inner graphs as LangGraph takes them.

`compile_graph` builds a spec with these, and so does the Python that a graph is exported as.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Overwrite, RetryPolicy, Send
from pydantic import JsonValue, ValidationError

from forager.budget import subtract_spend
from forager.domain.parameters import Parameter, ParameterValue, fill_value
from forager.domain.state import State, Update
from forager.errors import ConnectError, GraphError
from forager.node_type import NodeType, Registry
from forager.ports import Model, Ports, Reply, Task
from graphs.reports.events import Emit, emit_nothing
from graphs.runtime.branches import JoiningState, branch_result, join_branches, split_state
from graphs.runtime.halts import NO_HALTS, Halts
from graphs.runtime.metering import MeteredNode, SpendAccount, meter_node
from graphs.spec.edit import set_defaults
from graphs.spec.resolved_graph import fill_params
from graphs.spec.spec import NodeSpec

NodeFunction = Callable[[State], Awaitable[Update]]
Builder = StateGraph[JoiningState, None, State, JoiningState]
Graph = CompiledStateGraph[JoiningState, None, State, JoiningState]
Route = Callable[[State], str]
CONNECT_RETRY = RetryPolicy(max_attempts=3, retry_on=ConnectError)
"""Repeats a node that could not connect. Model calls have a retry of their own."""
ONCE = RetryPolicy(max_attempts=1)
"""Never repeats a node, such as a graph, whose own nodes are repeated."""


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
    """Where checkpoints, events and spending go, when nodes are repeated, and where runs halt."""

    checkpointer: BaseCheckpointSaver[Any] | None = None
    emit: Emit = emit_nothing
    retry: RetryPolicy = CONNECT_RETRY
    account: SpendAccount = field(default_factory=SpendAccount)
    halts: Halts = NO_HALTS


@dataclass(frozen=True)
class Nodes:
    """Makes the nodes of a graph. Without ports they cannot run.

    `prefix` begins the names of a graph inside others in their events. `given` are values for the
    parameters that the graph declares, and `values` those that it then has.
    """

    ports: Ports | None
    registry: Registry
    hooks: Hooks
    prefix: str = ""
    given: Mapping[str, JsonValue] = field(default_factory=dict)
    values: Mapping[str, ParameterValue] | None = None

    def declare(self, parameters: Mapping[str, Parameter]) -> "Nodes":
        """The nodes of a graph with these parameters, to which they refer as `$name`.

        Raises GraphError for a value that was given and does not fit.
        """
        own = set_defaults(parameters, self.given, self.prefix.rstrip("/"))
        return replace(self, values={name: each.default for name, each in own.items()})

    def new_graph(self) -> Builder:
        """An empty graph, whose nodes are repeated if they could not connect."""
        graph: Builder = StateGraph(JoiningState, input_schema=State)
        return graph.set_node_defaults(retry_policy=self.hooks.retry)

    def bind(
        self,
        name: str,
        type: str,
        params: Mapping[str, Any] | None = None,
        prompts: Mapping[str, str] | None = None,
    ) -> MeteredNode:
        """A node of this type, with a meter around it. `name` is its name in events.

        Raises GraphError for parameters that are not valid.
        """
        filled = self._fill(type, params)
        kind = self.registry[type].for_params(filled)
        node = NodeSpec(type=type, params=filled, prompts=dict(prompts or {}))
        try:
            own = bind_node(kind, node, self.ports) if self.ports else _refuse_to_run
        except ValidationError as error:
            fault = error.errors()[0]
            param = ".".join(map(str, fault["loc"]))
            raise GraphError(
                f"{self.prefix}{name}: the parameter {param!r} cannot be {fault['input']!r}: "
                f"{fault['msg']}.",
                "Set another value.",
            ) from error
        metered = meter_node(
            f"{self.prefix}{name}", own, self.hooks.emit, self.hooks.account, kind.route
        )
        return _short_node(metered)

    def route(self, type: str, params: Mapping[str, Any] | None = None) -> Route:
        """How a node of this type, with these parameters, chooses where to go on."""
        return self.registry[type].for_params(self._fill(type, params)).route

    def inside(self, name: str, given: Mapping[str, Any] | None = None) -> "Nodes":
        """The nodes of the graph that is the node `name`, which gives it values."""
        values = self.values or {}
        own = {key: fill_value(value, values) for key, value in (given or {}).items()}
        return replace(self, prefix=f"{self.prefix}{name}/", given=own, values=None)

    def _fill(self, type: str, params: Mapping[str, Any] | None) -> dict[str, JsonValue]:
        """A node's parameters with values in place of references, if the graph declared some."""
        if self.values is None:
            return dict(params or {})
        return fill_params(self.registry.get(type), params or {}, self.values)


def _short_node(node: MeteredNode) -> MeteredNode:
    """The node behind few instructions: LangGraph disassembles its function at every compile."""

    async def run(state: State) -> dict[str, object]:
        return await node(state)

    return run


async def _refuse_to_run(state: State) -> Update:
    """A node of a graph without ports."""
    raise GraphError("A graph without ports cannot run.", "Compile it with its ports.")


def fan_out(route: Route, targets: Mapping[str, str]) -> Callable[[State], str | Sequence[Send]]:
    """A route that begins a branch for each drawn arm where it takes one of the `targets`."""

    def choose(state: State) -> str | Sequence[Send]:
        taken = route(state)
        target = targets.get(taken)
        return [Send(target, own) for own in split_state(state)] if target else taken

    return choose


def run_inside(graph: Graph) -> MeteredNode:
    """A graph as a node: it runs on a copy of the state and returns the keys that changed."""

    async def run(state: State) -> dict[str, object]:
        after = await _run_graph(graph, state)
        changed = {key: value for key, value in vars(after).items() if value != vars(state)[key]}
        return {**changed, "spend": subtract_spend(after.spend, state.spend)}

    return run


def run_branch(graph: Graph) -> MeteredNode:
    """A graph as one of several branches: its result waits for the others."""

    async def run(state: State) -> dict[str, object]:
        after = await _run_graph(graph, state)
        spend = subtract_spend(after.spend, state.spend)
        return {"found": (branch_result(state, after),), "spend": spend}

    return run


async def _run_graph(graph: Graph, state: State) -> State:
    values = await graph.ainvoke(state)
    return State(**{key: values[key] for key in vars(state) if key in values})


async def join_found(state: JoiningState) -> dict[str, object]:
    """Merges what the branches have found into the state."""
    return {**dict(join_branches(state, state.found)), "found": Overwrite(())}
