"""The graph that the address names, and how it is changed; the first change begins a draft."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

import streamlit as st

from forager.errors import ForagerError, GraphError
from forager.node_type import Types
from graphs.check.checker import Finding, check
from graphs.spec.drafts import Draft, Drafts, open_drafts
from graphs.spec.edit import at, within
from graphs.spec.library import Library, Version, open_library
from graphs.spec.plugins import registry
from graphs.spec.spec import PRESETS, GraphSpec, load, presets
from ui.canvas import Edit, listen
from ui.parts.unbroken import unbroken
from ui.screens.graphs import address
from ui.screens.graphs.address import arrive, part, put
from ui.server.backend import get_backend as here

FAULT: Final = "graph-fault"
CHOSEN: Final = "graph-chosen"
MEMORY: Final = "graph-memory"
Kind = Literal["preset", "saved", "draft"]


@dataclass
class Memory:
    """What a tab remembers from run to run; changed in one go, as a script may be cut off."""

    seen: tuple[str, str, str] = ("", "", "")
    seat: int = 0


@dataclass(frozen=True)
class Opened:
    """What the page shows: a preset, a saved graph, or a draft.

    `whole` is the graph, `spec` the one in it that is open; `path` leads from the one to the other.
    """

    kind: Kind
    name: str
    whole: GraphSpec
    text: str
    version: Version | None = None
    draft: Draft | None = None
    path: tuple[str, ...] = ()

    @cached_property
    def spec(self) -> GraphSpec:
        """The graph that is drawn. Raises GraphError."""
        return at(self.whole, self.path)

    @cached_property
    def types(self) -> Types:
        """The node types that there are."""
        return registry(here().settings)

    @cached_property
    def all_findings(self) -> tuple[Finding, ...]:
        """What the checker says of the whole graph."""
        return check(self.whole, self.types)

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """What it says of the graph that is drawn; one inside is judged where it stands."""
        seen = (each.seen_from(self.path) for each in self.all_findings)
        return tuple(each for each in seen if each)

    @property
    def faulty(self) -> bool:
        """Are there errors, which keep it from being run?"""
        typed = self.draft is not None and bool(self.draft.typed)
        return typed or any(each.severity == "error" for each in self.all_findings)

    @property
    def changed(self) -> bool:
        """Does it hold what is not saved?"""
        return self.draft is not None and self.draft.changed

    @property
    def revision(self) -> int:
        """Counts its changes."""
        return self.draft.revision if self.draft else 0

    @property
    def base(self) -> int | None:
        """The number of the version that it stands on."""
        return self.draft.base if self.draft else self.version.number if self.version else None

    @property
    def origin(self) -> str:
        """What it is a copy of, or empty."""
        return self.draft.origin if self.draft else self.version.origin if self.version else ""


def library() -> Library:
    """The saved graphs."""
    return open_library(here().settings)


def drafts() -> Drafts:
    """The graphs that are being changed."""
    return open_drafts(here().settings, library())


def opened() -> Opened | None:
    """What the address names; None where it names nothing. Raises ForagerError."""
    path = tuple(filter(None, part("inside").split("/")))
    if id := part("draft"):
        draft = drafts().get(id)
        return Opened("draft", draft.name, draft.spec, draft.text, draft=draft, path=path)
    name = part("graph")
    if not name:
        return None
    if name in presets():
        text = (PRESETS / f"{name}.yaml").read_text(encoding="utf-8")
        return Opened("preset", name, load(name), text, path=path)
    version = library().get(name)
    return Opened("saved", version.name, version.spec, version.text, version, path=path)


def seat() -> int:
    """A number for what is drawn: another one as soon as the address names another graph."""
    memory, seen = _memory(), _seen()
    if memory.seen != seen:
        st.session_state.pop(CHOSEN, None)
        memory.seen = seen
        memory.seat += 1
    return memory.seat


def canvas_key(seat: int) -> str:
    """What the canvas of a seat is known by."""
    return f"graph-canvas-{seat}"


def keep_seat() -> None:
    """The address names the same graph otherwise now."""
    _memory().seen = _seen()


def _seen() -> tuple[str, str, str]:
    return part("graph"), part("draft"), part("inside")


def _memory() -> Memory:
    memory: Memory = st.session_state.setdefault(MEMORY, Memory())
    return memory


def chosen(spec: GraphSpec) -> tuple[str, ...]:
    """The nodes and edges that are selected."""
    known = {*spec.nodes, *map(str, spec.edges)}
    return tuple(name for name in st.session_state.get(CHOSEN, ()) if name in known)


@unbroken()
def choose(names: tuple[str, ...]) -> None:
    """Select these."""
    st.session_state[CHOSEN] = names


@unbroken()
def go(graph: str = "", draft: str = "") -> None:
    """Open a graph, or the list where none is named."""
    st.session_state.pop(FAULT, None)
    address.go(graph, draft)


def held() -> str:
    """The id of the draft that is open; begins one where there is none. Raises ForagerError."""
    now = opened()
    if now is None:
        return ""
    if now.draft:
        return now.draft.id
    if now.kind == "preset":
        name = drafts().free(f"my-{now.name}")
        draft = drafts().begin(name, now.text, origin=now.name)
    else:
        draft = drafts().begin(now.name, now.text, now.base, now.origin)
    put("draft", draft.id)
    keep_seat()
    return draft.id


def change(how: Callable[[GraphSpec], GraphSpec]) -> bool:
    """Change the graph that is drawn; what cannot be is said on the page, and False."""
    with said() as faults:
        now = opened()
        if now and (then := how(now.spec)) != now.spec:
            drafts().take(held(), within(now.whole, now.path, then))
    return not faults


def take(edit: Edit) -> None:
    """Take an edit of the canvas."""
    with said():
        id, now = held(), opened()
        if now:
            drawn = edit.spec.model_copy(update={"name": now.spec.name})
            if not drafts().take(id, within(now.whole, now.path, drawn), edit.base):
                raise GraphError(
                    "Your last change was not taken: the draft was changed elsewhere meanwhile.",
                    "The canvas shows how it stands now. Make your change again.",
                )


def hear() -> None:
    """Take what the canvas said since it was drawn; as a run of the script begins."""
    arrive()
    if key := _canvas_now():
        listen(key)


def _canvas_now() -> str:
    """The key of the canvas, unless the address names another graph than it shows."""
    memory = _memory()
    return canvas_key(memory.seat) if memory.seen == _seen() else ""


def undo() -> None:
    """Go one step back, where a draft has one."""
    with said():
        now = opened()
        if now and now.draft:
            drafts().undo(now.draft.id)


def redo() -> None:
    """Take back the last step back, where a draft has one."""
    with said():
        now = opened()
        if now and now.draft:
            drafts().redo(now.draft.id)


@contextmanager
def said() -> Iterator[list[str]]:
    """What the canvas said is taken first; what goes wrong is kept, so that the page can say it."""
    faults: list[str] = []
    with unbroken():
        st.session_state.pop(FAULT, None)
        if key := _canvas_now():
            listen(key)
        try:
            yield faults
        except ForagerError as error:
            faults.append(str(error))
            st.session_state[FAULT] = str(error)


@unbroken()
def enter(name: str) -> None:
    """Open the graph inside a node."""
    put("inside", f"{part('inside')}/{name}".strip("/"))


@unbroken()
def leave() -> None:
    """Back to the graph around it."""
    put("inside", part("inside").rpartition("/")[0])
