"""One node of a draft, run alone on the input that a step of a session had."""

import asyncio
import time
from dataclasses import dataclass, replace
from typing import Any, cast

from pydantic import ValidationError

from forager.adapters.models.model_lines import OFFLINE
from forager.adapters.models.prompt import render_prompt
from forager.adapters.store.sessions.session_store import Session
from forager.budget import within_allowance
from forager.domain.approvals import ApprovalRequest
from forager.domain.base import Frozen
from forager.domain.model_calls import collect_exchanges
from forager.domain.state import State, merge
from forager.errors import ForagerError, GraphError, SessionError
from forager.node_type import NodeType
from forager.ports import Model, Ports, Reply, Task
from forager.prompts.token_count import count_tokens
from forager.util.suggest import did_you_mean
from graphs.reports.changes import state_changes
from graphs.reports.events import EventData
from graphs.reports.state_text import readable_values
from graphs.reports.trace import NODE_SEPARATOR
from graphs.runtime.graph_nodes import bind_node
from graphs.runtime.metering import SpendAccount, meter_node
from graphs.runtime.state_reader import STATE_KEYS
from graphs.runtime.tracing import tracing_as_set
from graphs.sessions.context import SessionContext
from graphs.sessions.history import turn_thread
from graphs.sessions.inspection import (
    Inspection,
    ModelExchange,
    NodeWork,
    count_calls,
    describe_exchange,
    keys_read,
)
from graphs.spec.edit import graph_at
from graphs.spec.resolved_graph import KEYS_MERGED, filled_graph, resolve_types
from graphs.spec.spec import GRAPH, GraphSpec, NodeSpec

TAG = "7f3a"
"""Stands for the tag of a prompt's marks, which differs from call to call."""
NO_MODEL = "No prompt was sent: there is no model, so the built-in rule answered."


class NodeTrial(Frozen):
    """What a node did now (`tried`), and what the step of the session recorded."""

    tried: NodeWork
    recorded: NodeWork


class PromptPreview(Frozen):
    """A prompt of a node: the instructions with our rules, what they are given, and the tokens."""

    task: str
    system: str
    user: str
    told: int
    given: int


@dataclass(frozen=True)
class NodeTrials:
    """Runs single nodes. Nothing of a session changes, and nobody is asked for approval."""

    context: SessionContext
    inspection: Inspection

    async def try_node(  # noqa: PLR0913  # what to run, where, and on what
        self,
        id: str,
        node: str,
        graph: str | GraphSpec = "",
        at: int | None = None,
        *,
        turn: int | None = None,
        model: str = "",
    ) -> NodeTrial:
        """Run a node of a graph on the input that the node of that name had in a session.

        `at` is the event with which that run began; by default it is the last one. Without a graph
        or model, those of the session are used. Raises SessionError for a run that is not known,
        GraphError for a node that cannot run alone. What the node raises becomes its message.
        """
        recorded = await self.inspection.node_work(id, node, at, turn=turn)
        session, spec, state = await self._pin(id, node, graph, at, turn)
        line = model or session.model
        open_ports = await self.context.ports()
        async with open_ports(line, session.since or session.created) as ports:
            allowance = self.context.allowance
            with tracing_as_set(self.context.settings), within_allowance(allowance):
                tried = await self._run_alone(node, spec, state, ports, _NotingModel(ports.model))
        if line == OFFLINE and not tried.how:
            tried = tried.model_copy(update={"how": NO_MODEL})
        return NodeTrial(tried=tried, recorded=recorded)

    async def preview(
        self,
        id: str,
        node: str,
        graph: str | GraphSpec = "",
        at: int | None = None,
        *,
        turn: int | None = None,
    ) -> tuple[PromptPreview, ...]:
        """The prompts that the node would send on that input; no model is asked, rules reply.

        Errors are those of `try_node`.
        """
        session, spec, state = await self._pin(id, node, graph, at, turn)
        open_ports = await self.context.ports()
        async with open_ports(OFFLINE, session.since or session.created) as ports:
            previewing = _PreviewingModel(ports.model)
            await self._run_alone(node, spec, state, ports, previewing)
        return tuple(previewing.prompts)

    async def _pin(
        self, id: str, node: str, graph: str | GraphSpec, at: int | None, turn: int | None
    ) -> tuple[Session, GraphSpec, State]:
        """The session, the graph that the node is in, and the state that it is given."""
        session = await self.context.get_session(id)
        pinned = await self.inspection.find_run(session, node, at, turn)
        own = turn_thread(session, turn)
        values = await self.inspection.read_row(own, pinned.ran, pinned.before)
        if not values:
            raise SessionError(
                f"The input of {node!r} is not stored any more.", "Choose another of its runs."
            )
        spec = await self.context.resolve_graph(graph) if graph else pinned.spec
        if graph:
            spec = filled_graph(spec, self.context.registry)
            spec = graph_at(spec, tuple(node.split(NODE_SEPARATOR)[:-1]))
        return session, spec, State(**{key: values[key] for key in STATE_KEYS & values.keys()})

    async def _run_alone(
        self,
        node: str,
        spec: GraphSpec,
        state: State,
        ports: Ports,
        model: "_NotingModel",
    ) -> NodeWork:
        name = node.rpartition(NODE_SEPARATOR)[2]
        drawn, kind = self._find_node(spec, name)
        events: list[tuple[str, str, EventData]] = []

        async def note(_: str, event: str, message: str, data: EventData) -> None:
            events.append((event, message, data))

        own = _bind(kind, name, drawn, replace(ports, model=model, person=_Nobody()))
        metered = meter_node(name, own, note, SpendAccount(), kind.route)
        began, update, status = time.monotonic(), dict[str, object](), "done"
        try:
            update = await metered(state)
        except ForagerError:
            status = "failed"
        seconds = round(time.monotonic() - began, 2)
        _, message, data = events[-1]
        before = vars(state)
        resolved = resolve_types(spec, self.context.registry)
        return NodeWork(
            node=node,
            type=drawn.type,
            number=1,
            count=1,
            status=status,
            route=str(data.get("route", "")),
            seconds=seconds,
            **count_calls(data),
            message=message,
            input=readable_values(before, keys_read(resolved, name)),
            output=state_changes(before, _state_after(before, update)) if update else (),
            asked=tuple(model.asked),
            how="" if kind.tasks else "This node asks no model.",
        )

    def _find_node(self, spec: GraphSpec, name: str) -> tuple[NodeSpec, NodeType]:
        """The node in the draft, and its type. Raises GraphError."""
        if name not in spec.nodes:
            raise GraphError(
                f"The graph {spec.name!r} has no node {name!r}.",
                did_you_mean(name, spec.nodes) or "Give it the name that it had in the run.",
            )
        node = spec.nodes[name]
        if node.type == GRAPH:
            raise GraphError(
                f"{name!r} holds other nodes, and does not run alone.", "Choose a node inside it."
            )
        if node.type not in self.context.registry:
            raise GraphError(f"There is no node type {node.type!r}.", "Check the graph.")
        return node, self.context.registry[node.type].for_params(node.params)


def _bind(kind: NodeType, name: str, node: NodeSpec, ports: Ports) -> Any:
    try:
        return bind_node(kind, node, ports)
    except ValidationError as error:
        fault = error.errors()[0]
        place = ".".join(map(str, (name, *fault["loc"])))
        raise GraphError(f"{place}: {fault['msg']}.", "Change this parameter first.") from error


class _NotingModel:
    """The Model port; `asked` are the tasks with their prompts and replies."""

    def __init__(self, model: Model) -> None:
        self.name = model.name
        self.asked: list[ModelExchange] = []
        self._model = model

    async def ask(self, task: Task[Reply]) -> Reply:
        """The model's reply. Raises ModelError."""
        reply = ""
        with collect_exchanges() as exchanges:
            try:
                found = await self._model.ask(task)
                reply = found.model_dump_json()
            finally:
                told = describe_exchange(type(task).__name__, reply, tuple(exchanges))
                self.asked.append(told)
        return found


class _PreviewingModel(_NotingModel):
    """The Model port that goes by rules; `prompts` are what a model would be sent."""

    def __init__(self, rules: Model) -> None:
        super().__init__(rules)
        self.prompts: list[PromptPreview] = []

    async def ask(self, task: Task[Reply]) -> Reply:
        """The rule's reply."""
        prompt = await asyncio.to_thread(render_prompt, task, TAG)
        self.prompts.append(
            PromptPreview(
                task=type(task).__name__,
                system=prompt.system,
                user=prompt.user,
                told=count_tokens(prompt.system),
                given=count_tokens(prompt.user),
            )
        )
        return await self._model.ask(task)


class _Nobody:
    """The Person port of a trial: nothing that needs approval is done."""

    async def ask(self, request: ApprovalRequest) -> bool:
        """No."""
        return False


def _state_after(before: dict[str, Any], update: dict[str, object]) -> dict[str, Any]:
    after = dict(before)
    for key, value in cast(dict[str, Any], update).items():
        if key == "spend":
            after[key] = before[key] + value
        else:
            after[key] = merge(before[key], value) if key in KEYS_MERGED else value
    return after
