"""Where a run halts: at breakpoints, or after one step; it stays paused there."""

from collections.abc import Mapping
from typing import NamedTuple

from graphs.spec.spec import Breakpoint


class Halted(Exception):  # like GraphDrained: nothing went wrong
    """The run came to a place where it halts."""


class Halts(NamedTuple):
    """Paths of nodes, such as walk/act; with `step` the run also halts before every next node.

    LangGraph halts where all is saved and nothing of the next node has begun, and a run that goes
    on from there does not halt at the same place again.
    """

    before: frozenset[str] = frozenset()
    after: frozenset[str] = frozenset()
    step: bool = False

    def __bool__(self) -> bool:
        return bool(self.before or self.after or self.step)

    def stops_before(self, path: str, *, entered: bool) -> bool:
        """Whether the run halts before a node; a step goes on into a graph that is `entered`."""
        return path in self.before or (self.step and not entered)


NO_HALTS = Halts()


def read_breakpoints(breakpoints: Mapping[str, Breakpoint], *, step: bool = False) -> Halts:
    """The places of breakpoints, by the path of a node; with `step` also every next node."""
    return Halts(
        frozenset(at for at, on in breakpoints.items() if on != "after"),
        frozenset(at for at, on in breakpoints.items() if on != "before"),
        step,
    )
