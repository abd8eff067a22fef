"""How far a batch is, on standard error: rows, rate, cost, and an estimate of the rest."""

import time
from collections import Counter
from types import TracebackType
from typing import Self

from pydantic import JsonValue
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn
from rich.text import Text

PRINT_SECONDS = 10.0
"""How often a line is printed where there is no terminal."""
MINUTE, HOUR = 60, 3600


class BatchProgress:
    """Counts answers; `done` of `total` rows were answered before."""

    def __init__(self, console: Console, total: int, done: int, *, quiet: bool = False) -> None:
        self.statuses: Counter[str] = Counter()
        self._console = console
        self._quiet = quiet
        self._total = total
        self._before = done
        self._usd = 0.0
        self.began = self._printed = time.monotonic()
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

    def __call__(self, line: dict[str, JsonValue]) -> None:
        """Count an answer."""
        usd = line.get("usd", 0)
        self._usd += float(usd) if isinstance(usd, int | float) else 0.0
        self.statuses[str(line["status"])] += 1
        now = time.monotonic()
        text = self.describe(now)
        self._bar.update(self._task, advance=1, description=text)
        due = now - self._printed >= PRINT_SECONDS
        if due and not self._console.is_terminal and not self._quiet:
            self._printed = now
            self._console.print(Text(text), soft_wrap=True)

    def describe(self, now: float) -> str:
        """The state at a time of the monotonic clock, in one line."""
        answered = self.statuses.total()
        done = self._before + answered
        parts = [f"{done:,} of {self._total:,} rows"]
        parts += [f"{count:,} {status}" for status, count in sorted(self.statuses.items())]
        if answered:
            seconds = max(now - self.began, 1e-3)
            parts += [f"{answered / seconds * MINUTE:.1f} a minute", f"${self._usd:.2f}"]
        if left := self._total - done if answered else 0:
            rest = f"{_describe_seconds(left * seconds / answered)} to go"
            parts.append(f"{rest}, ${self._usd / answered * left:.2f} more")
        return " · ".join(parts)


def _describe_seconds(seconds: float) -> str:
    """A duration as a person says it."""
    if seconds < MINUTE:
        return f"{seconds:.0f} s"
    if seconds < HOUR:
        return f"{seconds / MINUTE:.0f} min"
    return f"{seconds / HOUR:.1f} h"
