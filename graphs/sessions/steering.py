"""A question is changed while it is pursued: laid into the checkpoint, its new sites surveyed."""

import asyncio
from typing import Any

from forager.adapters.store.leases import held, lease
from forager.adapters.store.sessions.session_records import STEER, UNDER_WAY
from forager.adapters.store.sessions.session_store import SessionStore
from forager.errors import SessionError
from graphs.reports.events import Emit
from graphs.runtime.steers import PendingSteers, Steer, apply_steer
from graphs.runtime.validation import refuse_private_sites
from graphs.sessions.context import SessionContext


class Steering(SessionContext):
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
        refuse_private_sites(change.sites, self.settings, session.model)
        question = session.question
        waiting = await asyncio.to_thread(store.steers.waiting, session.thread)
        for each in waiting:
            question = apply_steer(question, Steer.model_validate_json(each.body))
        if apply_steer(question, change) == question:
            return
        body = change.model_dump_json(exclude_unset=True)
        await asyncio.to_thread(store.steers.add, session.thread, body)
        if not await self._take_up_now(store, id):
            await asyncio.to_thread(store.ask, id, "", STEER)

    async def _take_up_now(self, store: SessionStore, id: str) -> bool:
        """Take up what waits, where nobody runs the session; no if somebody does."""
        if held(self._leases, id):
            return False
        try:
            with lease(self._leases, id):
                session = await asyncio.to_thread(store.get, id)
                taking = PendingSteers(
                    store, await self._lineage(), session, self._event_writer(store, id)
                )
                await taking.apply_waiting()
        except SessionError:
            return False
        return True

    def _event_writer(self, store: SessionStore, id: str) -> Emit:
        async def note(node: str, kind: str, message: str, data: Any) -> None:
            await asyncio.to_thread(store.append, id, node, kind, message, data)

        return note
