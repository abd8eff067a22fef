"""How fast a batch is, what it costs, and an estimate of the rest."""

import time
from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

from graphs.system.batch.batch_files import Line

MINUTE = 60


class Pace(NamedTuple):
    """Rows with an answer, answers per minute, and the time and money that the rest may take.

    What is not known before the first answer is None.
    """

    done: int
    per_minute: float | None = None
    seconds_left: float | None = None
    usd_left: float | None = None


@dataclass
class BatchCount:
    """Counts the answers of a run; `before` of `total` rows were answered earlier."""

    total: int
    before: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    usd: float = 0.0
    pages: int = 0
    began: float = field(default_factory=time.monotonic)

    def count(self, line: Line) -> None:
        """Count an answer."""
        usd, pages = line.get("usd", 0), line.get("pages", 0)
        self.usd += float(usd) if isinstance(usd, int | float) else 0.0
        self.pages += pages if isinstance(pages, int) else 0
        self.statuses[str(line["status"])] += 1

    def pace(self, now: float) -> Pace:
        """The state at a time of the monotonic clock."""
        answered = self.statuses.total()
        done = self.before + answered
        if not answered:
            return Pace(done)
        seconds, left = max(now - self.began, 1e-3), max(0, self.total - done)
        return Pace(
            done=done,
            per_minute=answered / seconds * MINUTE,
            seconds_left=left * seconds / answered,
            usd_left=self.usd / answered * left,
        )
