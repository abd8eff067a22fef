"""Asks the person at the terminal what a run asks."""

import asyncio
import select
import sys
from collections.abc import Iterator
from typing import TextIO

from rich.text import Text

from forager.domain.approvals import Plea
from ui.plain import clean
from ui.progress import Watching

POLL_SECONDS = 0.1
YES = frozenset({"y", "yes"})
NO = frozenset({"", "n", "no"})
ALONE = {
    "approve": "Nobody can approve here; --yes-destructive approves of every such action.",
    "take over": "Nobody can take over here; on a terminal --headed shows the browser for it.",
}


class Approving:
    """A Decide that asks on the terminal of a run; where there is none, it refuses and says so.

    `brave` approves of every action unasked. Only a browser that is shown (`headed`) can be taken
    over.
    """

    def __init__(
        self, watching: Watching, *, brave: bool, headed: bool, source: TextIO | None = None
    ) -> None:
        self._watching = watching
        self._brave = brave
        self._headed = headed
        self._source = source or sys.stdin
        self._told: set[str] = set()

    async def __call__(self, plea: Plea) -> bool:
        """The answer."""
        approve = plea.kind == "approve"
        if approve and self._brave:
            return True
        there = self._source.isatty() and self._watching.console.is_terminal
        if not there or not (approve or self._headed):
            self._tell(plea)
            return False
        with self._watching.suspended():
            for line in _lines(plea):
                self._watching.console.print(Text(clean(line)), soft_wrap=True)
            return await (self._approval() if approve else self._taken_over())

    async def _approval(self) -> bool:
        while (said := await self._line("Approve? [y/N] ")) not in YES | NO:
            continue
        return said in YES

    async def _taken_over(self) -> bool:
        said = await self._line("Pass it in the browser, then press Enter (n: give up) ")
        return said not in {"n", "no"}

    async def _line(self, prompt: str) -> str:
        """A line from the terminal; waiting for it can be cancelled. Its end is a no."""
        self._watching.console.print(Text(prompt, "bold"), end="")
        while not select.select([self._source], [], [], 0)[0]:
            await asyncio.sleep(POLL_SECONDS)
        line = self._source.readline()
        return line.strip().lower() if line else "n"

    def _tell(self, plea: Plea) -> None:
        """How it could have been answered, once."""
        if plea.kind not in self._told:
            self._told.add(plea.kind)
            self._watching.console.print(Text(ALONE[plea.kind]), soft_wrap=True)


def _lines(plea: Plea) -> Iterator[str]:
    """The plea as it is shown."""
    yield "May this be done?" if plea.kind == "approve" else "Only a person can go on here."
    yield f"  what  {plea.what}"
    if plea.why:
        yield f"  why   {plea.why}"
    if plea.url:
        yield f"  at    {plea.url}"
