"""Going on from an earlier step, in the session itself or in a new one. Nothing is done twice."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from forager.adapters.browser.process.cookie_jar import CookieJar
from forager.adapters.store.checkpoints.lineage import Lineage
from forager.adapters.store.checkpoints.pending_writes import PendingWrites
from forager.adapters.store.leases import hold_lease
from forager.adapters.store.sessions.fork_rows import ForkBegin, ForkedPast
from forager.adapters.store.sessions.session_records import PAUSE, UNDER_WAY, UNFINISHED
from forager.adapters.store.sessions.session_store import Session, SessionStore, thread_of
from forager.budget import model_cost, unreported_work
from forager.domain.spend import Spend
from forager.errors import SessionError
from forager.node_type import Registry
from graphs.reports.events import EventData
from graphs.runtime.compile import writes_answer
from graphs.runtime.steers import (
    ForkChange,
    Steer,
    apply_new_hints,
    apply_steer,
    refuse_unknown_quotes,
    set_quotes_aside,
    write_question,
)
from graphs.runtime.validation import refuse_private_sites
from graphs.sessions.context import SessionContext, choose_session_id
from graphs.sessions.debugging.state_edit import ValuesByHand, edited_values, read_values
from graphs.sessions.history import HistoryPoint, find_row, list_points, turn_thread
from graphs.sessions.migrate import GraphMove, GraphPair, move_thread, plan_move, plan_move_at
from graphs.spec.resolved_graph import resolve_types
from graphs.spec.spec import END, GraphSpec, graph_of


class ForkOrigin(NamedTuple):
    """Where a fork starts: a session, one of its turns, and a step of it unless it has none."""

    session: Session
    turn: int
    at: HistoryPoint | None


class ForkSuggestion(NamedTuple):
    """The step to fork from, and the last one after which a page was chosen, by hints too."""

    at: HistoryPoint | None
    choice: HistoryPoint | None


CHOICES = ("draw", "proposal")
"""What is chosen with the hints of a question: the page of a round; without rounds, an action."""


@dataclass(frozen=True)
class Forks:
    """Continues sessions from earlier steps, in place or as new sessions."""

    context: SessionContext

    async def continue_from(
        self, id: str, checkpoint: int | str | None = None, change: Steer | None = None
    ) -> None:
        """Prepare the session to run on from a step of its present turn.

        Later steps stay in the history, on a side branch; after the end of another branch, its
        answer is the session's again. Without a step, an unfinished session stays where it is, and
        one that ended goes back to where it turned to its end; if quotes are set aside, to where
        they were last judged. What a
        stopped run has used stays used where it goes on from there. Raises SessionError while the
        session runs, for an unknown step, for another user's session, and where nothing is left to
        do; QuestionError and AddressError for an impossible change.
        """
        change = change or Steer()
        store = await self.context.store_for_owner(id)
        with hold_lease(self.context.leases, id):
            session = await asyncio.to_thread(store.get, id)
            question = apply_steer(session.question, change)
            refuse_private_sites(change.sites, self.context.settings, session.model)
            lineage = await self.context.lineage()
            if change.set_aside and checkpoint is None:
                checkpoint = await self._last_judgement(lineage, session)
            at = await self._choose_step(lineage, session, session.thread, checkpoint, ends=True)
            await refuse_unknown_quotes(
                lineage, session.thread, at.id if at else "", change.set_aside
            )
            await asyncio.to_thread(store.steers.drop_waiting, session.thread)
            if at is not None and not at.current:
                if checkpoint is None or await _is_end_taken_back(lineage, session.thread, at):
                    await _keep_work_spent(store, lineage, session.thread)
                await lineage.go_back(session.thread, at.id)
            await write_question(lineage, session.thread, question)
            await apply_new_hints(lineage, session.thread, session.question, question)
            await set_quotes_aside(lineage, session.thread, change.set_aside)
            await asyncio.to_thread(_add_due_sites, store, session.thread, change)
            await asyncio.to_thread(
                store.set_columns,
                id,
                question=question.model_dump_json(),
                status=UNFINISHED,
                **dict.fromkeys(("error", "mend", "asked", "answer"), ""),
            )
            if at is not None and not at.current:
                data: EventData = {"step": at.number, "checkpoint": at.id, "time": at.time}
                step = f"{'end of ' if at.next == (END,) else ''}step {at.number}"
                message = _join_parts(step, change.describe_change())
                await asyncio.to_thread(store.append_event, id, "", "rewound", message, data)
            elif message := change.describe_change():
                data = change.event_data()
                await asyncio.to_thread(store.append_event, id, "", "steered", message, data)

    async def fork(
        self,
        id: str,
        checkpoint: int | str | None = None,
        change: ForkChange | None = None,
        *,
        turn: int | None = None,
        new: str | None = None,
    ) -> str:
        """Create a session that continues from a step of another one; the new session's ID.

        The other session stays as it is. Without a step the fork starts where that session is, or
        where it turned to its end. `new` is the ID to use. Raises SessionError for an unknown step
        or turn, for another user's session, for no ID, where nothing is left to do, for a graph
        that cannot go on there, and for values that do not fit the state; QuestionError and
        AddressError for an impossible change.
        """
        change, new = change or ForkChange(), choose_session_id(new)
        store = await self.context.store_for_owner(id)
        session = await asyncio.to_thread(store.get, id)
        own = turn_thread(session, turn)
        turn = turn or session.turn
        past = await asyncio.to_thread(store.list_turns, id)
        before = session.question if turn == session.turn else past[turn - 1].question
        question = apply_steer(before, change)
        refuse_private_sites(change.sites, self.context.settings, change.model or session.model)
        lineage = await self.context.lineage()
        at = await self._choose_step(lineage, session, own, checkpoint)
        await refuse_unknown_quotes(lineage, own, at.id if at else "", change.set_aside)
        old, spec = await self._resolve_graphs(session, change.graph)
        moves = spec.hash != old.hash or bool(change.mapping)
        if moves:
            (await self._plan_move(own, at, (old, spec), change.mapping)).refuse_misfits()
        by_hand = await self._values_by_hand(own, at, old, change)
        copy = _forked_session(ForkOrigin(session, turn, at), spec, change).model_copy(
            update={"id": new, "question": question}
        )
        begun = _begin_fork(copy, at, change, moved=spec.hash != old.hash)
        async with self.context.making():
            await asyncio.to_thread(store.refuse_taken, copy.id)
            done = False
            try:
                copied = await self._copy_steps(ForkOrigin(session, turn, at), copy)
                await apply_new_hints(lineage, thread_of(copy.id, turn), before, question)
                await set_quotes_aside(lineage, thread_of(copy.id, turn), change.set_aside)
                await by_hand.put_into(lineage, thread_of(copy.id, turn))
                if moves and at is not None:
                    await self._move_thread(thread_of(copy.id, turn), (old, spec), change.mapping)
                user = self.context.settings.user
                await asyncio.to_thread(store.add_fork, copy, copied, begun, user)
                done = True
            finally:
                if not done:
                    await self.context.delete_threads(copy.id)
        return copy.id

    async def suggest_step(self, id: str, turn: int | None = None) -> HistoryPoint | None:
        """The step from which a fork has most behind it and something left to do, if there is one.

        That is the last one before a node that does not just write the answer. Raises SessionError
        for an unknown session or turn.
        """
        session = await self.context.get_session(id)
        lineage = await self.context.lineage()
        steps = await list_points(lineage, session, turn_thread(session, turn))
        nodes = graph_of(session).nodes
        open_steps = [step for step in steps if step.on_path and step.next != (END,)]
        for step in reversed(open_steps):
            kinds = [nodes[node].type for node in step.next if node in nodes]
            if not kinds or any(not writes_answer(kind, self.context.registry) for kind in kinds):
                return step
        return open_steps[-1] if open_steps else None

    async def suggest_fork(self, id: str, turn: int | None = None) -> ForkSuggestion:
        """Where to fork: of a turn that ended, where the last page is chosen, so that hints count.

        Raises SessionError for an unknown session or turn.
        """
        session = await self.context.get_session(id)
        own = turn_thread(session, turn)
        steps = await list_points(await self.context.lineage(), session, own)
        choice = self._last_choice(steps, graph_of(session))
        ended = own != session.thread or session.status not in UNDER_WAY
        at = choice if ended and choice else await self.suggest_step(id, turn)
        return ForkSuggestion(at, choice)

    def _last_choice(self, steps: tuple[HistoryPoint, ...], spec: GraphSpec) -> HistoryPoint | None:
        """The last step before a node that chooses a page, or what to do on one, by hints."""
        return self._last_before(CHOICES, steps, spec)

    async def _last_judgement(self, lineage: Lineage, session: Session) -> str | None:
        """The id of the last step before a critic, or without one before any node but the answer's;
        None for none."""
        steps = await list_points(lineage, session, session.thread)
        at = self._last_before(("verdict",), steps, graph_of(session))
        at = at or await self.suggest_step(session.id)
        return at.id if at else None

    def _last_before(
        self, keys: Sequence[str], steps: tuple[HistoryPoint, ...], spec: GraphSpec
    ) -> HistoryPoint | None:
        """The last step before a node that writes the first of these keys that any node wrote."""
        path = [step for step in reversed(steps) if step.on_path]
        written = resolve_types(spec, self.context.registry).may_write
        before = (
            step for key in keys for step in path if any(key in written(at) for at in step.next)
        )
        return next(before, None)

    async def _values_by_hand(
        self, own: str, at: HistoryPoint | None, spec: GraphSpec, change: ForkChange
    ) -> ValuesByHand:
        """The changed values, and the branch that they belong to. Raises SessionError."""
        if not change.values:
            return ValuesByHand({})
        if at is None:
            raise SessionError(
                "The session has no step yet whose state could be changed.",
                "Run it to a breakpoint, or let it take a step, first.",
            )
        places = PendingWrites(await self.context.checkpoints())
        seen = resolve_types(spec, self.context.registry)
        branch, kept = await edited_values(places, own, at.id, seen)
        return ValuesByHand(read_values(change.values, kept), branch)

    async def plan_move(
        self,
        id: str,
        graph: str | GraphSpec,
        mapping: Mapping[str, str] | None = None,
        checkpoint: int | str | None = None,
        *,
        turn: int | None = None,
    ) -> GraphMove:
        """Where each node that runs next would go on if the session were forked to a graph.

        Raises SessionError for an unknown step or turn, GraphError for a graph with faults.
        """
        session = await self.context.get_session(id)
        own = turn_thread(session, turn)
        at = await self._choose_step(await self.context.lineage(), session, own, checkpoint)
        specs = await self._resolve_graphs(session, graph)
        return await self._plan_move(own, at, specs, mapping or {})

    async def _resolve_graphs(
        self, session: Session, graph: str | GraphSpec
    ) -> tuple[GraphSpec, GraphSpec]:
        """The graph of a session, and the one in which it is to go on."""
        old = graph_of(session)
        return old, await self.context.resolve_graph(graph) if graph else old

    async def _plan_move(
        self,
        own: str,
        at: HistoryPoint | None,
        specs: tuple[GraphSpec, GraphSpec],
        mapping: Mapping[str, str],
    ) -> GraphMove:
        types = self.context.registry
        if at is None:
            return plan_move(*specs, (), mapping, types)
        places = PendingWrites(await self.context.checkpoints())
        return await plan_move_at(places, own, at.id, GraphPair(*specs, types), mapping)

    async def _move_thread(
        self, own: str, specs: tuple[GraphSpec, GraphSpec], mapping: Mapping[str, str]
    ) -> None:
        places = PendingWrites(await self.context.checkpoints())
        await move_thread(places, own, GraphPair(*specs, self.context.registry), mapping)

    async def _copy_steps(self, origin: ForkOrigin, copy: Session) -> ForkedPast:
        """Give the fork the steps and cookies up to the origin; the rows that are due with them."""
        source, lineage, at = origin.session, await self.context.lineage(), origin.at
        await self.context.delete_threads(copy.id)  # of one that was killed
        for number in range(1, origin.turn):
            await lineage.copy_thread(thread_of(source.id, number), thread_of(copy.id, number))
        there, used = thread_of(copy.id, origin.turn), Spend()
        if at is not None:
            await lineage.copy_thread(thread_of(source.id, origin.turn), there, at.id)
            used = (await lineage.newest_values(there)).get("spend", used)
            await write_question(lineage, there, copy.question)
        settings = self.context.settings
        if jar := await CookieJar(settings, source.id).read():
            await CookieJar(settings, copy.id).write(jar)
        return ForkedPast(
            source.id,
            turn=origin.turn,
            until=at.time if at else 0.0,
            replies=copy.model == source.model,
            paid=model_cost(used),
        )

    async def _choose_step(
        self,
        lineage: Lineage,
        session: Session,
        own: str,
        checkpoint: int | str | None,
        *,
        ends: bool = False,
    ) -> HistoryPoint | None:
        """The step to go on from, or with `ends` an earlier end; None before the first step.

        Raises SessionError.
        """
        steps = await list_points(lineage, session, own)
        if checkpoint is not None:
            row = find_row(await lineage.read_rows(own), checkpoint, session.id)
            at = next(each for each in steps if each.id == row.id)
        elif not steps:
            return None
        elif own == session.thread and session.status in UNDER_WAY:
            at = steps[-1]
        else:
            at = budget_turning_point(steps, session, self.context.registry)
        if at.next == (END,) and (at.current or not ends):
            raise SessionError(
                f"Nothing is left to do after step {at.number}.",
                "Choose an earlier step of the history.",
            )
        return at


async def _is_end_taken_back(lineage: Lineage, thread: str, at: HistoryPoint) -> bool:
    """Whether only the answer of a stopped run comes after the step."""
    last = (await lineage.read_rows(thread))[-1]
    return last.metadata.get("source") == "update" and last.parent == at.id


async def _keep_work_spent(store: SessionStore, lineage: Lineage, thread: str) -> None:
    """Book the work of the steps that are left behind; models have booked their cost."""
    used = (await lineage.newest_values(thread)).get("spend", Spend())
    paid = await asyncio.to_thread(store.paid_spend, thread)
    await asyncio.to_thread(store.add_spend, thread, unreported_work(used, paid))


def _begin_fork(
    copy: Session, at: HistoryPoint | None, change: ForkChange, *, moved: bool
) -> ForkBegin:
    """The event that a fork begins with, and the steer that waits for it."""
    origin, by_hand = copy.forked_from, list(change.values)
    message = _join_parts(
        f"forked from {f'step {at.number} of {origin}' if at else origin}",
        f"in {copy.graph}" if moved else "",
        *(f"{node} goes on at {there}" for node, there in change.mapping.items()),
        f"changed by hand: {', '.join(by_hand)}" if by_hand else "",
        change.describe_change(),
    )
    data: EventData = {"session": origin, "step": copy.forked_step}
    if by_hand:
        data["by_hand"] = list(by_hand)
    if at and not moved:
        data["next"] = list(at.next)
    return ForkBegin(message, data, _due_sites(change))


def _forked_session(origin: ForkOrigin, spec: GraphSpec, change: ForkChange) -> Session:
    """The new session, still with the question and the ID of the other one."""
    session, _, at = origin
    return session.model_copy(
        update={
            "status": UNFINISHED,
            **dict.fromkeys(("error", "mend", "answer", "written_by"), ""),
            "asked": session.asked if session.asked == PAUSE else "",
            "graph": spec.name,
            "graph_hash": spec.hash,
            "graph_body": spec.canonical(),
            "model": change.model or session.model,
            "forked_from": session.id,
            "forked_step": at.number if at else 0,
            "since": session.since or session.created,
        }
    )


def budget_turning_point(
    steps: tuple[HistoryPoint, ...], session: Session, registry: Registry
) -> HistoryPoint:
    """The step from which a run turned to its end because its budget was spent.

    That is the last one before a node that ends a loop for want of budget; of a run that was
    stopped, where it was stopped. Raises SessionError where the run was stopped before its first
    step, or ended because it had enough.
    """
    path = [step for step in steps if step.on_path]
    if path[-1].source == "update":
        for step in path:
            if step.id == path[-1].parent:
                return step
        raise SessionError(
            f"Session {session.id!r} was stopped before its first step.", "Ask the question again."
        )
    spec = graph_of(session)
    ending = {
        name
        for name, node in spec.nodes.items()
        if node.type in registry and registry[node.type].spent
    }
    for place in range(len(path) - 1, -1, -1):
        if ending.intersection(path[place].next):
            after = [node for step in path[place + 2 :] for node in step.ran]
            if all(writes_answer(spec.nodes[node].type, registry) for node in after):
                return path[place]
            break
    raise SessionError(
        f"Session {session.id!r} did not end for want of budget.",
        "Choose the step of its history to go on from.",
    )


def _add_due_sites(store: SessionStore, own: str, change: Steer) -> None:
    """Have the added sites surveyed when the run continues."""
    if body := _due_sites(change):
        store.steers.add_steer(own, body, laid=True)


def _due_sites(change: Steer) -> str:
    """The steer that has the added sites surveyed, as JSON; empty where none are."""
    if not change.sites:
        return ""
    return Steer(sites=change.sites).model_dump_json(exclude_unset=True)


def _join_parts(*parts: str) -> str:
    return " · ".join(filter(None, parts))
