"""The clock of a run: its seconds of work, read from what was booked and from its events."""

import time
from dataclasses import dataclass, field

from graphs.sessions.service import Event

ENDS = frozenset({"finished", "failed", "asked"})
"""The kinds of events with which the work of a node ends."""


@dataclass
class RunClock:
    """Takes the events of a turn, in order. The time in which a run waits or is paused is no work.

    What it reads while a run works never runs backwards, unless the run itself goes back to a
    checkpoint. It needs at least the events of what is booked: a node that is booked and has not
    ended by the events would count twice. `taken_over` are the seconds that a fork began with.
    """

    taken_over: float = 0.0
    _since: dict[tuple[str, str], float] = field(default_factory=dict)
    _worked: float = 0.0
    _owed: float = 0.0
    _inner: float = 0.0
    _read: float = 0.0
    _last: float = 0.0

    def take_event(self, event: Event) -> None:
        """Take the event that follows those taken before."""
        if event.kind in {"resumed", "rewound"}:
            self._worked += self._seconds_open(self._last)
            self._forget_work()
            self._read = self._read if event.kind == "resumed" else 0.0
        elif event.kind == "forked":
            self.taken_over += self._worked
            self._worked = self._read = 0.0
            self._forget_work()
        self._last = event.time
        if not event.node:
            return
        key = event.node, str(event.data.get("branch", ""))
        if event.kind == "started":
            self._end_abandoned(event)
            self._since[key] = event.time
            self._inner = self._inner if _is_inner(event) else 0.0
        elif event.kind in ENDS:
            self._count_work(event, event.time - self._since.pop(key, event.time))

    def _forget_work(self) -> None:
        """What was at work is not any more; what it took is booked, or lost with its process."""
        self._since.clear()
        self._owed = self._inner = 0.0

    def _end_abandoned(self, event: Event) -> None:
        """A node that starts outside a graph is alone: others were abandoned, and are owed."""
        if not _is_inner(event):
            left = self._seconds_open(event.time)
            self._worked += left
            self._owed += left
            self._since.clear()

    def _count_work(self, event: Event, seconds: float) -> None:
        """Count what a node took until it is booked: with its checkpoint, or that of its graph."""
        self._worked += seconds
        if event.kind != "finished":
            self._owed += seconds
        elif _is_inner(event):
            self._inner += seconds
        else:
            self._owed = 0.0

    def worked_at(self, moment: float) -> float:
        """The seconds of work up to a moment, by the events alone; of a fork, its own."""
        return self._worked + self._seconds_open(moment)

    def read(self, booked: float, *, running: bool) -> float:
        """The seconds of work now; `booked` are those that the run has counted itself.

        Those alone are told of a run that does not work, so that every reader is told the same.
        """
        if not running:
            self._read = booked
        else:
            ahead = self._owed + self._inner + self._seconds_open(time.time())
            self._read = max(self._read, booked + ahead)
        return self._read

    def _seconds_open(self, moment: float) -> float:
        """What the nodes at work have taken so far."""
        return sum(max(0.0, moment - since) for since in self._since.values())


def _is_inner(event: Event) -> bool:
    """Whether the node is one of a graph inside the graph."""
    return "/" in event.node
