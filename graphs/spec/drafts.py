"""Graphs that are being changed: each change is a step that can be undone, and none is lost."""

import re
import secrets
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from forager.adapters.store.graphs.graph_drafts import DraftRow, GraphDrafts
from forager.domain.base import Frozen
from forager.errors import GraphError
from forager.settings import Settings
from graphs.spec.library import Library, Version
from graphs.spec.spec import GraphSpec, parse_graph
from graphs.spec.yaml_writer import rewrite_graph

FILE = "drafts.sqlite"
UNFIT_CHARACTERS = re.compile("[^A-Za-z0-9_-]+")
MAX_NAME = 60


class Draft(Frozen):
    """A graph on its way to a version: `text` as it is written, `spec` what it says.

    `base` is the version that it was made from, or None for a new graph; `origin` the graph that it
    is a copy of. `typed` is a text that cannot be read yet. `revision` counts all changes.
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
    undo: bool
    redo: bool
    time: float


class Drafts:
    """The drafts of a data folder; safe for threads and for several processes."""

    def __init__(self, path: Path, library: Library) -> None:
        self._rows = GraphDrafts(path)
        self._library = library

    def list(self) -> tuple[Draft, ...]:
        """Those that hold what is not saved, that changed last first. Raises StoreError."""
        found: list[Draft] = []
        for row in self._rows.list():
            with suppress(GraphError):  # a graph that it names was deleted; its page says so
                found.append(self._read_row(row))
        return tuple(draft for draft in found if draft.changed)

    def get(self, id: str) -> Draft:
        """A draft. Raises NoGraphError and StoreError."""
        return self._read_row(self._rows.get(id))

    def begin(self, name: str, text: str, base: int | None = None, origin: str = "") -> Draft:
        """A new draft. Raises GraphError for a text that cannot be read."""
        spec = parse_graph(text, "the graph", self._library.find)
        id = secrets.token_hex(6)
        if spec.name != name:
            named = spec.model_copy(update={"name": name})
            text = rewrite_graph(text, named, self._library.find)
        self._rows.begin(
            DraftRow(id=id, name=name, origin=origin, base=base or 0, kept=text, text=text)
        )
        return self.get(id)

    def apply_spec(self, id: str, spec: GraphSpec, base: int | None = None) -> bool:
        """Bring a draft to a changed graph; `base` is the revision that a canvas changed.

        False where the draft was changed meanwhile. Raises NoGraphError and StoreError.
        """
        text = rewrite_graph(self._rows.get(id).text, spec, self._library.find)
        return self._rows.add_step(id, text, base)

    def apply_text(self, id: str, text: str) -> None:
        """Bring a draft to a text; one that cannot be read is kept aside. Raises GraphError."""
        self._rows.keep_typed(id, text)
        parse_graph(text, "the graph", self._library.find)
        self._rows.add_step(id, text)

    def undo(self, id: str) -> None:
        """Go one step back, where there is one. Raises NoGraphError and StoreError."""
        self._rows.move_step(id, -1)

    def redo(self, id: str) -> None:
        """Take back the last step back. Raises NoGraphError and StoreError."""
        self._rows.move_step(id, 1)

    def save(
        self, id: str, name: str, note: str = "", base: int | None = None, author: str = ""
    ) -> Version:
        """Keep a draft as the version after `base`. Raises GraphError, StaleError, StoreError."""
        row = self._rows.get(id)
        version = self._library.save(name, row.text, note, base, author)
        if version.text != row.text:
            self._rows.add_step(id, version.text)
        self._rows.set_base(id, version.name, version.number, version.text)
        return version

    def rebase(self, id: str, version: Version) -> None:
        """Let a draft stand on this version; what it holds stays. Raises NoGraphError."""
        self._rows.set_base(id, version.name, version.number, version.text)

    def delete(self, id: str) -> None:
        """Throw a draft away. Raises StoreError."""
        self._rows.delete(id)

    def unused_name(self, name: str) -> str:
        """A name like this one that no graph and no draft has. Raises StoreError."""
        taken = {*self._library.list_names(), *(row.name for row in self._rows.list())}
        return make_unused_name(name, taken)

    def _read_row(self, row: DraftRow) -> Draft:
        spec = parse_graph(row.text, "the graph", self._library.find)
        return Draft(
            **row.model_dump(include={"id", "name", "origin", "text", "typed", "revision", "time"}),
            base=row.base or None,
            spec=spec,
            changed=not row.base or row.text != row.kept or bool(row.typed),
            undo=row.place > row.first,
            redo=row.place < row.last,
        )


def make_unused_name(name: str, taken: Collection[str]) -> str:
    """The name, made fit for a graph, and numbered where it is taken."""
    fit = UNFIT_CHARACTERS.sub("-", name).strip("-_")[:MAX_NAME] or "my-graph"
    there = {each.casefold() for each in taken}
    names = (fit, *(f"{fit}-{number}" for number in range(2, len(there) + 3)))
    return next(each for each in names if each.casefold() not in there)


def open_drafts(settings: Settings, library: Library) -> Drafts:
    """The drafts in the settings' data folder."""
    return Drafts(settings.data / FILE, library)
