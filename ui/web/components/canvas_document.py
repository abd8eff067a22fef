"""The graph that a canvas shows, its revision, and what can be undone."""

from dataclasses import dataclass, field

from graphs.spec.spec import GraphSpec
from ui.web.components.canvas_edit import Edit

MOST = 200
"""How many steps can be undone."""


@dataclass
class CanvasDocument:
    """Takes edits of the canvas and changes from elsewhere; the one place where both meet."""

    spec: GraphSpec
    revision: int = 0
    past: list[GraphSpec] = field(default_factory=list)
    future: list[GraphSpec] = field(default_factory=list)
    last: Edit | None = None

    def take_edit(self, edit: Edit) -> bool:
        """Take an edit of the canvas; False if the graph was changed elsewhere meanwhile.

        Runs of the script overtake each other: an edit that comes twice, or after a newer one of
        the same canvas, adds nothing.
        """
        last = self.last
        if last and last.canvas == edit.canvas and last.number >= edit.number:
            return True
        self.last = edit
        if edit.base < self.revision:
            self.revision = max(self.revision, edit.revision) + 1
            return False
        self._replace_spec(edit.spec)
        self.revision = edit.revision
        return True

    def change(self, spec: GraphSpec) -> None:
        """Change the graph from elsewhere than the canvas."""
        if spec != self.spec:
            self._replace_spec(spec)
            self.revision += 1

    def undo(self) -> None:
        """Undo the last change, if there is one."""
        self._step(self.past, self.future)

    def redo(self) -> None:
        """Redo the last change that was undone."""
        self._step(self.future, self.past)

    def _replace_spec(self, spec: GraphSpec) -> None:
        self.past = [*self.past, self.spec][-MOST:]
        self.future = []
        self.spec = spec

    def _step(self, taken: list[GraphSpec], given: list[GraphSpec]) -> None:
        if taken:
            given.append(self.spec)
            self.spec = taken.pop()
            self.revision += 1
