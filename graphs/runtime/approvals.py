"""The Person port: a run asks by interrupting itself."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from langgraph.config import get_config
from langgraph.types import interrupt

from forager.adapters.recording.tape import Played, Tape
from forager.adapters.store.sessions.approval_rows import ApprovalRows
from forager.adapters.store.sessions.session_store import SessionStore
from forager.domain.approvals import ApprovalRequest
from forager.errors import SessionError

Decide = Callable[[ApprovalRequest], Awaitable[bool | None]]
"""Asks whoever can be reached from here; None leaves the answer to others."""
APPROVED_BEFORE = "It was approved before, and the run broke off: it may have been done already."


async def refuse_all(plea: ApprovalRequest) -> bool:
    """A Decide where nobody can answer."""
    return False


async def leave_to_others(plea: ApprovalRequest) -> None:
    """A Decide for runs that somebody else answers, through Sessions.decide."""


class InterruptingPerson:
    """Leaves the run waiting until somebody has said true or false.

    A browser that nobody sees cannot be taken over.
    """

    async def ask(self, plea: ApprovalRequest) -> bool:
        """The answer that the run is resumed with."""
        return plea.kind == "approve" and bool(interrupt(plea.model_dump(mode="json")))


class SessionPerson:
    """Leaves the run waiting for an answer to these words; a yes lets an act begin once.

    A node runs again from its top with the answers it had, in their order. By then its page may
    have changed, and it may ask something else: an answer to that is none to this. And a node that
    was killed while it acted may have done so: the person is asked once more.
    """

    def __init__(self, pleas: ApprovalRows, session: str) -> None:
        self._pleas = pleas
        self._session = session

    async def ask(self, plea: ApprovalRequest) -> bool:
        """The answer that the run is resumed with."""
        again = plea.model_copy(update={"why": f"{plea.why} {APPROVED_BEFORE}".strip()})
        turn, asked = 0, plea
        while True:
            said = interrupt(asked.model_dump(mode="json"))
            if ApprovalRequest.model_validate(said["plea"]).without_picture not in (
                plea.without_picture,
                again.without_picture,
            ):
                continue
            if not said["yes"] or plea.kind != "approve":
                return bool(said["yes"])
            act = _act_key(plea, turn)
            if await asyncio.to_thread(self._pleas.let_go, self._session, act):
                return True
            turn, asked = turn + 1, again


def resume_value(plea: ApprovalRequest, *, yes: bool) -> dict[str, object]:
    """What a run is resumed with where this was asked."""
    return {"yes": yes, "plea": plea.model_dump(mode="json")}


def _act_key(plea: ApprovalRequest, turn: int) -> str:
    """Names what this node would do now, after so many times that it was let go."""
    place = get_config()["configurable"]["checkpoint_ns"]
    return sha256(f"{place}\n{turn}\n{plea.what}".encode()).hexdigest()


PERSON_FILE = "person.jsonl"


def record_answer(folder: Path, plea: ApprovalRequest, *, yes: bool) -> None:
    """Write an answer down. Raises StoreError."""
    asked = plea.model_dump(mode="json", exclude={"picture"})
    Tape(folder / PERSON_FILE).add(_tape_key(plea), asked, yes)


def replay_answers(folder: Path) -> Decide:
    """Answers as recorded, with a no to what was not asked then. Raises UsageError."""
    if not (folder / PERSON_FILE).exists():
        return refuse_all
    answers = Played(folder / PERSON_FILE)

    async def decide(plea: ApprovalRequest) -> bool:
        return bool(answers.next(_tape_key(plea)))

    return decide


def _tape_key(plea: ApprovalRequest) -> str:
    return f"{plea.kind} {plea.url} {plea.what}"


POLL_SECONDS = 0.1


async def collect_answers(
    store: SessionStore, session: str, pleas: Mapping[str, ApprovalRequest], decide: Decide
) -> dict[str, bool] | None:
    """The answer to each plea, by its id; None when the run was asked to pause or stop first.

    What nobody answered is withdrawn, however the waiting ends.
    """
    await asyncio.to_thread(store.approvals.lay, session, pleas)
    found: dict[str, bool] = {}
    try:
        for id, plea in pleas.items():
            answer = await _await_answer(store, session, id, plea, decide)
            if answer is None:
                return None
            found[id] = answer
    finally:
        await asyncio.to_thread(store.approvals.withdraw, session)
    return found


async def _await_answer(
    store: SessionStore, session: str, id: str, plea: ApprovalRequest, decide: Decide
) -> bool | None:
    asking = asyncio.ensure_future(_ask_here(store, session, id, plea, decide))
    try:
        while True:
            answer = await asyncio.to_thread(store.approvals.answer, session, id)
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


async def _ask_here(
    store: SessionStore, session: str, id: str, plea: ApprovalRequest, decide: Decide
) -> None:
    """Ask from here, and keep the answer unless another was quicker."""
    answer = await decide(plea)
    if answer is not None:
        with suppress(SessionError):
            await asyncio.to_thread(store.approvals.decide, session, id, yes=answer)
