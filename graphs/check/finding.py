"""A finding of the checker."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from forager.domain.base import Frozen
from graphs.spec.edit import Fix, relative_place

MOST_NAMED = 12
"""The number of other places that a finding names in its text."""


class Finding(Frozen):
    """A fault: `at` is the node's name, the edge as written, or empty for the whole graph.

    `fix` is an edit that removes the fault, if there is a sensible one. If there are several, the
    others are its `alternatives`; one that is not `sure` is a guess, too. `also` are the places of
    other faults that have the same cause, and go with the same fix.
    """

    severity: Literal["error", "warning"] = "error"
    at: str
    message: str
    mend: str = ""
    fix: Fix | None = None
    alternatives: tuple[Fix, ...] = ()
    sure: bool = True
    also: tuple[str, ...] = ()

    def __str__(self) -> str:
        parts = (f"{self.at or 'graph'}:", self.message, self.mend, self.others)
        return " ".join(filter(None, parts))

    @property
    def fixes(self) -> tuple[Fix, ...]:
        """All its fixes, the most sensible first."""
        return (self.fix, *self.alternatives) if self.fix else ()

    @property
    def clear_fix(self) -> Fix | None:
        """The fix, if it is no guess and removes nothing."""
        clear = self.sure and not self.alternatives
        return self.fix if clear and self.fix and not (self.fix.remove or self.fix.drop) else None

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
        fixes = [fix.nested_in(node) for fix in self.fixes]
        return self._with_fixes(fixes).model_copy(update={"at": at, "also": also})

    def seen_from(self, path: tuple[str, ...]) -> "Finding | None":
        """The same finding, seen from the inner graph at `path`; None if it is outside of it."""
        at = relative_place(path, self.at)
        if at is None:
            return None
        fixes = [
            fix.model_copy(update={"inside": fix.inside[len(path) :]})
            for fix in self.fixes
            if fix.inside[: len(path)] == path
        ]
        places = (relative_place(path, place) for place in self.also)
        also = tuple(place for place in places if place is not None)
        return self._with_fixes(fixes).model_copy(update={"at": at, "also": also})

    def _with_fixes(self, fixes: Sequence[Fix]) -> "Finding":
        first = fixes[0] if fixes else None
        return self.model_copy(update={"fix": first, "alternatives": tuple(fixes[1:])})


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
        others = tuple(fix for fix in first.alternatives if fix != first.fix)
        also = tuple(at for at in places if at != first.at)
        yield first.model_copy(update={"also": also, "alternatives": others})


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
