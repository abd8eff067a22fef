"""What a run is doing, on standard error."""

from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.text import Text

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
