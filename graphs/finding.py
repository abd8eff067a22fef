"""What the checker has to say."""

from typing import Literal

from forager.frozen import Frozen


class Finding(Frozen):
    """A fault: `at` is the node's name, the edge as written, or empty for the whole graph."""

    severity: Literal["error", "warning"] = "error"
    at: str
    message: str
    mend: str = ""

    def __str__(self) -> str:
        return f"{self.at or 'graph'}: {self.message} {self.mend}".strip()

    def inside(self, node: str) -> "Finding":
        """The same, told from the graph around it."""
        return self.model_copy(update={"at": f"{node}/{self.at}" if self.at else node})
