"""The SQLite file of the page cache and the site maps, opened on first use."""

import logging
import sqlite3
import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from forager.errors import StoreError
from forager.util.sqlite import discard_cache, is_damage, open_cache, write_transaction

LOG = logging.getLogger(__name__)
VERSION = 0
"""The layout written by version 0.1. Tables of other versions are dropped: this is a cache."""
TABLES = ("responses", "sites", "pages")
SCHEMA = (
    """
CREATE TABLE responses (
    key TEXT PRIMARY KEY,
    url TEXT NOT NULL,
    content_type TEXT NOT NULL,
    etag TEXT NOT NULL,
    modified TEXT NOT NULL,
    fetched REAL NOT NULL,
    body TEXT NOT NULL,
    document TEXT NOT NULL DEFAULT '',
    reader INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID
""",
    """
CREATE TABLE sites (
    site TEXT PRIMARY KEY,
    surveyed REAL NOT NULL,
    asked INTEGER NOT NULL,
    complete INTEGER NOT NULL,
    notes TEXT NOT NULL
) WITHOUT ROWID
""",
    """
CREATE TABLE pages (
    site TEXT NOT NULL,
    key TEXT NOT NULL,
    position INTEGER NOT NULL,
    url TEXT NOT NULL,
    depth INTEGER NOT NULL,
    title TEXT NOT NULL,
    blob TEXT NOT NULL,
    anchors TEXT NOT NULL,
    PRIMARY KEY (site, key)
) WITHOUT ROWID
""",
)
CLOSED = """
CREATE TABLE IF NOT EXISTS closed (
    site TEXT NOT NULL,
    url TEXT NOT NULL,
    why TEXT NOT NULL,
    anchors TEXT NOT NULL,
    PRIMARY KEY (site, url)
) WITHOUT ROWID
"""
"""The pages of a map that cannot be read; files of earlier versions have no such table."""
LAST_SECOND = 253_402_300_800
"""Of the year 9999."""
DAMAGED = {
    "responses": f"""
        min(typeof(key) = 'text', typeof(url) = 'text', typeof(content_type) = 'text',
            typeof(etag) = 'text', typeof(modified) = 'text', typeof(body) = 'text',
            typeof(document) = 'text', typeof(reader) = 'integer', typeof(fetched) = 'real') = 0
        OR fetched NOT BETWEEN 0 AND {LAST_SECOND} OR url NOT LIKE 'http%'
    """,
    "pages": """
        min(typeof(site) = 'text', typeof(key) = 'text', typeof(url) = 'text',
            typeof(title) = 'text', typeof(blob) = 'text', typeof(anchors) = 'text',
            typeof(position) = 'integer', typeof(depth) = 'integer') = 0
        OR url NOT LIKE 'http%'
    """,
    "closed": """
        min(typeof(site) = 'text', typeof(url) = 'text', typeof(why) = 'text',
            typeof(anchors) = 'text') = 0
        OR url NOT LIKE 'http%'
    """,
    "sites": f"""
        min(typeof(site) = 'text', typeof(surveyed) = 'real', typeof(asked) = 'integer',
            typeof(complete) = 'integer') = 0
        OR surveyed NOT BETWEEN 0 AND {LAST_SECOND}
        OR CASE WHEN typeof(notes) = 'text' AND json_valid(notes) THEN json_type(notes) ELSE '' END
           != 'array'
    """,
}
"""What tells that a row is none that Forager wrote, by table."""
Row = tuple[Any, ...]
Result = TypeVar("Result")


class WebDatabase:
    """A database that threads and processes can share. Each call is a transaction.

    All methods raise StoreError.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._opened: sqlite3.Connection | None = None

    def query(self, sql: str, values: Sequence[object] = ()) -> list[Row]:
        """Run a statement and return its rows."""
        return self._use_file(lambda connection: connection.execute(sql, values).fetchall())

    def write(self, *statements: tuple[str, Iterable[Sequence[object]]]) -> None:
        """Run each statement once per row of values, in one transaction."""
        repeatable = [(sql, list(rows)) for sql, rows in statements]

        def write_all(connection: sqlite3.Connection) -> None:
            with write_transaction(connection):
                for sql, rows in repeatable:
                    connection.executemany(sql, rows)

        self._use_file(write_all)

    def shrink(self) -> None:
        """Release unused disk space."""
        self.query("VACUUM")
        self.query("PRAGMA wal_checkpoint(TRUNCATE)")

    def _use_file(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        """Do the work; a damaged file is made anew once."""
        try:
            with self._lock:
                try:
                    return work(self._open_connection())
                except sqlite3.DatabaseError as error:
                    if not is_damage(error, self._path):
                        raise
                self._close()
                discard_cache(self._path)
                return work(self._open_connection())
        except (sqlite3.Error, OSError) as error:
            raise self._store_error(error) from error

    def _open_connection(self) -> sqlite3.Connection:
        if self._opened is None:
            self._opened = open_cache(self._path, VERSION, TABLES, SCHEMA)
            self._opened.execute(CLOSED)
            _drop_damaged(self._opened, self._path)
        return self._opened

    def _store_error(self, error: Exception) -> StoreError:
        return StoreError(
            f"The page store {self._path} failed: {error}.",
            "Free some space or set FORAGER_DATA to a folder that can be written.",
        )

    def close(self) -> None:
        """Close the file; the next call opens it again."""
        with self._lock:
            self._close()

    def _close(self) -> None:
        if self._opened is not None:
            self._opened.close()
            self._opened = None


def _drop_damaged(db: sqlite3.Connection, path: Path) -> None:
    """Delete the rows that cannot be read, and the maps with one; they are made anew."""
    dropped = 0
    for table, damaged in DAMAGED.items():
        found = db.execute(f"SELECT count(*) FROM {table} WHERE {damaged}").fetchone()[0]  # noqa: S608
        if found and table in {"pages", "closed"}:
            maps = f"(SELECT site FROM {table} WHERE {damaged})"  # noqa: S608
            db.execute(f"DELETE FROM sites WHERE site IN {maps}")  # noqa: S608
        if found:
            db.execute(f"DELETE FROM {table} WHERE {damaged}")  # noqa: S608
        dropped += found
    if dropped:
        LOG.warning("%s: %s damaged rows were dropped and are made anew.", path, f"{dropped:,}")
