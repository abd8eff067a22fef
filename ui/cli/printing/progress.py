"""What a run is doing, on standard error, and what it asks of the person at the terminal."""

import asyncio
import select
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Self, TextIO

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.text import Text

from forager.domain.approvals import ApprovalRequest
from graphs.sessions.service import Event
from ui.cli.printing.terminal_text import strip_controls

MILESTONES = frozenset({"pages", "round", "evidence", "added", "alpha"})
"""The data that make an event worth a line of its own; others only pass by on the moving line."""
ALWAYS_PRINTED = frozenset({"warned", "decided"})
"""The kinds of events that are printed whatever data they carry."""


class RunProgress:
    """Watches one run: a moving line on a terminal, and a plain line for each larger step.

    A failure is held until the run goes on, and printed once; as the last thing that happens, it is
    left to the error that ends the command. When `quiet`, only questions to the person are shown.
    """

    def __init__(self, console: Console, *, quiet: bool = False) -> None:
        self.console = console
        self._quiet = quiet
        self._bar = Progress(
            SpinnerColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.description}", markup=False),
            console=console,
            transient=True,
            disable=quiet or not console.is_terminal,
        )
        self._task = self._bar.add_task("starting")
        self._recalled: set[str] = set()
        self._failures: set[str] = set()
        self._failure: tuple[str, str] | None = None

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bar.stop()
        self._print_failure()

    def discard_failure(self, error: str) -> None:
        """Do not print a failure that the error of the command repeats."""
        if self._failure and self._failure[0] == error:
            self._failure = None

    @contextmanager
    def suspended(self) -> Iterator[None]:
        """Leave the terminal alone during the body."""
        self._bar.stop()
        try:
            yield
        finally:
            self._bar.start()

    def __call__(self, event: Event) -> None:
        """Show an event."""
        message = strip_controls(": ".join(filter(None, (event.node, event.message))))
        if message:
            room = max(20, self.console.width - 16)
            self._bar.update(self._task, description=message[:room])
        if event.kind == "failed":
            self._failure = event.message, message
            return
        if event.kind != "started":
            self._print_failure()
        milestone = event.kind == "finished" and MILESTONES & event.data.keys()
        recalls = self._recalls_new(event)
        if event.kind in ALWAYS_PRINTED or milestone or recalls:
            self._print(message)

    def _print_failure(self) -> None:
        """Print the failure that is held, unless it was printed before."""
        if self._failure and self._failure[0] not in self._failures:
            self._failures.add(self._failure[0])
            self._print(self._failure[1])
        self._failure = None

    def _print(self, line: str) -> None:
        if not self._quiet:
            self.console.print(Text(line, "dim"), soft_wrap=not self.console.is_terminal)

    def _recalls_new(self, event: Event) -> bool:
        """Whether it recalls something of earlier sessions that was not shown yet."""
        episodes = event.data.get("episodes")
        recalled = episodes if isinstance(episodes, list) else []
        ids = {str(each["id"]) for each in recalled if isinstance(each, dict)}
        new = ids - self._recalled
        self._recalled |= ids
        return bool(new)


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
