"""Asks the person at the terminal to approve what a run wants to do."""

import asyncio
import select
import sys
from collections.abc import Iterator
from typing import TextIO

from rich.text import Text

from forager.domain.approvals import ApprovalRequest
from ui.cli.printing.progress import RunProgress
from ui.cli.printing.terminal_text import strip_controls

POLL_SECONDS = 0.1
YES = frozenset({"y", "yes"})
NO = frozenset({"", "n", "no"})
NO_TERMINAL = {
    "approve": "Nobody can approve here; --yes-destructive approves every such action.",
    "take over": "Nobody can take over here; on a terminal, --headed shows the browser for it.",
}


class ApprovalPrompt:
    """Decides for a run by asking on the terminal; refuses, and says why, where there is none.

    `approve_all` approves every action without asking. Only a browser that is shown (`headed`) can
    be taken over.
    """

    def __init__(
        self,
        progress: RunProgress,
        *,
        approve_all: bool,
        headed: bool,
        source: TextIO | None = None,
    ) -> None:
        self._progress = progress
        self._approve_all = approve_all
        self._headed = headed
        self._source = source or sys.stdin
        self._explained: set[str] = set()

    async def __call__(self, plea: ApprovalRequest) -> bool:
        """Ask, and return the answer."""
        approve = plea.kind == "approve"
        if approve and self._approve_all:
            return True
        on_terminal = self._source.isatty() and self._progress.console.is_terminal
        if not on_terminal or not (approve or self._headed):
            self._explain_refusal(plea)
            return False
        with self._progress.suspended():
            for line in _describe_request(plea):
                self._progress.console.print(Text(strip_controls(line)), soft_wrap=True)
            return await (self._ask_approval() if approve else self._wait_for_takeover())

    async def _ask_approval(self) -> bool:
        while (reply := await self._read_line("Approve? [y/N] ")) not in YES | NO:
            continue
        return reply in YES

    async def _wait_for_takeover(self) -> bool:
        prompt = "Get past it in the browser, then press Enter (n: give up) "
        return await self._read_line(prompt) not in {"n", "no"}

    async def _read_line(self, prompt: str) -> str:
        """A line from the terminal; the wait can be cancelled. End of input counts as no."""
        self._progress.console.print(Text(prompt, "bold"), end="")
        while not select.select([self._source], [], [], 0)[0]:
            await asyncio.sleep(POLL_SECONDS)
        line = self._source.readline()
        return line.strip().lower() if line else "n"

    def _explain_refusal(self, plea: ApprovalRequest) -> None:
        """Say once how such a request can be answered."""
        if plea.kind not in self._explained:
            self._explained.add(plea.kind)
            self._progress.console.print(Text(NO_TERMINAL[plea.kind]), soft_wrap=True)


def _describe_request(plea: ApprovalRequest) -> Iterator[str]:
    """The lines that show a request."""
    approve = plea.kind == "approve"
    yield "Allow this action?" if approve else "Only a person can get past this page."
    yield f"  what  {plea.what}"
    if plea.why:
        yield f"  why   {plea.why}"
    if plea.url:
        yield f"  at    {plea.url}"
