"""A finding of the checker."""

from collections.abc import Iterable, Iterator
from typing import Literal

from forager.domain.base import Frozen
from graphs.spec.edit import Fix, relative_place

MOST_NAMED = 12
"""The number of other places that a finding names in its text."""


class Finding(Frozen):
    """A fault: `at` is the node's name, the edge as written, or empty for the whole graph.

    `fix` is an edit that removes the fault, if there is a sensible one. `also` are the places of
    other faults that have the same cause, and go with the same fix.
    """

    severity: Literal["error", "warning"] = "error"
    at: str
    message: str
    mend: str = ""
    fix: Fix | None = None
    also: tuple[str, ...] = ()

    def __str__(self) -> str:
        parts = (f"{self.at or 'graph'}:", self.message, self.mend, self.others)
        return " ".join(filter(None, parts))

    @property
    def others(self) -> str:
        """A sentence that names the other places; empty if there are none."""
        if not self.also:
            return ""
        more = len(self.also) - MOST_NAMED
        rest = f" and {more} more" if more > 0 else ""
        return f"The same cause: {', '.join(self.also[:MOST_NAMED])}{rest}."

    def nested_in(self, node: str) -> "Finding":
        """The same finding, seen from the graph around it."""
        at = f"{node}/{self.at}" if self.at else node
        also = tuple(f"{node}/{place}" for place in self.also)
        fix = self.fix and self.fix.nested_in(node)
        return self.model_copy(update={"at": at, "fix": fix, "also": also})

    def seen_from(self, path: tuple[str, ...]) -> "Finding | None":
        """The same finding, seen from the inner graph at `path`; None if it is outside of it."""
        at = relative_place(path, self.at)
        if at is None:
            return None
        fix = self.fix if self.fix and self.fix.inside[: len(path)] == path else None
        within = fix and fix.model_copy(update={"inside": fix.inside[len(path) :]})
        places = (relative_place(path, place) for place in self.also)
        also = tuple(place for place in places if place is not None)
        return self.model_copy(update={"at": at, "fix": within, "also": also})


def group_by_fix(findings: Iterable[Finding]) -> Iterator[Finding]:
    """One finding for all that have the same fix: that of an edge it changes, or the first."""
    groups: dict[str, list[Finding]] = {}
    for number, finding in enumerate(findings):
        cause = finding.fix.model_dump_json() if finding.fix else str(number)
        groups.setdefault(cause, []).append(finding)
    for group in groups.values():
        cut = {str(edge) for edge in (group[0].fix.cut if group[0].fix else ())}
        first = next((each for each in group if each.at in cut), group[0])
        places = dict.fromkeys(each.at for each in group)
        yield first.model_copy(update={"also": tuple(at for at in places if at != first.at)})
