"""The Person port: a run asks for approval by interrupting itself, and waits for the answer."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from langgraph.config import get_config
from langgraph.types import interrupt

from forager.adapters.recording.tape import PlayedTape, Tape
from forager.adapters.store.sessions.approval_rows import ApprovalRows
from forager.adapters.store.sessions.session_store import SessionStore
from forager.domain.approvals import ApprovalRequest
from forager.errors import SessionError

Decide = Callable[[ApprovalRequest], Awaitable[bool | None]]
"""Asks the person who can be reached from here; None leaves the answer to others."""
APPROVED_BEFORE = "It was approved before and the run broke off, so it may be done already."
PERSON_FILE = "person.jsonl"
POLL_SECONDS = 0.1


async def refuse_all(request: ApprovalRequest) -> bool:
    """A Decide where nobody can answer."""
    return False


async def leave_to_others(request: ApprovalRequest) -> None:
    """A Decide for runs whose requests are answered elsewhere, with `Sessions.decide`."""


class InterruptingPerson:
    """The Person port for runs without a session: leaves the run waiting for true or false.

    Nobody sees the browser of such a run, so it cannot be taken over.
    """

    async def ask(self, request: ApprovalRequest) -> bool:
        """The answer that the run is resumed with."""
        return request.kind == "approve" and bool(interrupt(request.model_dump(mode="json")))


class SessionPerson:
    """The Person port of a session: leaves the run waiting for an answer to these very words.

    A node runs again from its top and gets its earlier answers in order. By then the page may have
    changed and the node may ask something else: an answer to other words does not count. A node
    that was killed while it acted may have done it already, so the person is asked once more.
    """

    def __init__(self, approvals: ApprovalRows, session: str) -> None:
        self._approvals = approvals
        self._session = session

    async def ask(self, request: ApprovalRequest) -> bool:
        """The answer that the run is resumed with. An approval lets an act begin once."""
        again = request.model_copy(update={"why": f"{request.why} {APPROVED_BEFORE}".strip()})
        attempt, asked = 0, request
        words = (request.without_picture, again.without_picture)
        while True:
            answer = interrupt(asked.model_dump(mode="json"))
            if ApprovalRequest.model_validate(answer["plea"]).without_picture not in words:
                continue
            if not answer["yes"] or request.kind != "approve":
                return bool(answer["yes"])
            act = _act_key(request, attempt)
            if await asyncio.to_thread(self._approvals.begin_action, self._session, act):
                return True
            attempt, asked = attempt + 1, again


def resume_value(request: ApprovalRequest, *, yes: bool) -> dict[str, object]:
    """The value with which a run resumes after this request."""
    return {"yes": yes, "plea": request.model_dump(mode="json")}


def _act_key(request: ApprovalRequest, attempt: int) -> str:
    """Names what this node is about to do, after `attempt` approvals of it."""
    place = get_config()["configurable"]["checkpoint_ns"]
    return sha256(f"{place}\n{attempt}\n{request.what}".encode()).hexdigest()


def record_answer(folder: Path, request: ApprovalRequest, *, yes: bool) -> None:
    """Add an answer to a recording. Raises StoreError."""
    asked = request.model_dump(mode="json", exclude={"picture"})
    Tape(folder / PERSON_FILE).add_entry(_tape_key(request), asked, yes)


def replay_answers(folder: Path) -> Decide:
    """A Decide that answers as recorded, and no to what was not asked then. Raises UsageError."""
    if not (folder / PERSON_FILE).exists():
        return refuse_all
    answers = PlayedTape(folder / PERSON_FILE)

    async def decide(request: ApprovalRequest) -> bool:
        return bool(answers.next_reply(_tape_key(request)))

    return decide


def _tape_key(request: ApprovalRequest) -> str:
    return f"{request.kind} {request.url} {request.what}"


async def collect_answers(
    store: SessionStore, session: str, requests: Mapping[str, ApprovalRequest], decide: Decide
) -> dict[str, bool] | None:
    """The answers by the ids of the requests; None if the run is asked to pause or stop first.

    Requests without an answer are withdrawn, however the waiting ends.
    """
    await asyncio.to_thread(store.approvals.add_requests, session, requests)
    found: dict[str, bool] = {}
    try:
        for id, request in requests.items():
            answer = await _await_answer(store, session, id, request, decide)
            if answer is None:
                return None
            found[id] = answer
    finally:
        await asyncio.to_thread(store.approvals.delete_waiting, session)
    return found


async def _await_answer(
    store: SessionStore, session: str, id: str, request: ApprovalRequest, decide: Decide
) -> bool | None:
    asking = asyncio.ensure_future(_ask_here(store, session, id, request, decide))
    try:
        while True:
            answer = await asyncio.to_thread(store.approvals.get_answer, session, id)
            left = await asyncio.to_thread(store.get_request, session)
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
    store: SessionStore, session: str, id: str, request: ApprovalRequest, decide: Decide
) -> None:
    """Ask from here, and store the answer unless another one was quicker."""
    answer = await decide(request)
    if answer is not None:
        with suppress(SessionError):
            await asyncio.to_thread(store.approvals.set_answer, session, id, yes=answer)
