"""What a run is doing, on standard error."""

from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.text import Text

from graphs.sessions.service import Event
from ui.plain import clean

TOLD = frozenset({"pages", "round", "evidence", "added", "alpha"})
"""The data that make an event worth a line of its own; all else only passes by."""
TELLING = frozenset({"failed", "warned", "decided"})
"""The kinds of events that are told whatever they hold."""


class Watching:
    """A watcher of one run: a moving line on a terminal, and a plain line for each larger step."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self._bar = Progress(
            SpinnerColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.description}", markup=False),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._task = self._bar.add_task("starting")
        self._brought: set[str] = set()

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
        message = clean(": ".join(filter(None, (event.node, event.message))))
        if message:
            room = max(20, self.console.width - 16)
            self._bar.update(self._task, description=message[:room])
        told = event.kind == "finished" and TOLD & event.data.keys()
        if event.kind in TELLING or told or self._brings(event):
            self.console.print(Text(message, "dim"), soft_wrap=not self.console.is_terminal)

    def _brings(self, event: Event) -> bool:
        """Does it bring back something of earlier sessions that was not told of yet?"""
        episodes = event.data.get("episodes")
        brought = episodes if isinstance(episodes, list) else []
        ids = {str(each["id"]) for each in brought if isinstance(each, dict)}
        new = ids - self._brought
        self._brought |= ids
        return bool(new)
