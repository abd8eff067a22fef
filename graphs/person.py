"""The Person port: a run asks by interrupting itself."""

import asyncio
from collections.abc import Awaitable, Callable
from hashlib import sha256

from langgraph.config import get_config
from langgraph.types import interrupt

from forager.adapters.store.sessions.approval_rows import Pleas
from forager.domain.approvals import Plea

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
