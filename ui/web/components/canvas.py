"""The canvas: a graph drawn, and changed by mouse and keyboard.

How both sides keep in step: every change of the graph has a revision. The canvas counts one up with
each edit it sends, and takes a document from Python only if its revision is above the one it has
reached. So whoever holds the document

- takes an edit whose `base` is at least its revision, and sets its revision to `edit.revision`;
- ignores an edit that comes twice, or after a newer one of the same canvas: runs of the script
  overtake each other;
- refuses an edit with a smaller `base`, and raises its revision above `edit.revision`, so that the
  canvas shows the document as it is;
- counts one up with each change of its own: undo, redo, a form, a fix, a restored version.

`CanvasDocument` does this. `canvas_inbox` receives what the canvas sends.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from forager.node_type import Registry
from graphs.check.checker import Finding
from graphs.spec.registry import REGISTRY
from graphs.spec.spec import GraphSpec
from ui.web.components.canvas_edit import Edit, describe_graph, read_edit
from ui.web.components.canvas_inbox import inbox_of
from ui.web.components.component import mount_canvas, page_token

Action = Callable[[], None]
NamesAction = Callable[[tuple[str, ...]], None]


class DraftRun(NamedTuple):
    """A session that runs the graph; `path` leads to the drawn one, inside `whole` if it is set."""

    session: str
    path: tuple[str, ...] = ()
    whole: GraphSpec | None = None

    def describe(self) -> dict[str, Any]:
        """The run, as the canvas reads it."""
        whole = self.whole and self.whole.model_dump(mode="json")
        within = "/".join(self.path)
        return {"session": self.session, "token": page_token(), "within": within, "whole": whole}


def canvas(  # noqa: PLR0913  # each is one thing that the canvas shows or sends
    spec: GraphSpec,
    revision: int,
    key: str,
    *,
    registry: Registry = REGISTRY,
    findings: Sequence[Finding] = (),
    readonly: bool = False,
    diff: Mapping[str, str] | None = None,
    selected: Sequence[str] = (),
    height: int = 640,
    on_edit: Callable[[Edit], object] | None = None,
    on_selected: NamesAction | None = None,
    on_fix: Callable[[str, str], None] | None = None,
    on_open: Callable[[str], None] | None = None,
    on_fold: NamesAction | None = None,
    on_unfold: Callable[[str], None] | None = None,
    on_undo: Action | None = None,
    on_redo: Action | None = None,
    on_save: Action | None = None,
    run: DraftRun | None = None,
    on_again: Callable[[Mapping[str, object]], None] | None = None,
) -> None:
    """Mount the canvas.

    `diff` gives `+`, `-` or `~` by the name of a node or an edge as written. `selected` are names
    of nodes, or edges as written. `on_fix` gets the place of a finding and the label of its fix;
    `on_open` the name of a node of type graph. `receive_messages` calls them; they may use nothing
    of Streamlit. `height` is in pixels. `run` is shown on the graph; `on_again` gets the
    node and the step from which it is to run again.
    """
    inbox = inbox_of(key)
    inbox.handlers = {
        "edit": on_edit and (lambda value: on_edit(read_edit(value))),
        "selected": on_selected and (lambda value: on_selected(tuple(map(str, value)))),
        "fix": on_fix and (lambda value: on_fix(str(value["at"]), str(value["label"]))),
        "open": on_open and (lambda value: on_open(str(value))),
        "fold": on_fold and (lambda value: on_fold(tuple(map(str, value)))),
        "unfold": on_unfold and (lambda value: on_unfold(str(value))),
        "undo": on_undo and (lambda _: on_undo()),
        "redo": on_redo and (lambda _: on_redo()),
        "save": on_save and (lambda _: on_save()),
        "again": on_again and (lambda value: on_again(dict(value))),
    }
    mount_canvas(
        key,
        **describe_graph(spec, revision, registry, findings),
        readonly=readonly,
        diff=dict(diff) if diff else None,
        selected=list(selected),
        watch=None,
        run=run and run.describe(),
        height=height,
        acknowledged=inbox.acknowledge(),
        on_outbox_change=lambda: None,
    )
