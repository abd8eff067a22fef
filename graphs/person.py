"""The Person port: a run asks by interrupting itself."""

import asyncio
from collections.abc import Awaitable, Callable
from hashlib import sha256

from langgraph.config import get_config
from langgraph.types import interrupt

from forager.plea import Plea
from forager.store.pleas import Pleas

Decide = Callable[[Plea], Awaitable[bool | None]]
"""Asks whoever can be reached from here; None leaves the answer to others."""
AGAIN = "It was approved before, and the run broke off: it may have been done already."


async def refuse(plea: Plea) -> bool:
    """A Decide where nobody can answer."""
    return False


async def elsewhere(plea: Plea) -> None:
    """A Decide for runs that somebody else answers, through Sessions.decide."""


class Interrupting:
    """Leaves the run waiting until somebody has answered."""

    async def ask(self, plea: Plea) -> bool:
        """The answer that the run is resumed with."""
        return bool(interrupt(plea.model_dump(mode="json")))


class OnceEach:
    """As Interrupting, but one yes lets an act begin once.

    A node that was killed while it acted runs again with the answer it had. What it may have done
    is not done a second time before the person was asked once more.
    """

    def __init__(self, pleas: Pleas, session: str) -> None:
        self._pleas = pleas
        self._session = session
        self._person = Interrupting()

    async def ask(self, plea: Plea) -> bool:
        """The answer that the run is resumed with."""
        if plea.kind != "approve":
            return await self._person.ask(plea)
        again = plea.model_copy(update={"why": f"{plea.why} {AGAIN}".strip()})
        turn, asked = 0, plea
        while await self._person.ask(asked):
            act = _act(plea, turn)
            if await asyncio.to_thread(self._pleas.let_go, self._session, act):
                return True
            turn, asked = turn + 1, again
        return False


def _act(plea: Plea, turn: int) -> str:
    """Names what this node would do now, after so many answers; screenshots never are the same."""
    place = get_config()["configurable"]["checkpoint_ns"]
    return sha256(f"{place}\n{turn}\n{plea.what}".encode()).hexdigest()
