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
from forager.domain.approvals import Plea, outcome
from forager.domain.model_calls import noting, packed
from forager.domain.spend import Spend
from forager.domain.state import State, Turn
from forager.errors import StoreError
from forager.node_type import Registry
from forager.ports import Model, Ports, Reply, Task
from graphs.reports.events import Data
from graphs.runtime.approvals import Bound, Decide, answers, bound, note, refuse
from graphs.runtime.compile import Graph, Hooks, compile, langgraph_name, super_steps, work
from graphs.runtime.metering import Account, metered
from graphs.runtime.path_recipes import learned
from graphs.runtime.position import refuse_lost
from graphs.runtime.state_reader import known
from graphs.runtime.steers import TakingUp, annex, surveyor
from graphs.spec.resolved_graph import KEYS_MERGED, View, view
from graphs.spec.spec import GraphSpec, graph_of


class Journal:
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
    decide: Decide = refuse
    past: tuple[Turn, ...] = ()
    record: Path | None = None
    control: RunControl = field(default_factory=RunControl)
    account: Account = field(default_factory=Account)

    @property
    def doors(self) -> Ports:
        """The ports, with a person whose yes is to what they were asked.

        A model that costs time or money has a journal before it.
        """
        person = Bound(self.store.pleas, self.session.thread)
        model = self.ports.model
        if model.name != OFFLINE:
            model = Journal(model, self.store, self.session.thread)
        return replace(self.ports, model=model, person=person)

    @cached_property
    def spec(self) -> GraphSpec:
        """The graph that the session began with."""
        return graph_of(self.session)

    @property
    def _seen(self) -> View:
        return view(self.spec, self.registry)

    @cached_property
    def graph(self) -> Graph:
        """The graph, compiled. Raises GraphError when a node type has changed since."""
        hooks = Hooks(checkpointer=self.checkpoints, emit=self.emit, account=self.account)
        return compile(self.spec, self.doors, self.registry, hooks)

    @property
    def config(self) -> RunnableConfig:
        """Where the checkpoints are, and how many super-steps the budget can take."""
        limit = super_steps(self.spec, self.registry)
        return {"configurable": {"thread_id": self.session.thread}, "recursion_limit": limit}

    async def emit(self, node: str, kind: str, message: str, data: Data) -> None:
        """Write an event down, show it, and see whether somebody asks to pause or stop."""
        id = self.session.id
        LOG.debug("session %s: %s %s: %s", id, node, kind, message)
        self.watcher(await asyncio.to_thread(self.store.append, id, node, kind, message, data))
        if asked := await asyncio.to_thread(self.store.asked, id):
            self.control.request_drain(asked)

    async def go(self) -> str:
        """Run; the session's new status, `unfinished` when it was paused. Raises ForagerError."""
        await asyncio.to_thread(self.store.pleas.withdraw, self.session.thread)
        snapshot = await self.graph.aget_state(self.config)
        begun = snapshot.created_at is not None
        if begun:
            await refuse_lost(Places(self.checkpoints), self.session.thread, self._seen)
        self.account.owed = await self._owed() if begun else Spend()
        turn: Data = {"turn": self.session.turn} if self.past else {}
        await self.emit("", "resumed" if begun else "begun", "", turn)
        if not self.control.drain_requested:
            await self._steered()
        while not self.control.drain_requested:
            try:
                if await self._walked():
                    return await self._status()
            except GraphRecursionError:
                return await self._conclude("The graph did not come to an end within its budget.")
            await self._steered()
        return await self._drained()

    async def _walked(self) -> bool:
        """Run until the end, or until somebody wants something: False."""
        snapshot = await self.graph.aget_state(self.config)
        begun = snapshot.created_at is not None
        try:
            # Not `next`: that leaves out a node whose result is written and not yet taken over.
            if not begun or snapshot.tasks:
                start = State(question=self.session.question, past=self.past)
                await self._walk(None if begun else start)
        except GraphDrained:
            return False
        return True

    async def _steered(self) -> None:
        """Take up what the user has changed, and go on unless something else is wanted."""
        if self.control.drain_reason == STEER:
            self.control = RunControl()
        if self.control.drain_requested and self.control.drain_reason == STOP:
            return
        taking = TakingUp(self.store, Lineage(self.checkpoints), self.session, self.emit)
        self.session = await taking.laid()
        if not self.control.drain_requested:
            await self._surveyed(taking)

    async def _surveyed(self, taking: TakingUp) -> None:
        """Map the sites that were added, and let their arms join."""
        for seq, sites in await taking.due():
            work = surveyor(self.spec, self.registry, self.doors)
            if work:
                await annex(taking, sites, metered(*work, self.emit, self.account))
            await asyncio.to_thread(self.store.steers.done, self.session.thread, seq)

    async def _walk(self, start: State | Command[None] | None) -> None:
        """Run to the end, waiting wherever somebody is asked. Raises GraphDrained."""
        while True:
            await self.graph.ainvoke(start, self.config, durability="sync", control=self.control)
            snapshot = await self.graph.aget_state(self.config)
            waits = [each for task in snapshot.tasks for each in task.interrupts]
            if not waits:
                return
            start = Command(resume=await self._answered(waits))

    async def _answered(self, waits: Sequence[Interrupt]) -> dict[str, object]:
        """What the person says to each. Raises GraphDrained when the run is to be left first."""
        store, id = self.store, self.session.thread
        pleas = {each.id: Plea.model_validate(each.value) for each in waits}
        found = await answers(store, id, pleas, self.decide)
        if found is None:
            self.control.request_drain(await asyncio.to_thread(store.asked, id))
            raise GraphDrained(self.control.drain_reason or PAUSE)
        for plea_id, yes in found.items():
            plea = pleas[plea_id]
            if self.record:
                await asyncio.to_thread(note, self.record, plea, yes=yes)
            await self.emit("", "decided", f"{outcome(plea, yes)}: {plea.what}", {"yes": yes})
        return {plea_id: bound(pleas[plea_id], yes=yes) for plea_id, yes in found.items()}

    async def _owed(self) -> Spend:
        """What was paid by nodes that did not live to tell of it."""
        paid = await asyncio.to_thread(self.store.paid, self.session.thread)
        state = await self._known()
        return untold(paid, state.spend)

    async def _known(self) -> State:
        return await known(self.checkpoints, self.session.thread, self.session.question, self.past)

    async def _drained(self) -> str:
        if self.control.drain_reason == PAUSE:
            return self.session.status
        return await self._conclude("The run was stopped.")

    async def _status(self) -> str:
        state = await self._known()
        if state.answer:
            await self._learn(state)
            return state.answer.status
        return "partial" if state.evidence else "abstained"

    async def _learn(self, state: State) -> None:
        """Keep the ways that led to the answer, if they can be kept."""
        try:
            for recipe in learned(state):
                await self.ports.recipes.keep(recipe)
        except StoreError as error:
            await self.emit("", "warned", str(error), {})

    async def _conclude(self, reason: str) -> str:
        """Answer at once from what is known, and leave the graph at its end."""
        state = await self._known()
        answerer = next(
            (name for name, node in self.spec.nodes.items() if self._answers(node.type)), None
        )
        if answerer is None:
            return "partial"
        kind = self.registry[self.spec.nodes[answerer].type]
        own = work(kind, self.spec.nodes[answerer], self.doors)
        answer = metered(answerer, own, self.emit, self.account)
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

    def _answers(self, kind: str) -> bool:
        return kind in self.registry and "answer" in self.registry[kind].writes
