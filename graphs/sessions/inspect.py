"""What each node of a run did: the way it took, and one node's work in full."""

import asyncio
from collections.abc import Sequence
from datetime import datetime
from typing import Any, cast

from forager.adapters.store.checkpoints.lineage import Lineage, Row
from forager.adapters.store.sessions.session_store import Event, Session, SessionStore
from forager.domain.base import Frozen
from forager.domain.model_calls import unpacked
from forager.errors import SessionError
from graphs.reports.changes import Change, state_changes
from graphs.reports.state_text import ShownValue, readable_values
from graphs.reports.trace import NODE_SEPARATOR, NodeRun, RunTrace
from graphs.runtime.compile import langgraph_names
from graphs.runtime.position import next_nodes
from graphs.sessions.history import History, nodes_run_at, turn_thread, without_input
from graphs.spec.spec import GraphSpec, graph_of

OFFLINE = "offline"


class PromptPart(Frozen):
    """A part of a prompt."""

    role: str
    text: str


class ModelExchange(Frozen):
    """What a node asked: the prompt as it was sent, what came back, and the reply as it was read.

    Where its built-in rule answered, there is no `model` and nothing was sent.
    """

    task: str
    model: str = ""
    sent: tuple[PromptPart, ...] = ()
    said: tuple[str, ...] = ()
    reply: str = ""


class NodeWork(Frozen):
    """The work of a node, the `number`th of `count`: what it was given, and what it changed.

    `how` says in words why there is no prompt.
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


class Inspection(History):
    """The verbs that look into a run's nodes."""

    async def way(self, id: str, turn: int | None = None) -> tuple[NodeRun, ...]:
        """The work of each node in the present turn, or an earlier one, in its order.

        Raises SessionError when there is no such session or turn.
        """
        session = await self._get(id)
        return tuple((await self._read_trace(session, turn))[0].ran)

    async def node(
        self, id: str, node: str, at: int | None = None, *, turn: int | None = None
    ) -> NodeWork:
        """What a node did the last time, or where it began with the event of this number.

        Nodes inside a graph are named with it: walk/act. Raises SessionError where there is no such
        session or turn, and where the node has not run.
        """
        session = await self._get(id)
        way, events = await self._read_trace(session, turn)
        own = [ran for ran in way.ran if ran.node == node]
        ran = next((each for each in own if each.seq == at), own[-1] if own and not at else None)
        if ran is None:
            raise SessionError(f"{node!r} has not run in session {id!r}.", "Name one that has.")
        over = next((each for each in events if each.seq > ran.seq and _ends_work(each, ran)), None)
        within, _, name = node.rpartition(NODE_SEPARATOR)
        spec = way.graph_within(within)
        before, after = await self._states_around(turn_thread(session, turn), ran, over, spec)
        kind = self.registry.get(spec.nodes[name].type)
        keys = (kind.needs(spec.nodes[name].params) | kind.looks) if kind else frozenset()
        asked = await asyncio.to_thread(_read_exchanges, await self._sessions(), session, over)
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
            how="" if asked else _why_no_prompt(session, over, asks=bool(kind and kind.tasks)),
        )

    async def _read_trace(
        self, session: Session, turn: int | None
    ) -> tuple[RunTrace, Sequence[Event]]:
        """The way of a turn, and the events that tell it."""
        turn_thread(session, turn)
        way, told = RunTrace(graph_of(session)), []
        for event in await asyncio.to_thread((await self._sessions()).events, session.id):
            number = event.data.get("turn")
            begins = event.kind == "begun" and isinstance(number, int)
            if begins and cast(int, number) > (turn or session.turn):
                break
            told.append(event)
            way.add_events((event,))
        if way.turn < (turn or session.turn):  # it has not begun
            return RunTrace(graph_of(session)), ()
        return way, told

    async def _states_around(
        self, own: str, ran: NodeRun, over: Event | None, spec: GraphSpec
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """The state before the work, and after it as far as it is written."""
        lineage, name = await self._lineage(), ran.node.rpartition(NODE_SEPARATOR)[2]
        rows = without_input(await lineage.rows(own, ran.branch))
        names = langgraph_names(spec)
        onwards = await next_nodes(lineage, own, rows, names, ran.branch)
        by_id = {row.id: row for row in rows}
        for row in rows:
            parent = by_id.get(row.parent)
            done = over is not None and _row_time(row) >= over.time
            if parent is not None and done and name in nodes_run_at(row, parent, onwards, names):
                before = await _branch_values(lineage, own, ran, parent)
                return before, await _branch_values(lineage, own, ran, row)
        due = [row for row in rows if name in onwards[row.id]]
        return (await _branch_values(lineage, own, ran, due[-1]), {}) if due else ({}, {})


async def _branch_values(lineage: Lineage, own: str, ran: NodeRun, row: Row) -> dict[str, Any]:
    return await lineage.values(own, row.checkpoint["channel_versions"], ran.branch)


def _row_time(row: Row) -> float:
    return datetime.fromisoformat(row.checkpoint["ts"]).timestamp()


def _ends_work(event: Event, ran: NodeRun) -> bool:
    own = event.node == ran.node and event.data.get("branch", "") == ran.branch
    return own and event.kind == "finished"


def _read_exchanges(
    store: SessionStore, session: Session, over: Event | None
) -> tuple[ModelExchange, ...]:
    """What is kept of what was asked, in the order of asking."""
    found: list[ModelExchange] = []
    tasks = cast(list[list[str]], over.data.get("tasks", [])) if over else []
    for task, key in tasks:
        reply = store.reply(session.id, key)
        exchanges = unpacked(store.sent(session.id, key))
        told = ModelExchange(task=task, reply=reply or "")
        if exchanges:
            last = exchanges[-1]
            sent = tuple(PromptPart(role=each.role, text=each.text) for each in last.sent)
            told = told.model_copy(update={"model": last.model, "sent": sent, "said": (last.said,)})
        found.append(told)
    return tuple(found)


def _why_no_prompt(session: Session, over: Event | None, *, asks: bool) -> str:
    """Why there is neither a prompt nor a reply to be shown."""
    if not asks:
        return "This node asks no model."
    if session.model == OFFLINE:
        return "No prompt was sent: the session has no model, and the built-in rule answered."
    if over is None:
        return "It has not come to its end; what it asks is shown then."
    if over.data.get("calls"):
        return "What it asked was not kept."
    return "It asked no model this time."
