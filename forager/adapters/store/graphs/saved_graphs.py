"""Saved graphs with all their versions, in one SQLite file."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from forager.adapters.store.store_files import open_tables, translate_errors
from forager.domain.base import EpochSeconds, Frozen, StoredCount
from forager.errors import GraphError, NoGraphError, StaleError, StoreError
from forager.util.sqlite import PATIENCE, write_transaction
from forager.util.suggest import did_you_mean

COLUMNS = "name, number, text, spec, hash, note, author, time, origin"


class GraphRow(Frozen):
    """A stored version: `spec` as JSON, `time` in seconds since the epoch."""

    name: str
    number: StoredCount = 0
    text: str
    spec: str
    hash: str
    note: str = ""
    author: str = ""
    time: EpochSeconds = 0.0
    origin: str = ""

    def origin_text(self) -> str:
        """The version, who saved it, when, and the note."""
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(self.time))
        by = f" by {self.author}" if self.author else ""
        note = f" (“{self.note}”)" if self.note else ""
        return f"version {self.number} of {self.name!r}, saved{by} on {when}{note}"


class SavedGraphs:
    """The graphs in a file, which the first save creates; safe for threads and processes."""

    def __init__(self, path: Path, patience: float = PATIENCE) -> None:
        """`patience`: seconds to wait for a locked file."""
        self._path = path
        self._patience = patience

    def list_names(self) -> tuple[str, ...]:
        """The names of all graphs, in order, those of damaged ones too. Raises StoreError."""
        return tuple(str(name) for (name,) in self._query("SELECT name FROM versions GROUP BY 1"))

    def newest_versions(self) -> tuple[GraphRow, ...]:
        """The newest version of each graph that can be read, by name. Raises StoreError."""
        last = "SELECT name AS n, max(number) AS m FROM versions GROUP BY name"
        newest = f"({last}) ON name = n AND number = m ORDER BY name"
        query = f"SELECT {COLUMNS} FROM versions JOIN {newest}"  # noqa: S608
        found: list[GraphRow] = []
        for row in self._query(query):
            with suppress(StoreError):
                found.append(_make_row(row))
        return tuple(found)

    def versions(self, name: str) -> tuple[GraphRow, ...]:
        """The versions of a graph, newest first; empty if there is no such graph."""
        query = f"SELECT {COLUMNS} FROM versions WHERE name = ? ORDER BY number DESC"  # noqa: S608
        return self._read_rows(query, name)

    def get(self, name: str, number: int | None = None) -> GraphRow:
        """A version of a graph, by default the newest. Raises NoGraphError and StoreError."""
        query = f"SELECT {COLUMNS} FROM versions WHERE name = ? AND ? IN (number, 0) "  # noqa: S608
        found = self._read_rows(f"{query} ORDER BY number DESC LIMIT 1", name, number or 0)
        if not found:
            raise self._missing_graph(name, number)
        return found[0]

    def save(self, row: GraphRow, base: int | None) -> GraphRow:
        """Add a version after `base`, which must be the newest version; None for a new graph.

        Raises StaleError if another version is the newest by now, and StoreError.
        """
        with self._write_transaction() as db:
            _refuse_stale(db, row.name, base or 0)
            return _add_version(db, row)

    def rename(self, name: str, row: GraphRow, base: int) -> GraphRow:
        """Rename a graph with all its versions to the name of `row`, and add `row` as the newest.

        Raises StaleError, GraphError if the name is taken, and StoreError.
        """
        with self._write_transaction() as db:
            _refuse_stale(db, name, base)
            taken = db.execute("SELECT 1 FROM numbers WHERE name = ?", (row.name,)).fetchone()
            if taken and row.name.casefold() != name.casefold():
                raise GraphError(
                    f"The name {row.name!r} is taken, or was in the past.", "Choose another name."
                )
            db.execute("UPDATE versions SET name = ? WHERE name = ?", (row.name, name))
            db.execute(
                "INSERT OR REPLACE INTO numbers SELECT ?, last FROM numbers WHERE name = ?",
                (row.name, name),
            )
            return _add_version(db, row)

    def delete(self, name: str) -> None:
        """Delete a graph with all its versions. Raises NoGraphError and StoreError."""
        with self._write_transaction() as db:
            deleted = db.execute("DELETE FROM versions WHERE name = ?", (name,)).rowcount
        if not deleted:
            raise self._missing_graph(name)

    def _missing_graph(self, name: str, number: int | None = None) -> NoGraphError:
        rows = self.versions(name)
        if rows and number:
            what = f"The graph {name!r} has no version {number}."
            return NoGraphError(what, f"The newest is {rows[0].number}.")
        names = self.list_names()
        return NoGraphError(f"There is no saved graph {name!r}.", did_you_mean(name, names))

    def _read_rows(self, query: str, *values: object) -> tuple[GraphRow, ...]:
        return tuple(_make_row(row) for row in self._query(query, *values))

    def _query(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        if not self._path.exists():
            return []
        with self._open_connection() as db:
            return db.execute(query, values).fetchall()

    @contextmanager
    def _write_transaction(self) -> Iterator[sqlite3.Connection]:
        """A write transaction on the file."""
        with self._open_connection() as db, write_transaction(db):
            yield db

    @contextmanager
    def _open_connection(self) -> Iterator[sqlite3.Connection]:
        with (
            translate_errors(self._path),
            closing(open_tables(self._path, "graphs", self._patience)) as db,
        ):
            yield db


def damaged_graph(name: str) -> StoreError:
    """The error for a saved graph that cannot be read."""
    return StoreError(
        f"The saved graph {name!r} is damaged and cannot be read.",
        f"Delete it: forager graph delete {name}",
    )


def _make_row(values: tuple[Any, ...]) -> GraphRow:
    try:
        return GraphRow(**dict(zip(GraphRow.model_fields, values, strict=True)))
    except ValidationError as error:
        raise damaged_graph(str(values[0])) from error


def _newest_version(db: sqlite3.Connection, name: str) -> int:
    row = db.execute("SELECT max(number) FROM versions WHERE name = ?", (name,)).fetchone()
    if not isinstance(row[0] or 0, int):
        raise damaged_graph(name)
    return row[0] or 0


def _add_version(db: sqlite3.Connection, row: GraphRow) -> GraphRow:
    last = db.execute("SELECT last FROM numbers WHERE name = ?", (row.name,)).fetchone()
    new = row.model_copy(update={"number": (last[0] if last else 0) + 1, "time": time.time()})
    db.execute("INSERT OR REPLACE INTO numbers VALUES (?, ?)", (new.name, new.number))
    marks = ", ".join("?" * len(GraphRow.model_fields))
    values = tuple(new.model_dump().values())
    db.execute(f"INSERT INTO versions ({COLUMNS}) VALUES ({marks})", values)  # noqa: S608
    return new


def _refuse_stale(db: sqlite3.Connection, name: str, base: int) -> None:
    newest = _newest_version(db, name)
    if newest != base:
        raise _stale_error(db, name, base, newest)


def _stale_error(db: sqlite3.Connection, name: str, base: int, newest: int) -> StaleError:
    if not newest:
        return StaleError(
            f"The graph {name!r} has been deleted.", "Save it as a new graph.", newest=0
        )
    query = f"SELECT {COLUMNS} FROM versions WHERE name = ? AND number = ?"  # noqa: S608
    row = db.execute(query, (name, newest)).fetchone()
    stored = _make_row(row)
    if not base:
        return StaleError(
            f"There is already a graph {name!r}: {stored.origin_text()}.",
            f"Save under another name, or on top of version {newest}.",
            newest=newest,
        )
    return StaleError(
        f"This was made from version {base}, and there is a newer one: {stored.origin_text()}.",
        f"Compare them (forager graph diff {name}@{base} {name}), then save on top of version "
        f"{newest}, or under another name.",
        newest=newest,
    )
