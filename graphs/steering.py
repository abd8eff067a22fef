"""A question is changed while it is pursued: laid into the checkpoint, its new sites surveyed."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, cast

from forager.adapters.store.checkpoints.lineage import Lineage
from forager.adapters.store.leases import held, lease
from forager.adapters.store.sessions.session_records import STEER, UNDER_WAY
from forager.adapters.store.sessions.session_store import Session, SessionStore
from forager.bandit.add_site import annexed
from forager.domain.spend import Spend
from forager.domain.state import Question, State, Survey, Update
from forager.domain.url_rules import forbidden
from forager.errors import SessionError, WebError
from forager.ports import Ports
from graphs.asking import refuse_private
from graphs.files import Files
from graphs.laying import lay_question, lean
from graphs.reports.events import Emit
from graphs.runtime.compile import Work, work
from graphs.runtime.metering import Run
from graphs.spec.node_type import Registry
from graphs.spec.spec import GRAPH, GraphSpec
from graphs.steers import Steer, steered

UNMAPPED = frozenset({"survey", "arms"})


class Due(NamedTuple):
    """Sites that are to be surveyed for a change."""

    seq: int
    sites: tuple[str, ...]


@dataclass
class TakingUp:
    """Takes up what waits for a session, whose lease the caller holds."""

    store: SessionStore
    lineage: Lineage
    session: Session
    emit: Emit

    async def laid(self) -> Session:
        """Lay the changes into the question and the checkpoint, and tell of them."""
        store, own = self.store, self.session.thread
        await asyncio.to_thread(store.ask, self.session.id, STEER, "")
        for seq, body, laid in await asyncio.to_thread(store.steers.waiting, own):
            if laid:
                continue
            change = Steer.model_validate_json(body)
            question = steered(self.session.question, change)
            await lay_question(self.lineage, own, question)
            await lean(self.lineage, own, self.session.question, question)
            await self._kept(question)
            end = store.steers.lay if change.sites else store.steers.done
            await asyncio.to_thread(end, own, seq)
            await self.emit("", "steered", change.told(), change.data())
        return self.session

    async def due(self) -> tuple[Due, ...]:
        """The sites that are still to be surveyed."""
        waiting = await asyncio.to_thread(self.store.steers.waiting, self.session.thread)
        changes = [(seq, Steer.model_validate_json(body)) for seq, body, laid in waiting if laid]
        known = self.session.question.sites
        return tuple(
            Due(seq, steered(Question(text="?", sites=()), replaced(change)).sites)
            for seq, change in changes
            if known
        )

    async def _kept(self, question: Question) -> None:
        self.session = self.session.model_copy(update={"question": question})
        body = question.model_dump_json()
        await asyncio.to_thread(self.store.change, self.session.id, question=body)


def replaced(change: Steer) -> Steer:
    """Its sites alone."""
    return Steer(sites=change.sites)


def surveyor(spec: GraphSpec, registry: Registry, ports: Ports) -> tuple[str, Work] | None:
    """The name and the work of the graph's surveyor, if it has one."""
    for name, node in spec.nodes.items():
        if node.type in registry and registry[node.type].writes >= UNMAPPED:
            return name, work(registry[node.type], node, ports)
        if node.type == GRAPH and (found := surveyor(spec.inner(name), registry, ports)):
            return found
    return None


async def annex(taking: TakingUp, sites: Sequence[str], survey: Run) -> None:
    """Survey sites that were added, and lay what was found beside what was known.

    Before the first survey nothing is done: that one knows of them. A site that cannot be had is
    warned of.
    """
    own, question = taking.session.thread, taking.session.question
    values = await taking.lineage.state(own)
    if "survey" not in values or not values["survey"].parts:
        return
    known: dict[str, Any] = {
        key: values[key] for key in State.__dataclass_fields__ if key in values
    }
    state = State(**known)
    wanted = tuple(site for site in sites if not forbidden(question.forbidden, site))
    alone = question.model_copy(update={"sites": wanted})
    try:
        update = await survey(replace(state, question=alone, survey=Survey(), arms=(), past=()))
    except WebError as error:
        await taking.emit("", "warned", str(error), {})
        return
    found = cast(Update, update)
    joined, arms = annexed(state, found["survey"], found["arms"])
    spend = state.spend + cast(Spend, update["spend"])
    await taking.lineage.lay(own, {"survey": joined, "arms": arms, "spend": spend})


class Steering(Files):
    """The verb that changes what is asked, in the middle of a run."""

    async def steer(self, id: str, change: Steer) -> None:
        """Change the question of a session that is not at its end: hints, sites, limits.

        One that runs takes it up after its present step, others at once. A budget below what is
        spent ends the run with an answer. Raises SessionError when the session has ended, and
        QuestionError or AddressError for what cannot be asked.
        """
        store = await self._own(id)
        session = await asyncio.to_thread(store.get, id)
        if session.status not in UNDER_WAY:
            raise SessionError(
                f"Session {id!r} has come to its end.",
                f"Go on from a step of its history (in a terminal: forager resume {id} --step N), "
                "fork it, or ask on.",
            )
        refuse_private(change.sites, self.settings, session.model)
        question = session.question
        waiting = await asyncio.to_thread(store.steers.waiting, session.thread)
        for each in waiting:
            question = steered(question, Steer.model_validate_json(each.body))
        if steered(question, change) == question:
            return
        body = change.model_dump_json(exclude_unset=True)
        await asyncio.to_thread(store.steers.add, session.thread, body)
        if not await self._taken_up(store, id):
            await asyncio.to_thread(store.ask, id, "", STEER)

    async def _taken_up(self, store: SessionStore, id: str) -> bool:
        """Take up what waits, where nobody runs the session; no if somebody does."""
        if held(self._leases, id):
            return False
        try:
            with lease(self._leases, id):
                session = await asyncio.to_thread(store.get, id)
                taking = TakingUp(store, await self._lineage(), session, self._note(store, id))
                await taking.laid()
        except SessionError:
            return False
        return True

    def _note(self, store: SessionStore, id: str) -> Emit:
        async def note(node: str, kind: str, message: str, data: Any) -> None:
            await asyncio.to_thread(store.append, id, node, kind, message, data)

        return note
