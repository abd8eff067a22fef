"""A finding of the checker."""

from typing import Literal

from forager.domain.base import Frozen
from graphs.spec.edit import Fix, relative_place


class Finding(Frozen):
    """A fault: `at` is the node's name, the edge as written, or empty for the whole graph.

    `fix` is an edit that removes the fault, if there is a sensible one.
    """

    severity: Literal["error", "warning"] = "error"
    at: str
    message: str
    mend: str = ""
    fix: Fix | None = None

    def __str__(self) -> str:
        return f"{self.at or 'graph'}: {self.message} {self.mend}".strip()

    def nested_in(self, node: str) -> "Finding":
        """The same finding, seen from the graph around it."""
        at = f"{node}/{self.at}" if self.at else node
        return self.model_copy(update={"at": at, "fix": self.fix and self.fix.nested_in(node)})

    def seen_from(self, path: tuple[str, ...]) -> "Finding | None":
        """The same finding, seen from the inner graph at `path`; None if it is outside of it."""
        at = relative_place(path, self.at)
        if at is None:
            return None
        fix = self.fix if self.fix and self.fix.inside[: len(path)] == path else None
        within = fix and fix.model_copy(update={"inside": fix.inside[len(path) :]})
        return self.model_copy(update={"at": at, "fix": within})
