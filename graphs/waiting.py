"""A run waits for answers to its pleas: from here, or from another process."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress

from forager.adapters.store.sessions.session_store import SessionStore
from forager.domain.approvals import Plea
from forager.errors import SessionError
from graphs.person import Decide

POLL_SECONDS = 0.1


async def answers(
    store: SessionStore, session: str, pleas: Mapping[str, Plea], decide: Decide
) -> dict[str, bool] | None:
    """The answer to each plea, by its id; None when the run was asked to pause or stop first.

    What nobody answered is withdrawn, however the waiting ends.
    """
    await asyncio.to_thread(store.pleas.lay, session, pleas)
    found: dict[str, bool] = {}
    try:
        for id, plea in pleas.items():
            answer = await _answer(store, session, id, plea, decide)
            if answer is None:
                return None
            found[id] = answer
    finally:
        await asyncio.to_thread(store.pleas.withdraw, session)
    return found


async def _answer(
    store: SessionStore, session: str, id: str, plea: Plea, decide: Decide
) -> bool | None:
    asking = asyncio.ensure_future(_asked(store, session, id, plea, decide))
    try:
        while True:
            answer = await asyncio.to_thread(store.pleas.answer, session, id)
            left = await asyncio.to_thread(store.asked, session)
            if left or answer is not None:
                return answer
            if not asking.done():
                await asyncio.wait({asking}, timeout=POLL_SECONDS)
                continue
            asking.result()
            await asyncio.sleep(POLL_SECONDS)
    finally:
        asking.cancel()
        with suppress(asyncio.CancelledError):
            await asking


async def _asked(store: SessionStore, session: str, id: str, plea: Plea, decide: Decide) -> None:
    """Ask from here, and keep the answer unless another was quicker."""
    answer = await decide(plea)
    if answer is not None:
        with suppress(SessionError):
            await asyncio.to_thread(store.pleas.decide, session, id, yes=answer)
