"""The graph that the address names: a preset, a saved graph, or a draft."""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from forager.node_type import LoadedRegistry
from graphs.check.checker import Finding, find_faults
from graphs.spec.drafts import Draft, Drafts, open_drafts
from graphs.spec.edit import graph_at
from graphs.spec.library import Library, Version, open_library
from graphs.spec.plugins import load_registry
from graphs.spec.spec import PRESETS, GraphSpec, load_graph, preset_names
from ui.server.backend import get_backend
from ui.web.screens.graphs.editor_state import editor_state

Kind = Literal["preset", "saved", "draft"]


@dataclass(frozen=True)
class OpenGraph:
    """What the editor shows.

    `whole` is the graph, `spec` the graph inside it that is drawn; `path` leads to that.
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
        return graph_at(self.whole, self.path)

    @cached_property
    def types(self) -> LoadedRegistry:
        """The node types."""
        return load_registry(get_backend().settings)

    @cached_property
    def all_findings(self) -> tuple[Finding, ...]:
        """What the checker finds in the whole graph."""
        return find_faults(self.whole, self.types, self.earlier)

    @cached_property
    def earlier(self) -> tuple[GraphSpec, ...]:
        """The graph before its last change, and before all changes."""
        return graph_drafts().list_earlier(self.draft.id) if self.draft else ()

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """What it finds in the graph that is drawn; an inner graph is checked in its place."""
        seen = (each.seen_from(self.path) for each in self.all_findings)
        return tuple(each for each in seen if each)

    @property
    def has_errors(self) -> bool:
        """Are there errors, so that it cannot be run?"""
        unreadable = self.draft is not None and bool(self.draft.typed)
        return unreadable or any(each.severity == "error" for each in self.all_findings)

    @property
    def is_changed(self) -> bool:
        """Are there changes that are not saved?"""
        return self.draft is not None and self.draft.changed and not self.draft.restored

    @property
    def is_as_shipped(self) -> bool:
        """Is it a preset, or a copy of one in which every change was undone?"""
        return self.kind == "preset" or (self.draft is not None and self.draft.restored)

    @property
    def shown_name(self) -> str:
        """Its name; that of the preset where it is no different."""
        return self.origin if self.is_as_shipped and self.origin else self.name

    @property
    def revision(self) -> int:
        """The number of its changes."""
        return self.draft.revision if self.draft else 0

    @property
    def base(self) -> int | None:
        """The number of the version that it is based on."""
        return self.draft.base if self.draft else self.version.number if self.version else None

    @property
    def origin(self) -> str:
        """What it is a copy of, or empty."""
        return self.draft.origin if self.draft else self.version.origin if self.version else ""


def graph_library() -> Library:
    """The saved graphs."""
    return open_library(get_backend().settings)


def graph_drafts() -> Drafts:
    """The graphs that are being changed."""
    return open_drafts(get_backend().settings, graph_library())


def list_leaving() -> tuple[Draft, ...]:
    """The drafts that are again what their preset is, and that no session ran. Raises ForagerError.

    They are in no list, and go after a while, in which a tab may still redo what it has undone.
    """
    restored = [each for each in graph_drafts().list() if each.restored]
    if not restored:
        return ()
    found = get_backend().sessions.call(lambda sessions: sessions.listing.search())
    ran = {each.line.graph for each in found}
    return tuple(each for each in restored if each.name not in ran)


def find_open_graph(*, newest: bool = False) -> OpenGraph | None:
    """What the address names, or None. Raises ForagerError.

    A saved graph is the version that the page shows, even if there is a newer one, which is another
    graph for whoever changes what they see; with `newest` it is the newest one.
    """
    address = editor_state().address
    path = tuple(filter(None, address.get("inside").split("/")))
    if id := address.get("draft"):
        draft = graph_drafts().get(id)
        return OpenGraph("draft", draft.name, draft.spec, draft.text, draft=draft, path=path)
    name = address.get("graph")
    if not name:
        return None
    if name in preset_names():
        text = (PRESETS / f"{name}.yaml").read_text(encoding="utf-8")
        return OpenGraph("preset", name, load_graph(name), text, path=path)
    version = graph_library().get(name, None if newest else editor_state().drawn_version())
    return OpenGraph("saved", version.name, version.spec, version.text, version, path=path)
