"""The canvas: a graph drawn, and changed by mouse and keyboard.

How both sides keep in step: every change of the graph has a revision. The canvas counts one up with
each edit it sends, and takes a document from Python only when its revision is above the one that
it has reached. So whoever holds the document

- takes an edit whose `base` is at least its revision, and counts itself at `edit.revision` then;
- passes over an edit that comes twice, or after a newer one of the same canvas: runs of the script
  overtake each other;
- refuses one with a smaller `base`, and counts itself above `edit.revision`, so that the canvas
  shows what holds;
- counts one up with each change of its own: undo, redo, a form, a fix, a restored version.

`Document` does this. What the canvas says comes in order, and each thing once: `hearing`.
"""

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from forager.node_type import Registry
from graphs.check.checker import Finding
from graphs.spec.registry import REGISTRY
from graphs.spec.spec import GraphSpec
from ui.canvas.document import Document
from ui.canvas.edit import Edit, read_edit, told
from ui.canvas.hearing import ear_of, listen
from ui.canvas.mounting import code, drawn

__all__ = ["Document", "Edit", "canvas", "listen"]

Told = Callable[[], None]
Names = Callable[[tuple[str, ...]], None]


def canvas(  # noqa: PLR0913  # each is one thing that the canvas shows or tells
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
    on_selected: Names | None = None,
    on_fix: Callable[[str, str], None] | None = None,
    on_open: Callable[[str], None] | None = None,
    on_fold: Names | None = None,
    on_unfold: Callable[[str], None] | None = None,
    on_undo: Told | None = None,
    on_redo: Told | None = None,
    on_save: Told | None = None,
) -> None:
    """Mount the canvas.

    `diff` gives `+`, `-` or `~` by the name of a node or an edge as written. `selected` are names
    of nodes, or edges as written. `on_fix` gets the place of a finding and the label of its fix;
    `on_open` the name of a node of type graph. They are called by `listen`, and may ask for no run
    of the script: one is on its way. `height` is in pixels.
    """
    ear = ear_of(key)
    ear.hearers = {
        "edit": on_edit and (lambda value: on_edit(read_edit(value))),
        "selected": on_selected and (lambda value: on_selected(tuple(map(str, value)))),
        "fix": on_fix and (lambda value: on_fix(str(value["at"]), str(value["label"]))),
        "open": on_open and (lambda value: on_open(str(value))),
        "fold": on_fold and (lambda value: on_fold(tuple(map(str, value)))),
        "unfold": on_unfold and (lambda value: on_unfold(str(value))),
        "undo": on_undo and (lambda _: on_undo()),
        "redo": on_redo and (lambda _: on_redo()),
        "save": on_save and (lambda _: on_save()),
    }
    data = {
        **told(spec, revision, registry, findings),
        "readonly": readonly,
        "diff": dict(diff) if diff else None,
        "selected": list(selected),
        "watch": None,
        "height": height,
        "heard": ear.told(),
    }
    with st.container(key=f"canvas-of-{key}", gap=None):
        code()(key=f"{key}-code")
        drawn()(key=key, data=data, on_said_change=lambda: None)
