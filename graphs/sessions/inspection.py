"""What each node of a run did: the trace of a turn, and the work of one node in full."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from forager.adapters.models.model_lines import OFFLINE
from forager.adapters.store.checkpoints.lineage import CheckpointRow, Lineage
from forager.adapters.store.sessions.session_store import Event, Session, SessionStore
from forager.domain.base import Frozen
from forager.domain.model_calls import unpack_exchanges
from forager.errors import SessionError
from graphs.reports.changes import Change, state_changes
from graphs.reports.state_text import ShownValue, readable_values
from graphs.reports.trace import NODE_SEPARATOR, NodeRun, RunTrace
from graphs.runtime.compile import langgraph_names
from graphs.runtime.position import next_nodes
from graphs.sessions.context import SessionContext
from graphs.sessions.history import nodes_run_at, row_time, turn_thread, without_input
from graphs.spec.resolved_graph import resolve_types
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

    `how` explains in words why there is no prompt.
    """

    node: str
    type: str
    number: int
    count: int
    status: str
    route: str = ""
    seconds: float | None = None
    message: str = ""
    input: tuple[ShownValue, ...] = ()
    output: tuple[Change, ...] = ()
    asked: tuple[ModelExchange, ...] = ()
    how: str = ""


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
        trace, events = await self._read_trace(session, turn)
        own = [ran for ran in trace.ran if ran.node == node]
        ran = next((each for each in own if each.seq == at), own[-1] if own and not at else None)
        if ran is None:
            raise SessionError(
                f"The node {node!r} has not run in session {id!r}.", "Name a node that has run."
            )
        end = next((each for each in events if each.seq > ran.seq and _ends_run(each, ran)), None)
        within, _, name = node.rpartition(NODE_SEPARATOR)
        spec = trace.graph_within(within)
        before, after = await self._states_around(turn_thread(session, turn), ran, end, spec)
        resolved = resolve_types(spec, self.context.registry)
        kind = resolved.types.get(name)
        keys = resolved.required_keys(name) | (kind.looks if kind else frozenset())
        store = await self.context.store()
        asked = await asyncio.to_thread(_read_exchanges, store, session, end)
        return NodeWork(
            node=node,
            type=spec.nodes[name].type,
            number=own.index(ran) + 1,
            count=len(own),
            status=ran.status,
            route=ran.route,
            seconds=None if ran.ended is None else round(ran.ended - ran.began, 2),
            message=ran.message,
            input=readable_values(before, keys),
            output=state_changes(before, after) if after else (),
            asked=asked,
            how="" if asked else _why_no_prompt(session, end, asks=bool(kind and kind.tasks)),
        )

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

    async def _states_around(
        self, own: str, ran: NodeRun, end: Event | None, spec: GraphSpec
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """The state before a node's run, and after it as far as it was written."""
        lineage, name = await self.context.lineage(), ran.node.rpartition(NODE_SEPARATOR)[2]
        rows = without_input(await lineage.read_rows(own, ran.branch))
        names = langgraph_names(spec)
        onwards = await next_nodes(lineage, own, rows, names, ran.branch)
        by_id = {row.id: row for row in rows}
        for row in rows:
            parent = by_id.get(row.parent)
            done = end is not None and row_time(row) >= end.time
            if parent is not None and done and name in nodes_run_at(row, parent, onwards, names):
                before = await _branch_values(lineage, own, ran, parent)
                return before, await _branch_values(lineage, own, ran, row)
        due = [row for row in rows if name in onwards[row.id]]
        return (await _branch_values(lineage, own, ran, due[-1]), {}) if due else ({}, {})


async def _branch_values(
    lineage: Lineage, own: str, ran: NodeRun, row: CheckpointRow
) -> dict[str, Any]:
    return await lineage.read_values(own, row.checkpoint["channel_versions"], ran.branch)


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
        exchange = ModelExchange(task=task, reply=reply or "")
        if exchanges:
            last = exchanges[-1]
            sent = tuple(PromptPart(role=each.role, text=each.text) for each in last.sent)
            exchange = exchange.model_copy(
                update={"model": last.model, "sent": sent, "said": (last.said,)}
            )
        found.append(exchange)
    return tuple(found)


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
