"""The Person port: a run asks by interrupting itself."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from langgraph.config import get_config
from langgraph.types import interrupt

from forager.adapters.recording.tape import Played, Tape
from forager.adapters.store.sessions.approval_rows import Pleas
from forager.adapters.store.sessions.session_store import SessionStore
from forager.domain.approvals import Plea
from forager.errors import SessionError

Decide = Callable[[Plea], Awaitable[bool | None]]
"""Asks whoever can be reached from here; None leaves the answer to others."""
AGAIN = "It was approved before, and the run broke off: it may have been done already."


async def refuse(plea: Plea) -> bool:
    """A Decide where nobody can answer."""
    return False


async def elsewhere(plea: Plea) -> None:
    """A Decide for runs that somebody else answers, through Sessions.decide."""


class Interrupting:
    """Leaves the run waiting until somebody has said true or false.

    A browser that nobody sees cannot be taken over.
    """

    async def ask(self, plea: Plea) -> bool:
        """The answer that the run is resumed with."""
        return plea.kind == "approve" and bool(interrupt(plea.model_dump(mode="json")))


class Bound:
    """Leaves the run waiting for an answer to these words; a yes lets an act begin once.

    A node runs again from its top with the answers it had, in their order. By then its page may
    have changed, and it may ask something else: an answer to that is none to this. And a node that
    was killed while it acted may have done so: the person is asked once more.
    """

    def __init__(self, pleas: Pleas, session: str) -> None:
        self._pleas = pleas
        self._session = session

    async def ask(self, plea: Plea) -> bool:
        """The answer that the run is resumed with."""
        again = plea.model_copy(update={"why": f"{plea.why} {AGAIN}".strip()})
        turn, asked = 0, plea
        while True:
            said = interrupt(asked.model_dump(mode="json"))
            if Plea.model_validate(said["plea"]).words not in (plea.words, again.words):
                continue
            if not said["yes"] or plea.kind != "approve":
                return bool(said["yes"])
            act = _act(plea, turn)
            if await asyncio.to_thread(self._pleas.let_go, self._session, act):
                return True
            turn, asked = turn + 1, again


def bound(plea: Plea, *, yes: bool) -> dict[str, object]:
    """What a run is resumed with where this was asked."""
    return {"yes": yes, "plea": plea.model_dump(mode="json")}


def _act(plea: Plea, turn: int) -> str:
    """Names what this node would do now, after so many times that it was let go."""
    place = get_config()["configurable"]["checkpoint_ns"]
    return sha256(f"{place}\n{turn}\n{plea.what}".encode()).hexdigest()


FILE = "person.jsonl"


def note(folder: Path, plea: Plea, *, yes: bool) -> None:
    """Write an answer down. Raises StoreError."""
    asked = plea.model_dump(mode="json", exclude={"picture"})
    Tape(folder / FILE).add(_key(plea), asked, yes)


def played(folder: Path) -> Decide:
    """Answers as recorded, with a no to what was not asked then. Raises UsageError."""
    if not (folder / FILE).exists():
        return refuse
    answers = Played(folder / FILE)

    async def decide(plea: Plea) -> bool:
        return bool(answers.next(_key(plea)))

    return decide


def _key(plea: Plea) -> str:
    return f"{plea.kind} {plea.url} {plea.what}"


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
