"""What a run has used by now, seconds and pages, read from what was booked and from its events."""

import time
from dataclasses import dataclass, field

from graphs.sessions.service import Event

ENDS = frozenset({"finished", "failed", "asked"})
"""The kinds of events with which the work of a node ends."""


@dataclass(frozen=True)
class Work:
    """What nodes took: seconds, and pages that they fetched."""

    seconds: float = 0.0
    pages: int = 0

    def __add__(self, other: "Work") -> "Work":
        return Work(self.seconds + other.seconds, self.pages + other.pages)


@dataclass
class OpenNode:
    """A node at work: when it began (epoch, s), and the pages that it has fetched so far."""

    since: float
    pages: int = 0

    def work_until(self, moment: float) -> Work:
        """What it took until a moment."""
        return Work(max(0.0, moment - self.since), self.pages)


@dataclass
class RunClock:
    """Takes the events of a turn, in order. The time in which a run waits or is paused is no work.

    What it reads while a run works never runs backwards, unless the run itself goes back to a
    checkpoint. It needs at least the events of what is booked: a node that is booked and has not
    ended by the events would count twice. `taken_over` are the seconds that a fork began with.
    """

    taken_over: float = 0.0
    _open: dict[tuple[str, str], OpenNode] = field(default_factory=dict)
    _worked: float = 0.0
    _owed: Work = Work()
    _inner: Work = Work()
    _read: Work = Work()
    _last: float = 0.0

    def take_event(self, event: Event) -> None:
        """Take the event that follows those taken before."""
        if event.kind in {"resumed", "rewound"}:
            self.leave_work()
            self._read = Work()
        elif event.kind == "forked":
            self.taken_over += self._worked
            self.leave_work()
            self._worked, self._read = 0.0, Work()
        if not event.node:  # it may come while the run is paused
            return
        self._last = event.time
        key = event.node, str(event.data.get("branch", ""))
        if event.kind == "started":
            self._end_abandoned(event)
            self._open[key] = OpenNode(event.time)
            self._inner = self._inner if _is_inner(event) else Work()
        elif event.kind in ENDS:
            self._count_work(event, self._open.pop(key, OpenNode(event.time)))
        elif key in self._open and isinstance(pages := event.data.get("fetched"), int):
            self._open[key].pages = pages

    def leave_work(self) -> None:
        """What was at work is not any more; what it took is booked, or lost with its process.

        A run that is resumed says so itself, but only once it is ready to work.
        """
        self._worked += self._work_open(self._last).seconds
        self._open.clear()
        self._owed = self._inner = Work()

    def _end_abandoned(self, event: Event) -> None:
        """A node that starts outside a graph is alone: others were abandoned, and are owed."""
        if not _is_inner(event):
            left = self._work_open(event.time)
            self._worked += left.seconds
            self._owed += left
            self._open.clear()

    def _count_work(self, event: Event, node: OpenNode) -> None:
        """Count what a node took until it is booked: with its checkpoint, or that of its graph."""
        work = node.work_until(event.time)
        self._worked += work.seconds
        if event.kind != "finished":
            self._owed += work
        elif _is_inner(event):
            self._inner += work
        else:
            self._owed = Work()

    def worked_at(self, moment: float) -> float:
        """The seconds of work up to a moment, by the events alone; of a fork, its own."""
        return self._worked + self._work_open(moment).seconds

    def read(self, booked: Work, *, running: bool) -> Work:
        """What is used now; `booked` is what the run has counted itself.

        That alone is told of a run that does not work, so that every reader is told the same.
        """
        if not running:
            self._read = booked
        else:
            now = booked + self._owed + self._inner + self._work_open(time.time())
            seconds, pages = max(self._read.seconds, now.seconds), max(self._read.pages, now.pages)
            self._read = Work(seconds, pages)
        return self._read

    def _work_open(self, moment: float) -> Work:
        """What the nodes at work have taken so far."""
        return sum((node.work_until(moment) for node in self._open.values()), Work())


def _is_inner(event: Event) -> bool:
    """Whether the node is one of a graph inside the graph."""
    return "/" in event.node
