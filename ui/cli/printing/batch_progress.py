"""How far a batch is, on standard error: rows, rate, cost, and an estimate of the rest."""

import time
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn
from rich.text import Text

from graphs.system.batch.batch_files import Line
from graphs.system.batch.batch_pace import BatchCount

PRINT_SECONDS = 10.0
"""How often a line is printed where there is no terminal."""
MINUTE, HOUR = 60, 3600


class BatchProgress:
    """Counts answers; `done` of `total` rows were answered before."""

    def __init__(self, console: Console, total: int, done: int, *, quiet: bool = False) -> None:
        self.count = BatchCount(total, done)
        self._console = console
        self._quiet = quiet
        self._printed = self.count.began
        self._bar = Progress(
            BarColumn(20),
            TextColumn("{task.description}", markup=False),
            console=console,
            transient=True,
            disable=quiet or not console.is_terminal,
        )
        self._task = self._bar.add_task("starting", total=total, completed=done)

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
        if not self._quiet:
            self._console.print(Text(self.describe(time.monotonic())), soft_wrap=True)

    def __call__(self, line: Line) -> None:
        """Count an answer."""
        self.count.count(line)
        now = time.monotonic()
        text = self.describe(now)
        self._bar.update(self._task, advance=1, description=text)
        due = now - self._printed >= PRINT_SECONDS
        if due and not self._console.is_terminal and not self._quiet:
            self._printed = now
            self._console.print(Text(text), soft_wrap=True)

    def describe(self, now: float) -> str:
        """The state at a time of the monotonic clock, in one line."""
        count, pace = self.count, self.count.pace(now)
        parts = [f"{pace.done:,} of {count.total:,} rows"]
        parts += [f"{many:,} {status}" for status, many in sorted(count.statuses.items())]
        if pace.per_minute is not None:
            parts += [f"{pace.per_minute:.1f} a minute", f"${count.usd:.2f}"]
        if pace.done < count.total and pace.seconds_left is not None:
            rest = f"{_describe_seconds(pace.seconds_left)} to go"
            parts.append(f"{rest}, ${pace.usd_left:.2f} more")
        return " · ".join(parts)


def _describe_seconds(seconds: float) -> str:
    """A duration as a person says it."""
    if seconds < MINUTE:
        return f"{seconds:.0f} s"
    if seconds < HOUR:
        return f"{seconds / MINUTE:.0f} min"
    return f"{seconds / HOUR:.1f} h"
