"""A run of a session: from its last checkpoint to its end, its budget, or a request to stop.

`run_to_end` runs it: it resumes the graph, applies what the user changes, waits for approvals, and
answers with what it has if it is stopped.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.errors import GraphDrained, GraphRecursionError
from langgraph.runtime import RunControl
from langgraph.types import Command, Interrupt, Overwrite, PregelTask

from forager.adapters.models.model_lines import OFFLINE
from forager.adapters.models.offline_model import OfflineModel
from forager.adapters.store.checkpoints.pending_writes import PendingWrites
from forager.adapters.store.checkpoints.saver import Checkpoints
from forager.adapters.store.sessions.session_records import END, ENDINGS, PAUSE, STEER
from forager.adapters.store.sessions.session_store import PROGRESS, Event, Session, SessionStore
from forager.answers.ending import STOPPED, pages_read
from forager.browsing.trajectory import learn_recipes
from forager.budget import current_meter, subtract_spend, unreported_spend, unreported_work
from forager.domain.answers import Answer
from forager.domain.approvals import ApprovalRequest, approval_outcome
from forager.domain.model_calls import collect_exchanges, pack_exchanges
from forager.domain.spend import Spend
from forager.domain.state import State, Turn
from forager.errors import StoreError
from forager.evidence.page_documents import restore_quoted_pages
from forager.node_type import Registry
from forager.ports import Model, Ports, Reply, Task
from forager.util.concurrency import run_to_end
from forager.util.log_file import logging_session
from forager.util.telemetry import count, run_span
from graphs.reports.events import EventData
from graphs.runtime.approvals import (
    Decide,
    SessionPerson,
    collect_answers,
    record_answer,
    refuse_all,
    resume_value,
)
from graphs.runtime.compile import (
    compile_graph,
    langgraph_name,
    langgraph_names,
    super_step_limit,
    writes_answer,
)
from graphs.runtime.graph_nodes import Graph, Hooks, bind_node
from graphs.runtime.halts import NO_HALTS, Halted, Halts
from graphs.runtime.metering import SpendAccount, meter_node
from graphs.runtime.position import refuse_lost_keys, waiting_nodes
from graphs.runtime.state_reader import WORDS, LeftWork, read_state
from graphs.runtime.steers import PendingSteers, find_surveyor, survey_added_sites
from graphs.spec.resolved_graph import KEYS_MERGED, ResolvedGraph, filled_graph, resolve_types
from graphs.spec.spec import GraphSpec, graph_of

LOG = logging.getLogger(__name__)
GRACE_SECONDS = 2.0
"""The seconds beyond the budget after which a node that may be abandoned is abandoned; a survey
waits as long for a site's first page, and says more of it."""
LATE = "late"
"""The reason to leave a graph whose node was abandoned."""
REQUEST_SECONDS = 0.5
"""How often a run looks for a request to pause or stop while a node works, in seconds."""
Watcher = Callable[[Event], None]
"""Sees the events of a run as they are written."""


@dataclass(kw_only=True)
class Run:
    """A run of `session`, whose lease the caller holds; the question may change on the way.

    `past` are the turns before, `record` the folder of a recording that is being made, `halts` the
    places where it pauses.
    """

    session: Session
    ports: Ports
    registry: Registry
    store: SessionStore
    checkpoints: Checkpoints
    watcher: Watcher
    decide: Decide = refuse_all
    past: tuple[Turn, ...] = ()
    record: Path | None = None
    halts: Halts = NO_HALTS
    control: RunControl = field(default_factory=RunControl)
    account: SpendAccount = field(default_factory=SpendAccount)
    _running: set[str] = field(default_factory=set)

    async def run_to_end(self) -> str:
        """Run; the session's new status, `unfinished` if it was paused. Raises ForagerError."""
        session = self.session
        with (
            logging_session(session.id),
            run_span(
                session__id=session.id,
                forager__turn=session.turn,
                forager__graph=session.graph,
                forager__model=session.model,
            ) as told,
        ):
            status = await self._run_metered()
            told.tell(forager__status=status)
        count("forager.runs", status=status)
        return status

    async def _run_metered(self) -> str:
        await asyncio.to_thread(self.store.approvals.delete_waiting, self.session.thread)
        snapshot = await self.graph.aget_state(self.config)
        begun = snapshot.created_at is not None
        if begun:
            places = PendingWrites(self.checkpoints)
            await refuse_lost_keys(places, self.session.thread, self._resolved)
        self.account.owed = await self._unbooked_spend() if begun else Spend()
        try:
            return await self._run_from(begun=begun)
        finally:
            await run_to_end(self._book_owed())

    async def _run_from(self, *, begun: bool) -> str:
        turn: EventData = {"turn": self.session.turn} if self.past else {}
        await self.emit("", "resumed" if begun else "begun", "", turn)
        await self._restore_quoted_pages()
        if not self.control.drain_requested:
            await self._take_up_steers()
        try:
            while not self.control.drain_requested:
                if await self._run_until_drained():
                    return await self._end_status()
                await self._take_up_steers()
        except GraphRecursionError:
            return await self._answer_now("The run did not end within its budget.")
        except Halted:
            await self._halt()
        if self.control.drain_reason == LATE:
            return await self._answer_now("The budget of seconds is spent.")
        if self.control.drain_reason == PAUSE:
            return self.session.status
        return await self._end_stopped()

    async def _halt(self) -> None:
        """Leave the run paused at a breakpoint, or after one step; a stop is still heard."""
        await self._take_up_steers()
        if self.control.drain_reason in (*ENDINGS, LATE):
            return
        self.control.request_drain(PAUSE)
        places = PendingWrites(self.checkpoints)
        nodes = await waiting_nodes(places, self.session.thread, self._resolved)
        await asyncio.to_thread(self.store.set_request, self.session.id, "", PAUSE)
        await self.emit("", "halted", f"before {', '.join(nodes)}", {"next": list(nodes)})

    async def _restore_quoted_pages(self) -> None:
        ledger = (await self._read_state()).evidence
        for warning in await restore_quoted_pages(ledger, self.ports):
            await self.emit("", "warned", warning, {})

    async def emit(self, node: str, kind: str, message: str, data: EventData) -> None:
        """Store an event, show it to the watcher, and check for a request to pause or stop.

        A node that goes on after the event is not drained, so nothing is checked for it.
        """
        id = self.session.id
        LOG.debug("session %s: %s %s: %s", id, node, kind, message)
        if kind == "started":
            self._running.add(node)
        elif kind in ("finished", "failed"):
            self._running.discard(node)
        self.watcher(
            await asyncio.to_thread(self.store.append_event, id, node, kind, message, data)
        )
        goes_on = kind in ("started", PROGRESS)
        if not goes_on and (asked := await asyncio.to_thread(self.store.get_request, id)):
            self.control.request_drain(asked)

    @cached_property
    def spec(self) -> GraphSpec:
        """The graph that the session pins, with the values of its parameters in place."""
        return filled_graph(graph_of(self.session), self.registry)

    @property
    def _resolved(self) -> ResolvedGraph:
        return resolve_types(self.spec, self.registry)

    @cached_property
    def graph(self) -> Graph:
        """The graph, compiled. Raises GraphError when a node type has changed since."""
        hooks = Hooks(
            checkpointer=self.checkpoints, emit=self.emit, account=self.account, halts=self.halts
        )
        return compile_graph(self.spec, self.bound_ports, self.registry, hooks)

    @property
    def bound_ports(self) -> Ports:
        """The ports, with a person whose answers are bound to what was asked.

        A model that costs time or money keeps a journal.
        """
        person = SessionPerson(self.store.approvals, self.session.thread)
        model = self.ports.model
        if model.name != OFFLINE:
            model = JournaledModel(model, self.store, self.session.thread)
        return replace(self.ports, model=model, person=person)

    @property
    def config(self) -> RunnableConfig:
        """The thread, and a limit of super-steps that the budget cannot exceed."""
        limit = super_step_limit(self.spec, self.registry)
        return {"configurable": {"thread_id": self.session.thread}, "recursion_limit": limit}

    async def _run_until_drained(self) -> bool:
        """Run until the end; False where a request to pause, stop or steer came first."""
        snapshot = await self.graph.aget_state(self.config)
        begun = snapshot.created_at is not None
        try:
            # `tasks`, as `next` leaves out a node whose result is written but not yet taken over.
            if not begun or snapshot.tasks:
                start = State(question=self.session.question, past=self.past)
                await self._invoke_graph(None if begun else start)
        except GraphDrained:
            return False
        return True

    async def _invoke_graph(self, start: State | Command[None] | None) -> None:
        """Run to the end, waiting wherever a person is asked. Raises GraphDrained and Halted."""
        while True:
            await self._run_abortable(start)
            snapshot = await self.graph.aget_state(self.config)
            if self.halts and any(map(_is_halted, snapshot.tasks)):
                raise Halted  # a branch that waits for a person asks again when the run goes on
            interrupts = [each for task in snapshot.tasks for each in task.interrupts]
            if not interrupts:
                return
            start = Command(resume=await self._ask_person(interrupts))

    async def _run_abortable(self, start: State | Command[None] | None) -> None:
        """Invoke the graph; abandon nodes that can run again on a request, or when time is over.

        Raises GraphDrained.
        """
        run = asyncio.create_task(
            self.graph.ainvoke(start, self.config, durability="sync", control=self.control)
        )
        watch = asyncio.create_task(self._abort_on_request(run))
        try:
            await run
        except asyncio.CancelledError:
            if not watch.done() or watch.cancelled():  # somebody else cancelled the run
                run.cancel()
                raise
            raise GraphDrained(self.control.drain_reason or PAUSE) from None
        finally:
            watch.cancel()

    async def _abort_on_request(self, run: asyncio.Task[Any]) -> None:
        """Cancel the run once it should pause or stop, or is late, while abortable nodes run.

        One that is to end at once is cancelled whatever runs.
        """
        while True:
            await asyncio.sleep(REQUEST_SECONDS)
            asked = await asyncio.to_thread(self.store.get_request, self.session.id)
            abortable = bool(self._running) and self._running <= self._abortable
            if asked not in (PAUSE, *ENDINGS):
                late = abortable and self.account.seconds_over() > GRACE_SECONDS
                asked = LATE if late else ""
            if asked:
                self.control.request_drain(asked)
                if abortable or asked == END:
                    run.cancel()
                    return

    @cached_property
    def _abortable(self) -> frozenset[str]:
        nodes = self.spec.nodes.items()
        types = self.registry
        return frozenset(
            name for name, node in nodes if node.type in types and types[node.type].abortable
        )

    async def _ask_person(self, interrupts: Sequence[Interrupt]) -> dict[str, object]:
        """The resume value of each interrupt. Raises GraphDrained on a request to pause or stop."""
        store, id = self.store, self.session.thread
        requests = {each.id: ApprovalRequest.model_validate(each.value) for each in interrupts}
        answers = await collect_answers(store, id, requests, self.decide)
        if answers is None:
            self.control.request_drain(await asyncio.to_thread(store.get_request, id))
            raise GraphDrained(self.control.drain_reason or PAUSE)
        for request_id, yes in answers.items():
            request = requests[request_id]
            if self.record:
                await asyncio.to_thread(record_answer, self.record, request, yes=yes)
            message = f"{approval_outcome(request, yes)}: {request.what}"
            await self.emit("", "decided", message, {"yes": yes})
        return {each: resume_value(requests[each], yes=yes) for each, yes in answers.items()}

    async def _take_up_steers(self) -> None:
        """Apply what the user has changed, and run on unless a pause or stop is asked for too."""
        late = self.control.drain_reason == LATE
        if late or self.control.drain_reason == STEER:
            self.control = RunControl()
        if self.control.drain_reason in ENDINGS:
            return
        pending = PendingSteers(self.store, self.checkpoints, self.session, self.emit)
        self.session = await pending.apply_waiting()
        if late and await self._has_no_seconds():
            self.control.request_drain(LATE)
        if not self.control.drain_requested:
            await self._survey_added_sites(pending)

    async def _has_no_seconds(self) -> bool:
        spent = (await self._read_state()).spend + self.account.owed
        return spent.seconds >= self.session.question.budget.seconds

    async def _survey_added_sites(self, pending: PendingSteers) -> None:
        for seq, sites in await pending.due_surveys():
            surveyor = find_surveyor(self.spec, self.registry, self.bound_ports)
            if surveyor:
                survey = meter_node(*surveyor, self.emit, self.account)
                await survey_added_sites(pending, sites, survey)
            await asyncio.to_thread(self.store.steers.mark_done, self.session.thread, seq)

    async def _read_state(self) -> State:
        session = self.session
        return await read_state(self.checkpoints, session.thread, session.question, self.past)

    async def _book_owed(self) -> None:
        """Book the work of nodes that failed or were abandoned; models book their cost at once."""
        if self.account.owed == Spend():
            return
        state = await self._read_state()
        paid = await asyncio.to_thread(self.store.paid_spend, self.session.thread)
        work = unreported_work(state.spend + self.account.owed, paid)
        await asyncio.to_thread(self.store.add_spend, self.session.thread, work)

    async def _unbooked_spend(self) -> Spend:
        """What nodes used that failed, or were killed after they had paid for a model."""
        paid = await asyncio.to_thread(self.store.paid_spend, self.session.thread)
        state = await self._read_state()
        return unreported_spend(paid, state.spend)

    async def _end_status(self) -> str:
        """The status of a run whose graph has ended; recipes are kept of one that answered."""
        state = await self._read_state()
        if state.answer:
            await self._keep_recipes(state)
            return state.answer.status
        return "partial" if state.evidence else "abstained"

    async def _keep_recipes(self, state: State) -> None:
        """Keep the paths that led to the answer; a failure to do so is a warning."""
        try:
            for recipe in learn_recipes(state):
                await self.ports.recipes.keep(recipe)
        except StoreError as error:
            await self.emit("", "warned", str(error), {})

    async def _end_stopped(self) -> str:
        """Answer from what is known; once the run is to end at once, from that and by words."""
        left = await self._left_work()
        answering = asyncio.create_task(self._answer_from_maps(left))
        try:
            while not answering.done():
                if await asyncio.to_thread(self.store.get_request, self.session.id) == END:
                    answering.cancel()
                    break
                await asyncio.wait([answering], timeout=REQUEST_SECONDS)
            await asyncio.wait([answering])
        finally:
            answering.cancel()
        if not answering.cancelled():
            return answering.result()
        if (await self._read_state()).answer:  # it was written as the request came
            return "partial"
        by_words = replace(self.bound_ports, model=OfflineModel(WORDS), embedder=WORDS)
        return await self._answer_from(left.state, STOPPED, by_words)

    async def _answer_from_maps(self, left: LeftWork) -> str:
        await left.take_in_maps()
        return await self._answer_from(left.state, STOPPED, self.bound_ports)

    async def _answer_now(self, reason: str) -> str:
        """Answer from what is known, and end the graph."""
        return await self._answer_from((await self._left_work()).state, reason, self.bound_ports)

    async def _answer_from(self, state: State, reason: str, ports: Ports) -> str:
        nodes = self.spec.nodes.items()
        types = self.registry
        answerer = next((name for name, node in nodes if writes_answer(node.type, types)), None)
        if answerer is None:
            return "partial"
        node = self.spec.nodes[answerer]
        own = bind_node(types[node.type], node, ports)
        answer = meter_node(answerer, own, self.emit, self.account)
        update = await answer(replace(state))
        best = cast(Answer, update["answer"])
        why = f"{reason} {pages_read(state)}"
        status = "partial" if best.text or reason == STOPPED else best.status
        update["answer"] = best.model_copy(update={"status": status, "reason": why})
        settled = (await self.graph.aget_state(self.config)).values.get("spend", Spend())
        update["spend"] = cast(Spend, update["spend"]) + subtract_spend(state.spend, settled)
        values: dict[str, Any] = {
            key: getattr(state, key) for key in KEYS_MERGED | {"question", "past", "survey"}
        }
        values["found"] = Overwrite(())
        end = self.graph.aupdate_state(
            self.config, {**values, **update}, as_node=langgraph_name(answerer)
        )
        await run_to_end(end)
        return status

    async def _left_work(self) -> LeftWork:
        """What is known, with what was read and was not in the ledger yet."""
        names, snapshot = langgraph_names(self.spec), await self.graph.aget_state(self.config)
        left = LeftWork(
            spec=self.spec,
            registry=self.registry,
            ports=replace(self.bound_ports, model=OfflineModel(self.bound_ports.embedder)),
            emit=self.emit,
            account=self.account,
            state=await self._read_state(),
        )
        await left.take_in_reading([names[each] for each in snapshot.next])
        return left


class JournaledModel:
    """The Model port with each reply stored before a node sees it.

    A node that was killed runs again from its top: what it had asked is answered from the store,
    and what it had paid is booked.
    """

    def __init__(self, model: Model, store: SessionStore, session: str) -> None:
        self.name = model.name
        self._model = model
        self._store = store
        self._session = session

    async def ask(self, task: Task[Reply]) -> Reply:
        """The stored reply, or else the model's. Raises ModelError."""
        prompt = f"{task.ROLE}\n{task.instructions}\n{task.model_dump_json()}"
        digest = sha256(prompt.encode()).hexdigest()
        current_meter().tasks.append((type(task).__name__, digest))
        kept = await asyncio.to_thread(self._store.kept_reply, self._session, digest)
        if kept is not None:
            return cast(Reply, task.REPLY.model_validate_json(kept))
        try:
            with collect_exchanges() as exchanges:
                reply = await self._model.ask(task)
        except BaseException:
            await run_to_end(asyncio.to_thread(self._book, current_meter().new_model_cost()))
            raise
        body, sent = reply.model_dump_json(), pack_exchanges(tuple(exchanges))
        cost = current_meter().new_model_cost()
        await run_to_end(asyncio.to_thread(self._keep, cost, digest, body, sent))
        return reply

    def _book(self, cost: Spend) -> None:
        self._store.add_spend(self._session, cost)

    def _keep(self, cost: Spend, digest: str, body: str, sent: bytes) -> None:
        self._book(cost)
        self._store.keep_reply(self._session, digest, body, sent)


def _is_halted(task: PregelTask) -> bool:
    return not task.interrupts and task.result is None and task.error is None
