"""Drafts of graphs: every change is a stored step that can be undone."""

import re
import secrets
from collections.abc import Collection
from contextlib import suppress

from forager.adapters.store.graphs.graph_drafts import (
    DraftRow,
    GraphDrafts,
    TakenDraft,
    damaged_draft,
)
from forager.domain.base import Frozen
from forager.errors import GraphError
from forager.settings import Settings
from forager.util.place import Place
from graphs.spec.library import Library, Version
from graphs.spec.spec import GraphSpec, load_graph, parse_graph, preset_names
from graphs.spec.yaml_writer import rewrite_graph

__all__ = ["Draft", "Drafts", "TakenDraft", "damaged_draft", "make_unused_name", "open_drafts"]

UNFIT_CHARACTERS = re.compile("[^A-Za-z0-9_-]+")
MAX_NAME = 60


class Draft(Frozen):
    """A graph that is being edited: its `text`, and the `spec` that the text describes.

    `base` is the version that it was made from, None for a new graph; `origin` is the graph that it
    is a copy of. `typed` is a text that cannot be parsed yet. `revision` counts all changes.
    `restored` says that an edit began it, and that it is its preset again, but for its name.
    """

    id: str
    name: str
    origin: str
    base: int | None
    text: str
    spec: GraphSpec
    typed: str
    revision: int
    changed: bool
    restored: bool
    undo: bool
    redo: bool
    time: float


class Drafts:
    """The drafts of a data folder; safe for threads and for several processes."""

    def __init__(self, place: Place, library: Library) -> None:
        self._rows = GraphDrafts(place)
        self._library = library

    def list(self) -> tuple[Draft, ...]:
        """The drafts with unsaved changes, the last changed first. Raises StoreError."""
        found: list[Draft] = []
        for row in self._rows.list():
            with suppress(GraphError):  # it names a deleted graph; its own page reports that
                found.append(self._read_row(row))
        return tuple(draft for draft in found if draft.changed)

    def list_damaged(self) -> tuple[str, ...]:
        """The ids of the drafts that cannot be read. Raises StoreError."""
        return self._rows.list_damaged()

    def get(self, id: str) -> Draft:
        """A draft. Raises NoGraphError and StoreError."""
        return self._read_row(self._rows.get(id))

    def list_earlier(self, id: str) -> tuple[GraphSpec, ...]:
        """The graph before the last change, and as it was when the draft was begun or saved.

        Raises NoGraphError and StoreError.
        """
        found: list[GraphSpec] = []
        for text in filter(None, (self._rows.step_before(id), self._rows.get(id).kept)):
            with suppress(GraphError):  # it names a graph that was deleted since
                found.append(parse_graph(text, "the graph", self._library.find))
        return tuple(found)

    def begin(
        self,
        name: str,
        text: str,
        base: int | None = None,
        origin: str = "",
        *,
        asked: bool = False,
    ) -> Draft:
        """Create a draft, which stays without a change, too, if it was `asked` for.

        Raises GraphError if the text cannot be parsed.
        """
        spec = parse_graph(text, "the graph", self._library.find)
        id = secrets.token_hex(6)
        if spec.name != name:
            renamed = spec.model_copy(update={"name": name})
            text = rewrite_graph(text, renamed, self._library.find)
        self._rows.begin(
            DraftRow(
                id=id,
                name=name,
                origin=origin,
                base=base or 0,
                kept=text,
                text=text,
                place=int(asked),
            )
        )
        return self.get(id)

    def apply_spec(self, id: str, spec: GraphSpec, base: int | None = None) -> bool:
        """Add a changed graph as a step; `base` is the revision that a canvas edited.

        False if the draft was changed in between. Raises NoGraphError and StoreError.
        """
        text = rewrite_graph(self._rows.get(id).text, spec, self._library.find)
        return self._rows.add_step(id, text, base)

    def apply_text(self, id: str, text: str) -> None:
        """Add a text as a step. If it cannot be parsed, it is stored aside; raises GraphError."""
        self._rows.keep_typed(id, text)
        parse_graph(text, "the graph", self._library.find)
        self._rows.add_step(id, text)

    def undo(self, id: str) -> None:
        """Undo the last step, if there is one. Raises NoGraphError and StoreError."""
        self._rows.move_step(id, -1)

    def redo(self, id: str) -> None:
        """Redo the step that was undone last. Raises NoGraphError and StoreError."""
        self._rows.move_step(id, 1)

    def save(
        self, id: str, name: str, note: str = "", base: int | None = None, author: str = ""
    ) -> Version:
        """Save a draft as the version after `base`. Raises GraphError, StaleError, StoreError."""
        row = self._rows.get(id)
        copied = f"{row.name}@{row.base}" if row.base else row.origin
        origin = copied if base is None else ""
        version = self._library.save(name, row.text, note, base, author, origin=origin)
        if version.text != row.text:
            self._rows.add_step(id, version.text)
        self._rows.set_base(id, version.name, version.number, version.text)
        return version

    def rebase(self, id: str, version: Version) -> None:
        """Make a version the base of a draft, without changing the draft. Raises NoGraphError."""
        self._rows.set_base(id, version.name, version.number, version.text)

    def merge(self, id: str, merged: GraphSpec, version: Version, revision: int) -> bool:
        """Make a draft the changes of both sides on top of a version.

        Undo leads back to the version, and no further: what came before is not on top of it.
        False if the draft was changed in between. Raises NoGraphError and StoreError.
        """
        text = rewrite_graph(version.text, merged, self._library.find)
        return self._rows.restart(id, revision, version.text, text, version.number)

    def unmerge(self, id: str, text: str, base: Version, revision: int) -> bool:
        """Take a merge back: the draft is again `text`, on top of `base`. As `merge`."""
        return self._rows.restart(id, revision, base.text, text, base.number)

    def delete(self, id: str) -> None:
        """Discard a draft. Raises StoreError."""
        self._rows.delete(id)

    def take(self, id: str) -> TakenDraft:
        """Discard a draft so that `put_back` can bring it back. Raises as `get` does."""
        return self._rows.take(id)

    def put_back(self, taken: TakenDraft) -> None:
        """Bring back a draft with all its steps. Raises StoreError."""
        self._rows.put_back(taken)

    def unused_name(self, name: str, leaving: Collection[str] = ()) -> str:
        """A name based on `name` that no graph and no draft has. Raises StoreError.

        The drafts with the ids `leaving` keep no name from being used.
        """
        rows = (row for row in self._rows.list() if row.id not in leaving)
        taken = {*self._library.list_names(), *(row.name for row in rows)}
        return make_unused_name(name, taken)

    def _read_row(self, row: DraftRow) -> Draft:
        spec = parse_graph(row.text, "the graph", self._library.find)
        return Draft(
            **row.model_dump(include={"id", "name", "origin", "text", "typed", "revision", "time"}),
            base=row.base or None,
            spec=spec,
            changed=not row.base or row.text != row.kept or bool(row.typed),
            restored=_is_restored(row, spec),
            undo=row.place > row.first,
            redo=row.place < row.last,
        )


def _is_restored(row: DraftRow, spec: GraphSpec) -> bool:
    if row.first or row.base or row.typed or not row.revision or row.origin not in preset_names():
        return False
    return spec.model_copy(update={"name": row.origin}) == load_graph(row.origin)


def make_unused_name(name: str, taken: Collection[str]) -> str:
    """The name without invalid characters, numbered if it is taken."""
    valid = UNFIT_CHARACTERS.sub("-", name).strip("-_")[:MAX_NAME] or "my-graph"
    used = {each.casefold() for each in taken}
    names = (valid, *(f"{valid}-{number}" for number in range(2, len(used) + 3)))
    return next(each for each in names if each.casefold() not in used)


def open_drafts(settings: Settings, library: Library) -> Drafts:
    """The drafts in the settings' data folder."""
    return Drafts(settings.place("drafts"), library)
