"""Saved graphs with all their versions."""

import time
from contextlib import suppress
from typing import Any

from pydantic import ValidationError
from sqlalchemy import (
    Column,
    Connection,
    Double,
    Integer,
    MetaData,
    Row,
    Select,
    Table,
    Text,
    delete,
    func,
    insert,
    select,
    update,
)

from forager.adapters.store.database import Database, insert_or_replace
from forager.domain.base import EpochSeconds, Frozen, StoredCount
from forager.errors import GraphError, NoGraphError, StaleError, StoreError
from forager.util.place import Place
from forager.util.sqlite import PATIENCE
from forager.util.suggest import did_you_mean

TABLES = MetaData()
VERSIONS = Table(
    "versions",
    TABLES,
    Column("name", Text(collation="NOCASE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    *(Column(name, Text, nullable=False) for name in ("text", "spec", "hash", "note", "author")),
    Column("time", Double, nullable=False),
    Column("origin", Text, nullable=False),
)
NUMBERS = Table(
    "numbers",
    TABLES,
    Column("name", Text(collation="NOCASE"), primary_key=True),
    Column("last", Integer),
)
"""The last number of each name, which is not given again when its versions are deleted."""


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
    """The graphs, whose file the first save creates; safe for threads and processes."""

    def __init__(self, place: Place, patience: float = PATIENCE) -> None:
        """`patience`: seconds to wait for a locked file."""
        self._tables = Database(place, "graphs", patience)

    def list_names(self) -> tuple[str, ...]:
        """The names of all graphs, in order, those of damaged ones too. Raises StoreError."""
        names = (
            select(func.min(VERSIONS.c.name)).group_by(VERSIONS.c.name).order_by(VERSIONS.c.name)
        )
        return tuple(str(name) for (name,) in self._query(names))

    def newest_versions(self) -> tuple[GraphRow, ...]:
        """The newest version of each graph that can be read, by name. Raises StoreError."""
        last = select(VERSIONS.c.name, func.max(VERSIONS.c.number).label("number"))
        newest = last.group_by(VERSIONS.c.name).subquery()
        same = (VERSIONS.c.name == newest.c.name) & (VERSIONS.c.number == newest.c.number)
        query = select(VERSIONS).join(newest, same).order_by(VERSIONS.c.name)
        found: list[GraphRow] = []
        for row in self._query(query):
            with suppress(StoreError):
                found.append(_make_row(row))
        return tuple(found)

    def versions(self, name: str) -> tuple[GraphRow, ...]:
        """The versions of a graph, newest first; empty if there is no such graph."""
        return tuple(_make_row(row) for row in self._query(_versions_of(name)))

    def get(self, name: str, number: int | None = None) -> GraphRow:
        """A version of a graph, by default the newest. Raises NoGraphError and StoreError."""
        query = _versions_of(name).limit(1)
        found = self._query(query.where(VERSIONS.c.number == number) if number else query)
        if not found:
            raise self._missing_graph(name, number)
        return _make_row(found[0])

    def save(self, row: GraphRow, base: int | None) -> GraphRow:
        """Add a version after `base`, which must be the newest version; None for a new graph.

        Raises StaleError if another version is the newest by now, and StoreError.
        """
        with self._tables.transaction(alone="names") as db:
            _refuse_stale(db, row.name, base or 0)
            return _add_version(db, row)

    def rename(self, name: str, row: GraphRow, base: int) -> GraphRow:
        """Rename a graph with all its versions to the name of `row`, and add `row` as the newest.

        Raises StaleError, GraphError if the name is taken, and StoreError.
        """
        with self._tables.transaction(alone="names") as db:
            _refuse_stale(db, name, base)
            taken = db.execute(select(NUMBERS).where(NUMBERS.c.name == row.name)).first()
            if taken and row.name.casefold() != name.casefold():
                raise GraphError(
                    f"The name {row.name!r} is taken, or was in the past.", "Choose another name."
                )
            db.execute(update(VERSIONS).where(VERSIONS.c.name == name).values(name=row.name))
            _set_last(db, row.name, _last_number(db, name))
            return _add_version(db, row)

    def delete(self, name: str) -> None:
        """Delete a graph with all its versions. Raises NoGraphError and StoreError."""
        with self._tables.transaction(alone="names") as db:
            deleted = db.execute(delete(VERSIONS).where(VERSIONS.c.name == name)).rowcount
        if not deleted:
            raise self._missing_graph(name)

    def _missing_graph(self, name: str, number: int | None = None) -> NoGraphError:
        rows = self.versions(name)
        if rows and number:
            what = f"The graph {name!r} has no version {number}."
            return NoGraphError(what, f"The newest is {rows[0].number}.")
        names = self.list_names()
        return NoGraphError(f"There is no saved graph {name!r}.", did_you_mean(name, names))

    def _query(self, query: Select[Any]) -> list[Row[Any]]:
        if not self._tables.exists():
            return []
        with self._tables.transaction() as db:
            return list(db.execute(query).all())


def damaged_graph(name: str) -> StoreError:
    """The error for a saved graph that cannot be read."""
    return StoreError(
        f"The saved graph {name!r} is damaged and cannot be read.",
        f"Delete it: forager graph delete {name}",
    )


def _versions_of(name: str) -> Select[Any]:
    """The versions of a graph, newest first."""
    return select(VERSIONS).where(VERSIONS.c.name == name).order_by(VERSIONS.c.number.desc())


def _make_row(row: Row[Any]) -> GraphRow:
    values = row._asdict()
    try:
        return GraphRow(**values)
    except ValidationError as error:
        raise damaged_graph(str(values["name"])) from error


def _newest_version(db: Connection, name: str) -> int:
    newest = select(func.max(VERSIONS.c.number)).where(VERSIONS.c.name == name)
    number = db.execute(newest).scalar() or 0
    if not isinstance(number, int):
        raise damaged_graph(name)
    return number


def _last_number(db: Connection, name: str) -> int:
    return db.execute(select(NUMBERS.c.last).where(NUMBERS.c.name == name)).scalar() or 0


def _set_last(db: Connection, name: str, last: int) -> None:
    db.execute(insert_or_replace(db, NUMBERS), {"name": name, "last": last})


def _add_version(db: Connection, row: GraphRow) -> GraphRow:
    number = _last_number(db, row.name) + 1
    new = row.model_copy(update={"number": number, "time": time.time()})
    _set_last(db, new.name, new.number)
    db.execute(insert(VERSIONS), new.model_dump())
    return new


def _refuse_stale(db: Connection, name: str, base: int) -> None:
    newest = _newest_version(db, name)
    if newest != base:
        raise _stale_error(db, name, base, newest)


def _stale_error(db: Connection, name: str, base: int, newest: int) -> StaleError:
    if not newest:
        return StaleError(
            f"The graph {name!r} has been deleted.", "Save it as a new graph.", newest=0
        )
    stored = _make_row(db.execute(_versions_of(name).where(VERSIONS.c.number == newest)).one())
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
