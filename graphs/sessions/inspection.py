"""What each node of a run did: the trace of a turn, and the work of one node in full."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from forager.adapters.models.model_lines import OFFLINE
from forager.adapters.store.checkpoints.lineage import CheckpointRow
from forager.adapters.store.sessions.session_store import Event, Session, SessionStore
from forager.domain.base import Frozen
from forager.domain.model_calls import Exchange, unpack_exchanges
from forager.errors import SessionError
from graphs.reports.changes import Change, state_changes
from graphs.reports.state_text import ShownValue, readable_values
from graphs.reports.trace import NODE_SEPARATOR, NodeRun, RunTrace
from graphs.runtime.compile import langgraph_names
from graphs.runtime.position import next_nodes
from graphs.sessions.context import SessionContext
from graphs.sessions.history import nodes_run_at, row_time, turn_thread, without_input
from graphs.spec.resolved_graph import ResolvedGraph, resolve_types
from graphs.spec.spec import GraphSpec, graph_of


class PromptPart(Frozen):
    """A message of a prompt."""

    role: str
    text: str


class ModelExchange(Frozen):
    """A task of a node: the prompt as sent, the model's texts, and the reply as it was parsed.

    Where the built-in rule answered, `model`, `sent` and `said` are empty.
    """

    task: str
    model: str = ""
    sent: tuple[PromptPart, ...] = ()
    said: tuple[str, ...] = ()
    reply: str = ""


class NodeWork(Frozen):
    """Run `number` of `count` of a node: the state it was given, and what it changed.

    `step` is the step of the session to continue from to run it again; 0 if it has not been saved.
    `how` explains in words why there is no prompt.
    """

    node: str
    type: str
    number: int
    count: int
    status: str
    route: str = ""
    seconds: float | None = None
    calls: int = 0
    tokens: int = 0
    message: str = ""
    step: int = 0
    input: tuple[ShownValue, ...] = ()
    output: tuple[Change, ...] = ()
    asked: tuple[ModelExchange, ...] = ()
    how: str = ""


@dataclass(frozen=True)
class PinnedInput:
    """A run of a node: the event that ended it, its rows, and the graph that it is in.

    `before` is the checkpoint with its input, `after` the one with its result.
    """

    ran: NodeRun
    number: int
    count: int
    end: Event | None
    spec: GraphSpec
    before: CheckpointRow | None
    after: CheckpointRow | None


@dataclass(frozen=True)
class Inspection:
    """Looks into the nodes of a run."""

    context: SessionContext

    async def trace(self, id: str, turn: int | None = None) -> tuple[NodeRun, ...]:
        """The node runs of the present turn or an earlier one, in order.

        Raises SessionError for an unknown session or turn.
        """
        session = await self.context.get_session(id)
        return tuple((await self._read_trace(session, turn))[0].ran)

    async def node_work(
        self, id: str, node: str, at: int | None = None, *, turn: int | None = None
    ) -> NodeWork:
        """What a node did in its last run, or in the run that began with event number `at`.

        Nodes of an inner graph are named with it, as in walk/act. Raises SessionError for an
        unknown session or turn, and when the node has not run.
        """
        session = await self.context.get_session(id)
        pinned = await self.find_run(session, node, at, turn)
        ran, end, own = pinned.ran, pinned.end, turn_thread(session, turn)
        name = node.rpartition(NODE_SEPARATOR)[2]
        before = await self.read_row(own, ran, pinned.before)
        after = await self.read_row(own, ran, pinned.after)
        resolved = resolve_types(pinned.spec, self.context.registry)
        kind = resolved.types.get(name)
        store = await self.context.store()
        asked = await asyncio.to_thread(_read_exchanges, store, session, end)
        return NodeWork(
            node=node,
            type=pinned.spec.nodes[name].type,
            number=pinned.number,
            count=pinned.count,
            status=ran.status,
            route=ran.route,
            seconds=None if ran.ended is None else round(ran.ended - ran.began, 2),
            **count_calls(end.data if end else {}),
            message=ran.message,
            step=await self._outer_step(own, ran, pinned.before),
            input=readable_values(before, keys_read(resolved, name)),
            output=state_changes(before, after) if after else (),
            asked=asked,
            how="" if asked else _why_no_prompt(session, end, asks=bool(kind and kind.tasks)),
        )

    async def find_run(
        self, session: Session, node: str, at: int | None, turn: int | None
    ) -> PinnedInput:
        """The last run of a node, or the one that began with event number `at`.

        Raises SessionError when the node has not run.
        """
        trace, events = await self._read_trace(session, turn)
        own = [ran for ran in trace.ran if ran.node == node]
        ran = next((each for each in own if each.seq == at), own[-1] if own and not at else None)
        if ran is None:
            raise SessionError(
                f"The node {node!r} has not run in session {session.id!r}.",
                "Name a node that has run.",
            )
        end = next((each for each in events if each.seq > ran.seq and _ends_run(each, ran)), None)
        spec = trace.graph_within(node.rpartition(NODE_SEPARATOR)[0])
        rows = await self._rows_around(turn_thread(session, turn), ran, end, spec)
        return PinnedInput(ran, own.index(ran) + 1, len(own), end, spec, *rows)

    async def read_row(self, own: str, ran: NodeRun, row: CheckpointRow | None) -> dict[str, Any]:
        """The values of a checkpoint of the branch in which a node ran; empty for none."""
        if row is None:
            return {}
        lineage = await self.context.lineage()
        return await lineage.read_values(own, row.checkpoint["channel_versions"], ran.branch)

    async def _outer_step(self, own: str, ran: NodeRun, before: CheckpointRow | None) -> int:
        """The number of the step before a node's run; inside a graph, of that before the graph."""
        if before is None:
            return 0
        id = str(before.metadata.get("parents", {}).get("", "")) if ran.branch else before.id
        steps = without_input(await (await self.context.lineage()).read_rows(own))
        return next((number for number, row in enumerate(steps, 1) if row.id == id), 0)

    async def _read_trace(
        self, session: Session, turn: int | None
    ) -> tuple[RunTrace, Sequence[Event]]:
        """The trace of a turn, and the events that it was made from."""
        turn_thread(session, turn)
        trace, taken = RunTrace(graph_of(session)), []
        store = await self.context.store()
        for event in await asyncio.to_thread(store.list_events, session.id):
            number = event.data.get("turn")
            begins = event.kind == "begun" and isinstance(number, int)
            if begins and cast(int, number) > (turn or session.turn):
                break
            taken.append(event)
            trace.add_events((event,))
        if trace.turn < (turn or session.turn):  # it has not begun
            return RunTrace(graph_of(session)), ()
        return trace, taken

    async def _rows_around(
        self, own: str, ran: NodeRun, end: Event | None, spec: GraphSpec
    ) -> tuple[CheckpointRow | None, CheckpointRow | None]:
        """The checkpoints before a node's run, and after it as far as it was written."""
        lineage, name = await self.context.lineage(), ran.node.rpartition(NODE_SEPARATOR)[2]
        rows = without_input(await lineage.read_rows(own, ran.branch))
        names = langgraph_names(spec)
        onwards = await next_nodes(lineage, own, rows, names, ran.branch)
        by_id = {row.id: row for row in rows}
        for row in rows:
            parent = by_id.get(row.parent)
            done = end is not None and row_time(row) >= end.time
            if parent is not None and done and name in nodes_run_at(row, parent, onwards, names):
                return parent, row
        due = [row for row in rows if name in onwards[row.id]]
        return (due[-1], None) if due else (None, None)


def keys_read(resolved: ResolvedGraph, name: str) -> frozenset[str]:
    """The keys of the state that a node reads."""
    kind = resolved.types.get(name)
    return resolved.required_keys(name) | (kind.looks if kind else frozenset())


def count_calls(data: Mapping[str, Any]) -> dict[str, int]:
    """The model calls that a node's event tells of, and their tokens."""
    calls = cast(list[dict[str, int]], data.get("calls", []))
    tokens = sum(each.get("tokens_in", 0) + each.get("tokens_out", 0) for each in calls)
    return {"calls": len(calls), "tokens": tokens}


def _ends_run(event: Event, ran: NodeRun) -> bool:
    own = event.node == ran.node and event.data.get("branch", "") == ran.branch
    return own and event.kind == "finished"


def _read_exchanges(
    store: SessionStore, session: Session, end: Event | None
) -> tuple[ModelExchange, ...]:
    """The stored exchanges that the node's last event names, in order."""
    found: list[ModelExchange] = []
    tasks = cast(list[list[str]], end.data.get("tasks", [])) if end else []
    for task, key in tasks:
        reply = store.kept_reply(session.id, key)
        exchanges = unpack_exchanges(store.kept_prompt(session.id, key))
        found.append(describe_exchange(task, reply or "", exchanges))
    return tuple(found)


def describe_exchange(task: str, reply: str, exchanges: tuple[Exchange, ...]) -> ModelExchange:
    """A task with its reply, and the last exchange that led to it, if a model was asked."""
    exchange = ModelExchange(task=task, reply=reply)
    if not exchanges:
        return exchange
    last = exchanges[-1]
    sent = tuple(PromptPart(role=each.role, text=each.text) for each in last.sent)
    return exchange.model_copy(update={"model": last.model, "sent": sent, "said": (last.said,)})


def _why_no_prompt(session: Session, end: Event | None, *, asks: bool) -> str:
    """Why there is neither a prompt nor a reply to show."""
    if not asks:
        return "This node asks no model."
    if session.model == OFFLINE:
        return "No prompt was sent: the session has no model, so the built-in rule answered."
    if end is None:
        return "The node has not finished. Its prompt is shown when it has."
    if end.data.get("calls"):
        return "The prompt was not stored."
    return "The node asked no model this time."
