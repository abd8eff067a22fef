"""What a tab remembers of the graph editor.

All of it are plain objects, which a callback changes without being cut off (`ui.web.tab_state`).
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, NamedTuple

import streamlit as st

from graphs.spec.drafts import TakenDraft
from graphs.spec.spec import GraphSpec
from ui.web.tab_state import tab_object

STALE_SECONDS: Final = 20.0
"""For so long a browser may still send the address as it was before a change."""
Name = Literal["graph", "draft", "inside"]
NAMES: Final[tuple[Name, ...]] = ("graph", "draft", "inside")


@dataclass
class EditorAddress:
    """The address of the editor, ahead of what the browser sends.

    A browser that sends something before it heard of a change of the address sends the old one with
    it. So a change is remembered in `ahead` until the browser sends it too.
    """

    sent: dict[str, str] = field(default_factory=dict)
    ahead: dict[str, str] = field(default_factory=dict)
    until: float = 0.0
    leaving: bool = False

    def get(self, name: Name) -> str:
        """A part of the address, or empty."""
        return self.ahead.get(name, self.sent.get(name, ""))

    def set(self, name: Name, value: str) -> None:
        """Change a part of the address of this graph."""
        self.ahead[name] = value
        self.until = time.monotonic() + STALE_SECONDS

    def go(self, graph: str = "", draft: str = "", inside: str = "") -> None:
        """Open a graph, or the list if none is named."""
        parts = {"graph": graph, "draft": draft, "inside": inside}
        self.sent = {name: value for name, value in parts.items() if value}
        self.ahead = {}
        self.leaving = True

    def receive(self, sent: Mapping[str, str]) -> None:
        """Take the address of the browser as a run of the script begins."""
        another = sent.get("graph", "") != self.sent.get("graph", "")
        known = all(sent.get(name, "") == value for name, value in self.ahead.items())
        if known or another or time.monotonic() > self.until:
            self.ahead = {}
        self.sent = dict(sent)

    def exchange(self) -> None:
        """Take the browser's address, and send it what it does not know."""
        if self.leaving:
            st.query_params.from_dict(self.sent)
            self.leaving = False
            return
        self.receive(st.query_params.to_dict())

    def announce(self) -> None:
        """Send the browser what is ahead of it."""
        for name, value in self.ahead.items():
            if value:
                st.query_params[name] = value
            else:
                st.query_params.pop(name, None)


class TableBase(NamedTuple):
    """The graph that a table's edits count from, and the revision that they have led to."""

    spec: GraphSpec
    seat: int
    revision: int
    number: int


class StaleSave(NamedTuple):
    """A save that was refused because version `newest` was saved in the meantime."""

    draft: str
    name: str
    note: str
    newest: int


class Mended(NamedTuple):
    """What *Mend all* did, and the revision that it led to."""

    labels: tuple[str, ...]
    revision: int


class Refused(NamedTuple):
    """What was typed into a field and not taken, why, and the parameter that it may become."""

    typed: str
    why: str
    parameter: str = ""


class Merge(NamedTuple):
    """A merge that was just made: the conflict, the draft's text and base before, and where it led.

    Undo brings the conflict back as long as the draft is at this revision.
    """

    stale: StaleSave
    text: str
    base: int
    revision: int


@dataclass
class EditorState:
    """What callbacks leave for the script.

    `seat` counts the graphs that were opened: fields and canvases of different seats are not mixed
    up. `version` is the saved version that is drawn where there is no draft, `kept_after` the
    newest one that was declined for going on with an older one. `fields` are the values that fields
    were drawn with, `refused` says by a field's place what was typed there and not taken.
    `against` is the version that is compared with; `note` the one that a save suggests;
    `unfit_name` a name that no graph can have, for which the nearest one was put in;
    `experiment` the result file of a trial, which is not looked for once the user `tries_others`;
    `runs` are the sessions that run drafts here, by the name of the graph; `side_hidden` says that
    the column beside the drawing is folded away; `taken` are the drafts that were deleted last, as
    long as that can be undone. `dialog_requested` is what the script is to open next; `menu_seat`
    counts the menus that were closed for it. `mended` is what *Mend all* did last.
    """

    address: EditorAddress = field(default_factory=EditorAddress)
    seat: int = 0
    seen: tuple[str, ...] = ()
    version: int = 0
    fault: str = ""
    refused: dict[str, Refused] = field(default_factory=dict)
    selected: tuple[str, ...] = ()
    fields: dict[str, Any] = field(default_factory=dict)
    tables: dict[str, TableBase] = field(default_factory=dict)
    against: str = ""
    note: str = ""
    unfit_name: str = ""
    stale: StaleSave | None = None
    kept_after: int = 0
    save_requested: bool = False
    dialog_requested: Callable[..., None] | None = None
    menu_seat: int = 0
    experiment: str = ""
    tries_others: bool = False
    runs: dict[str, str] = field(default_factory=dict)
    side_hidden: bool = False
    taken: tuple[TakenDraft, ...] = ()
    mended: Mended | None = None
    merge: Merge | None = None

    def opened(self) -> tuple[str, ...]:
        """What the address names."""
        return tuple(self.address.get(name) for name in NAMES)

    def take_seat(self, version: int) -> int:
        """The number of the seat: another one as soon as another graph or version is drawn."""
        if self.seen != self.opened():
            self.selected = ()
            self.kept_after = 0
        if (self.seen, self.version) != (self.opened(), version):
            self.keep_seat(version)
            self.seat += 1
        return self.seat

    def keep_seat(self, version: int = 0) -> None:
        """The address names the same graph in another way now."""
        self.seen = self.opened()
        self.version = version

    def drawn_version(self) -> int | None:
        """The saved version that the page shows, if the address still names its graph."""
        return self.version or None if self.seen == self.opened() else None

    def canvas_key(self) -> str:
        """The key of the canvas that was drawn, or empty if the address names another graph."""
        return f"graph-canvas-{self.seat}" if self.seen == self.opened() else ""


def editor_state() -> EditorState:
    """That of this tab."""
    return tab_object(EditorState)
