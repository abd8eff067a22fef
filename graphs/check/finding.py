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
    """One finding for all that have the same fix: that of an edge it changes, or the first.

    A fix that does more than another one, with the same new nodes, counts for both.
    """
    listed = list(findings)
    fixes = [each.fix for each in listed if each.fix]
    groups: dict[str, list[Finding]] = {}
    for number, finding in enumerate(listed):
        fix = _widest_fix(finding.fix, fixes) if finding.fix else None
        cause = fix.model_dump_json() if fix else f"{number}"
        groups.setdefault(cause, []).append(finding.model_copy(update={"fix": fix}))
    for group in groups.values():
        cut = {str(edge) for edge in (group[0].fix.cut if group[0].fix else ())}
        found = [each for each in group if each.severity == "error"] or group
        first = next((each for each in found if each.at in cut), found[0])
        places = dict.fromkeys(each.at for each in group)
        yield first.model_copy(update={"also": tuple(at for at in places if at != first.at)})


def _widest_fix(fix: Fix, fixes: Iterable[Fix]) -> Fix:
    wider = (each for each in fixes if _includes(each, fix))
    return max(wider, key=lambda each: len(each.cut), default=fix)


def _includes(large: Fix, small: Fix) -> bool:
    """Whether a fix that adds nodes does all that another one does, and changes more edges."""
    edges = {"cut", "draw"}
    return (
        bool(small.put)
        and large.model_dump(exclude=edges) == small.model_dump(exclude=edges)
        and set(small.cut) < set(large.cut)
        and set(small.draw) <= set(large.draw)
    )
