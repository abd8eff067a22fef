"""One run of one session: from its last checkpoint to its end, its budget, or a request to stop."""

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
from langgraph.types import Command, Interrupt, Overwrite

from forager.adapters.store.checkpoints.lineage import Lineage
from forager.adapters.store.checkpoints.pending_writes import Places
from forager.adapters.store.checkpoints.saver import Checkpoints
from forager.adapters.store.sessions.session_records import PAUSE, STEER, STOP
from forager.adapters.store.sessions.session_store import Event, Session, SessionStore
from forager.budget import minus, running, untold
from forager.domain.answers import Answer
from forager.domain.approvals import ApprovalRequest, approval_outcome
from forager.domain.model_calls import noting, packed
from forager.domain.spend import Spend
from forager.domain.state import State, Turn
from forager.errors import StoreError
from forager.node_type import Registry
from forager.ports import Model, Ports, Reply, Task
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
    Graph,
    Hooks,
    bind_node,
    compile_graph,
    langgraph_name,
    super_step_limit,
)
from graphs.runtime.metering import SpendAccount, meter_node
from graphs.runtime.path_recipes import learn_recipes
from graphs.runtime.position import refuse_lost_keys
from graphs.runtime.state_reader import read_state
from graphs.runtime.steers import PendingSteers, find_surveyor, survey_added_sites
from graphs.spec.resolved_graph import KEYS_MERGED, View, view
from graphs.spec.spec import GraphSpec, graph_of


class JournaledModel:
    """The Model port with its replies written down before a node sees them.

    A node that was killed runs again from its top; what it had asked is answered from here, and
    what it had paid stands in the store.
    """

    def __init__(self, model: Model, store: SessionStore, session: str) -> None:
        self.name = model.name
        self._model = model
        self._store = store
        self._session = session

    async def ask(self, task: Task[Reply]) -> Reply:
        """The reply kept, or the model's. Raises ModelError."""
        asked = f"{task.ROLE}\n{task.instructions}\n{task.model_dump_json()}"
        digest = sha256(asked.encode()).hexdigest()
        running().tasks.append((type(task).__name__, digest))
        kept = await asyncio.to_thread(self._store.reply, self._session, digest)
        if kept is not None:
            return cast(Reply, task.REPLY.model_validate_json(kept))
        try:
            with noting() as said:
                reply = await self._model.ask(task)
        finally:
            await asyncio.to_thread(self._store.pay, self._session, running().unbooked())
        await asyncio.to_thread(
            self._store.keep_reply,
            *(self._session, digest, reply.model_dump_json()),
            packed(tuple(said)),
        )
        return reply


LOG = logging.getLogger(__name__)
Watcher = Callable[[Event], None]
OFFLINE = "offline"


@dataclass(kw_only=True)
class Run:
    """What a run stands on; the question may change as it goes. The caller holds the lease."""

    session: Session
    ports: Ports
    registry: Registry
    store: SessionStore
    checkpoints: Checkpoints
    watcher: Watcher
    decide: Decide = refuse_all
    past: tuple[Turn, ...] = ()
    record: Path | None = None
    control: RunControl = field(default_factory=RunControl)
    account: SpendAccount = field(default_factory=SpendAccount)

    @property
    def bound_ports(self) -> Ports:
        """The ports, with a person whose yes is to what they were asked.

        A model that costs time or money has a journal before it.
        """
        person = SessionPerson(self.store.approvals, self.session.thread)
        model = self.ports.model
        if model.name != OFFLINE:
            model = JournaledModel(model, self.store, self.session.thread)
        return replace(self.ports, model=model, person=person)

    @cached_property
    def spec(self) -> GraphSpec:
        """The graph that the session began with."""
        return graph_of(self.session)

    @property
    def _resolved(self) -> View:
        return view(self.spec, self.registry)

    @cached_property
    def graph(self) -> Graph:
        """The graph, compiled. Raises GraphError when a node type has changed since."""
        hooks = Hooks(checkpointer=self.checkpoints, emit=self.emit, account=self.account)
        return compile_graph(self.spec, self.bound_ports, self.registry, hooks)

    @property
    def config(self) -> RunnableConfig:
        """Where the checkpoints are, and how many super-steps the budget can take."""
        limit = super_step_limit(self.spec, self.registry)
        return {"configurable": {"thread_id": self.session.thread}, "recursion_limit": limit}

    async def emit(self, node: str, kind: str, message: str, data: EventData) -> None:
        """Write an event down, show it, and see whether somebody asks to pause or stop."""
        id = self.session.id
        LOG.debug("session %s: %s %s: %s", id, node, kind, message)
        self.watcher(await asyncio.to_thread(self.store.append, id, node, kind, message, data))
        if asked := await asyncio.to_thread(self.store.asked, id):
            self.control.request_drain(asked)

    async def run_to_end(self) -> str:
        """Run; the session's new status, `unfinished` when it was paused. Raises ForagerError."""
        await asyncio.to_thread(self.store.approvals.withdraw, self.session.thread)
        snapshot = await self.graph.aget_state(self.config)
        begun = snapshot.created_at is not None
        if begun:
            await refuse_lost_keys(Places(self.checkpoints), self.session.thread, self._resolved)
        self.account.owed = await self._unbooked_spend() if begun else Spend()
        turn: EventData = {"turn": self.session.turn} if self.past else {}
        await self.emit("", "resumed" if begun else "begun", "", turn)
        if not self.control.drain_requested:
            await self._take_up_steers()
        while not self.control.drain_requested:
            try:
                if await self._run_until_drained():
                    return await self._end_status()
            except GraphRecursionError:
                return await self._answer_now("The graph did not come to an end within its budget.")
            await self._take_up_steers()
        return await self._end_drained()

    async def _run_until_drained(self) -> bool:
        """Run until the end, or until somebody wants something: False."""
        snapshot = await self.graph.aget_state(self.config)
        begun = snapshot.created_at is not None
        try:
            # Not `next`: that leaves out a node whose result is written and not yet taken over.
            if not begun or snapshot.tasks:
                start = State(question=self.session.question, past=self.past)
                await self._invoke_graph(None if begun else start)
        except GraphDrained:
            return False
        return True

    async def _take_up_steers(self) -> None:
        """Take up what the user has changed, and go on unless something else is wanted."""
        if self.control.drain_reason == STEER:
            self.control = RunControl()
        if self.control.drain_requested and self.control.drain_reason == STOP:
            return
        taking = PendingSteers(self.store, Lineage(self.checkpoints), self.session, self.emit)
        self.session = await taking.apply_waiting()
        if not self.control.drain_requested:
            await self._survey_added_sites(taking)

    async def _survey_added_sites(self, taking: PendingSteers) -> None:
        """Map the sites that were added, and let their arms join."""
        for seq, sites in await taking.due_surveys():
            work = find_surveyor(self.spec, self.registry, self.bound_ports)
            if work:
                await survey_added_sites(taking, sites, meter_node(*work, self.emit, self.account))
            await asyncio.to_thread(self.store.steers.done, self.session.thread, seq)

    async def _invoke_graph(self, start: State | Command[None] | None) -> None:
        """Run to the end, waiting wherever somebody is asked. Raises GraphDrained."""
        while True:
            await self.graph.ainvoke(start, self.config, durability="sync", control=self.control)
            snapshot = await self.graph.aget_state(self.config)
            waits = [each for task in snapshot.tasks for each in task.interrupts]
            if not waits:
                return
            start = Command(resume=await self._ask_person(waits))

    async def _ask_person(self, waits: Sequence[Interrupt]) -> dict[str, object]:
        """What the person says to each. Raises GraphDrained when the run is to be left first."""
        store, id = self.store, self.session.thread
        pleas = {each.id: ApprovalRequest.model_validate(each.value) for each in waits}
        found = await collect_answers(store, id, pleas, self.decide)
        if found is None:
            self.control.request_drain(await asyncio.to_thread(store.asked, id))
            raise GraphDrained(self.control.drain_reason or PAUSE)
        for plea_id, yes in found.items():
            plea = pleas[plea_id]
            if self.record:
                await asyncio.to_thread(record_answer, self.record, plea, yes=yes)
            await self.emit(
                "", "decided", f"{approval_outcome(plea, yes)}: {plea.what}", {"yes": yes}
            )
        return {plea_id: resume_value(pleas[plea_id], yes=yes) for plea_id, yes in found.items()}

    async def _unbooked_spend(self) -> Spend:
        """What was paid by nodes that did not live to tell of it."""
        paid = await asyncio.to_thread(self.store.paid, self.session.thread)
        state = await self._read_state()
        return untold(paid, state.spend)

    async def _read_state(self) -> State:
        return await read_state(
            self.checkpoints, self.session.thread, self.session.question, self.past
        )

    async def _end_drained(self) -> str:
        if self.control.drain_reason == PAUSE:
            return self.session.status
        return await self._answer_now("The run was stopped.")

    async def _end_status(self) -> str:
        state = await self._read_state()
        if state.answer:
            await self._keep_recipes(state)
            return state.answer.status
        return "partial" if state.evidence else "abstained"

    async def _keep_recipes(self, state: State) -> None:
        """Keep the ways that led to the answer, if they can be kept."""
        try:
            for recipe in learn_recipes(state):
                await self.ports.recipes.keep(recipe)
        except StoreError as error:
            await self.emit("", "warned", str(error), {})

    async def _answer_now(self, reason: str) -> str:
        """Answer at once from what is known, and leave the graph at its end."""
        state = await self._read_state()
        answerer = next(
            (name for name, node in self.spec.nodes.items() if self._writes_answer(node.type)), None
        )
        if answerer is None:
            return "partial"
        kind = self.registry[self.spec.nodes[answerer].type]
        own = bind_node(kind, self.spec.nodes[answerer], self.bound_ports)
        answer = meter_node(answerer, own, self.emit, self.account)
        update = await answer(replace(state))
        best = cast(Answer, update["answer"])
        update["answer"] = best.model_copy(update={"status": "partial", "reason": reason})
        settled = (await self.graph.aget_state(self.config)).values.get("spend", Spend())
        update["spend"] = cast(Spend, update["spend"]) + minus(state.spend, settled)
        found: dict[str, Any] = {
            key: getattr(state, key) for key in KEYS_MERGED | {"question", "past"}
        }
        found["found"] = Overwrite(())
        await self.graph.aupdate_state(
            self.config, {**found, **update}, as_node=langgraph_name(answerer)
        )
        return "partial"

    def _writes_answer(self, kind: str) -> bool:
        return kind in self.registry and "answer" in self.registry[kind].writes
