"""Changing what a session asks in the middle of its run."""

import asyncio
from dataclasses import dataclass
from typing import Any

from forager.adapters.store.leases import hold_lease, is_held
from forager.adapters.store.sessions.session_records import STEER, UNDER_WAY
from forager.adapters.store.sessions.session_store import SessionStore
from forager.errors import SessionError
from graphs.reports.events import Emit
from graphs.runtime.steers import PendingSteers, Steer, apply_steer
from graphs.runtime.validation import refuse_private_sites
from graphs.sessions.context import SessionContext


@dataclass(frozen=True)
class Steering:
    """Changes the question of a session that has not ended."""

    context: SessionContext

    async def steer(self, id: str, change: Steer) -> None:
        """Add hints, sites or forbidden addresses to a question, or change its limits.

        A running session takes the change up after its present node, any other at once. A budget
        below what is already spent ends the run, with an answer. Raises SessionError for a session
        that has ended, QuestionError and AddressError for a change that is not possible.
        """
        store = await self.context.store_for_owner(id)
        session = await asyncio.to_thread(store.get, id)
        if session.status not in UNDER_WAY:
            raise SessionError(
                f"Session {id!r} has ended.",
                "Continue from a step of its history (in a terminal: "
                f"forager resume {id} --step N), fork it, or ask a follow-up.",
            )
        refuse_private_sites(change.sites, self.context.settings, session.model)
        question = session.question
        waiting = await asyncio.to_thread(store.steers.list_waiting, session.thread)
        for each in waiting:
            question = apply_steer(question, Steer.model_validate_json(each.body))
        if apply_steer(question, change) == question:
            return
        body = change.model_dump_json(exclude_unset=True)
        await asyncio.to_thread(store.steers.add_steer, session.thread, body)
        if not await self._apply_now(store, id):
            await asyncio.to_thread(store.set_request, id, "", STEER)

    async def _apply_now(self, store: SessionStore, id: str) -> bool:
        """Apply waiting changes to a session that does not run; False if it runs."""
        if is_held(self.context.leases, id):
            return False
        try:
            with hold_lease(self.context.leases, id):
                session = await asyncio.to_thread(store.get, id)
                checkpoints = await self.context.checkpoints()
                pending = PendingSteers(store, checkpoints, session, _event_writer(store, id))
                await pending.apply_waiting()
        except SessionError:
            return False
        return True


def _event_writer(store: SessionStore, id: str) -> Emit:
    async def write_event(node: str, kind: str, message: str, data: Any) -> None:
        await asyncio.to_thread(store.append_event, id, node, kind, message, data)

    return write_event
