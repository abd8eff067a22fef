"""What the checker has to say."""

from typing import Literal

from forager.frozen import Frozen
from graphs.mending import Fix


class Finding(Frozen):
    """A fault: `at` is the node's name, the edge as written, or empty for the whole graph.

    `fix` is an edit after which it is found no more, where there is a sensible one.
    """

    severity: Literal["error", "warning"] = "error"
    at: str
    message: str
    mend: str = ""
    fix: Fix | None = None

    def __str__(self) -> str:
        return f"{self.at or 'graph'}: {self.message} {self.mend}".strip()

    def inside(self, node: str) -> "Finding":
        """The same, told from the graph around it."""
        at = f"{node}/{self.at}" if self.at else node
        return self.model_copy(update={"at": at, "fix": self.fix and self.fix.within(node)})

    def seen_from(self, path: tuple[str, ...]) -> "Finding":
        """The same, told within the graph that the path leads to."""
        fix = self.fix if self.fix and self.fix.inside[: len(path)] == path else None
        within = fix and fix.model_copy(update={"inside": fix.inside[len(path) :]})
        at = self.at.removeprefix("".join(f"{name}/" for name in path))
        return self.model_copy(update={"at": at, "fix": within})
