"""The library of saved graphs with their versions; resolves references to graphs."""

import builtins
import re
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple
from unicodedata import normalize

from pydantic import ValidationError

from forager.adapters.store.graphs.saved_graphs import GraphRow, SavedGraphs, damaged_graph
from forager.domain.base import Frozen
from forager.errors import GraphError, NoGraphError, StoreError
from forager.settings import Settings
from forager.util.place import Place
from forager.util.sqlite import PATIENCE
from forager.util.suggest import did_you_mean
from graphs.spec.spec import MAX_BYTES, PRESETS, GraphSpec, load_graph, parse_graph, preset_names
from graphs.spec.yaml_writer import rewrite_graph, write_graph

__all__ = [
    "TEMPLATES",
    "Library",
    "Template",
    "Version",
    "damaged_graph",
    "fit_name",
    "list_templates",
    "open_library",
]

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
REFERENCE = re.compile(rf"({NAME.pattern})(?:@([1-9][0-9]{{0,8}}))?")
MAX_NOTE = 500
TEMPLATES = Path(__file__).parents[1] / "templates"
"""The patterns: graphs to begin with, which are copied and never run under their own names."""


class Template(NamedTuple):
    """A graph to copy: a preset, or a pattern; `text` is its YAML with its comments."""

    name: str
    text: str
    spec: GraphSpec
    is_preset: bool


@cache
def list_templates() -> tuple[Template, ...]:
    """The patterns, then the presets, each by name."""
    patterns = [_read_template(path, is_preset=False) for path in sorted(TEMPLATES.glob("*.yaml"))]
    presets = [_read_template(PRESETS / f"{name}.yaml", is_preset=True) for name in preset_names()]
    return (*patterns, *presets)


def _read_template(path: Path, *, is_preset: bool) -> Template:
    text = path.read_text(encoding="utf-8")
    return Template(path.stem, text, parse_graph(text, str(path)), is_preset)


class Version(Frozen):
    """A version of a saved graph: `text` as written, `time` in seconds since the epoch.

    `origin` is the reference of the graph that it was copied or restored from, or empty.
    """

    name: str
    number: int
    text: str
    spec: GraphSpec
    hash: str
    note: str
    author: str
    time: float
    origin: str

    @property
    def reference(self) -> str:
        """The reference of this version, such as `my-graph@3`."""
        return f"{self.name}@{self.number}"


class Library:
    """The saved graphs in a file; safe for threads and for several processes."""

    def __init__(self, place: Place, patience: float = PATIENCE) -> None:
        """`patience`: seconds to wait for a locked file."""
        self._rows = SavedGraphs(place, patience)

    def list(self) -> tuple[Version, ...]:
        """The newest version of each saved graph that can be read, by name. Raises StoreError."""
        found: builtins.list[Version] = []
        for row in self._rows.newest_versions():
            with suppress(StoreError):
                found.append(_read_row(row))
        return tuple(found)

    def list_damaged(self) -> tuple[str, ...]:
        """The names of the saved graphs that cannot be read. Raises StoreError."""
        sound = {version.name for version in self.list()}
        return tuple(name for name in self._rows.list_names() if name not in sound)

    def list_names(self) -> tuple[str, ...]:
        """The names of the presets, then of the saved graphs. Raises StoreError."""
        return (*preset_names(), *self._rows.list_names())

    def list_versions(self, name: str) -> tuple[Version, ...]:
        """The versions of a saved graph, newest first. Raises NoGraphError and StoreError."""
        self._rows.get(name)
        return tuple(map(_read_row, self._rows.versions(name)))

    def get(self, name: str, number: int | None = None) -> Version:
        """A version of a graph, by default the newest. Raises NoGraphError and StoreError."""
        return _read_row(self._rows.get(name, number))

    def save(  # noqa: PLR0913
        self,
        name: str,
        text: str,
        note: str = "",
        base: int | None = None,
        author: str = "",
        *,
        origin: str = "",
    ) -> Version:
        """Save a text as the version after `base`; without `base`, as a new graph.

        Graphs with faults can be saved. Raises GraphError if the text cannot be parsed or the name
        is not valid, and StaleError if there is a newer version than `base`. Without `origin`, the
        graph remains a copy of what `base` was.
        """
        origin = origin or (self._other_origin(name, base) if base else "")
        row = self._make_row(name, text, note, author, origin)
        return _read_row(self._rows.save(row, base))

    def copy(self, source: str, name: str, note: str = "", author: str = "") -> Version:
        """Copy a preset, a saved graph or one of its versions to a new graph. Raises GraphError."""
        self.resolve_named(source)
        text, origin = self.read_text(source)
        row = self._make_row(name, text, note or f"Copied from {origin}", author, origin)
        return _read_row(self._rows.save(row, None))

    def restore(self, name: str, number: int, note: str = "", author: str = "") -> Version:
        """Save an earlier version as the newest one. Raises NoGraphError and StaleError."""
        old, newest = self._rows.get(name, number), self._rows.get(name)
        note, origin = note or f"Version {number} restored", f"{newest.name}@{number}"
        row = self._make_row(newest.name, old.text, note, author, origin)
        return _read_row(self._rows.save(row, newest.number))

    def rename(self, name: str, new: str, author: str = "") -> Version:
        """Rename a graph with all its versions; a new version has the new name in its text."""
        old = self._rows.get(name)
        origin = f"{new}@{old.number}"
        row = self._make_row(new, old.text, f"Renamed from {old.name}", author, origin)
        return _read_row(self._rows.rename(name, row, old.number))

    def delete(self, name: str) -> None:
        """Delete a graph with all its versions; sessions keep theirs. Raises NoGraphError."""
        self._rows.delete(name)

    def resolve(self, reference: str) -> GraphSpec:
        """The graph of a reference: a preset, `name`, `name@3`, or a file.

        Raises GraphError and StoreError.
        """
        return load_graph(reference, partial(self.find, files=True))

    def resolve_named(self, reference: str) -> GraphSpec:
        """The graph of a reference that is not a file, for callers that may not read files."""
        return load_graph(reference, self.find)

    def find(self, reference: str, *, files: bool = False) -> GraphSpec | None:
        """The saved graph of a reference; None if it may name a file.

        Only with `files` may it name one: a graph that another one includes is never a file.
        Raises GraphError and StoreError.
        """
        match = REFERENCE.fullmatch(reference)
        if match is None and files:
            return None
        try:
            if match:
                return self.get(match[1], int(match[2]) if match[2] else None).spec
        except NoGraphError as error:
            if files and Path(reference).exists():
                return None
            if match and match[2] and self._rows.versions(match[1]):
                raise GraphError(error.what, error.mend) from error
        mend = did_you_mean(reference, self.list_names())
        more = " Or name a file." if files else ""
        raise GraphError(f"There is no graph {reference!r}.", f"{mend}{more}")

    def read_text(self, reference: str) -> tuple[str, str]:
        """The text of a graph, and its full reference, which is empty for a file.

        Graphs that a file includes from other files are written into the text. Raises GraphError
        and StoreError.
        """
        if reference in preset_names():
            return (PRESETS / f"{reference}.yaml").read_text(encoding="utf-8"), reference
        spec = self.resolve(reference)
        match = REFERENCE.fullmatch(reference)
        with suppress(NoGraphError):  # a file
            if match:
                row = self._rows.get(match[1], int(match[2]) if match[2] else None)
                return row.text, f"{row.name}@{row.number}"
        text = Path(reference).read_text(encoding="utf-8")
        try:
            parse_graph(text, reference, self.find)
        except GraphError:
            return write_graph(spec), ""
        return text, ""

    def _other_origin(self, name: str, number: int) -> str:
        """The other graph that a version goes back to, through versions of its own; or empty."""
        try:
            origin = self._rows.get(name, number).origin
        except NoGraphError:
            return ""
        graph, _, older = origin.partition("@")
        if graph != name:
            return origin
        known = older.isdigit() and int(older) < number
        return self._other_origin(name, int(older)) if known else ""

    def _make_row(self, name: str, text: str, note: str, author: str, origin: str = "") -> GraphRow:
        """The row of a new version; its text is changed to have the name. Raises GraphError."""
        _refuse_name(name)
        if len(text.encode()) > MAX_BYTES:
            raise GraphError(f"The text is longer than {MAX_BYTES:,} bytes.", "Shorten it.")
        spec = parse_graph(text, "the graph", self.find)
        if spec.name != name:
            spec = spec.model_copy(update={"name": name})
            text = rewrite_graph(text, spec, self.find)
        return GraphRow(
            name=name,
            text=text,
            spec=spec.model_dump_json(),
            hash=spec.hash,
            note=" ".join(note.split())[:MAX_NOTE],
            author=author,
            origin=origin,
        )


def _read_row(row: GraphRow) -> Version:
    try:
        spec = GraphSpec.model_validate_json(row.spec)
    except ValidationError as error:
        raise damaged_graph(row.name) from error
    return Version(**{**row.model_dump(), "spec": spec})


def open_library(settings: Settings) -> Library:
    """The library in the settings' data folder."""
    return Library(settings.place("graphs"))


def fit_name(name: str) -> str:
    """The name if a graph can have it, else the nearest that one can; empty if none is near."""
    if NAME.fullmatch(name):
        return name
    plain = normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9_]+", "-", plain).strip("-_")[:64].rstrip("-_")


def _refuse_name(name: str) -> None:
    if name.casefold() in {preset.casefold() for preset in preset_names()}:
        raise GraphError(
            f"{name!r} is a preset and cannot be changed.", "Copy it under another name."
        )
    if not NAME.fullmatch(name):
        raise GraphError(
            f"{name!r} is not a valid name of a graph.",
            "Use letters, digits, _ and -, at most 64 characters, starting with a letter or digit.",
        )
