"""The SQLite file of the page cache and the site maps, opened on first use, and the cache's rows.

There is one row per response, with its validators; bodies and documents are blobs.
"""

import json
import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import closing
from dataclasses import astuple, dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from forager.domain.urls import site_host
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


BODIES_ALONE = """
SELECT body FROM responses
WHERE body NOT IN (SELECT document FROM responses UNION SELECT blob FROM pages)
"""
COLUMNS = "key, url, content_type, etag, modified, fetched, body, document, reader"
INSERT_RESPONSE = f"INSERT OR REPLACE INTO responses ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608


@dataclass(frozen=True, slots=True)
class CachedResponse:
    """A response. `url` is its address after redirects, `fetched` in seconds since the epoch.

    `body` and `document` are blob names; `reader` is the version that made the document.
    """

    key: str
    url: str
    content_type: str
    etag: str
    modified: str
    fetched: float
    body: str
    document: str = ""
    reader: int = 0

    def conditional_headers(self) -> dict[str, str]:
        """The headers that request the body only if it has changed."""
        pairs = (("If-None-Match", self.etag), ("If-Modified-Since", self.modified))
        return {name: value for name, value in pairs if value}


USES = "CREATE TABLE IF NOT EXISTS uses (host TEXT PRIMARY KEY, used REAL NOT NULL) WITHOUT ROWID"
"""When pages of a host were last read from the cache, in seconds since the epoch."""
NOTED_SECONDS = 3600.0
"""A use is noted once in so many seconds."""


class ForgottenPages(NamedTuple):
    """The sites whose maps were deleted, and the blobs that the deleted rows named."""

    sites: frozenset[str]
    blobs: frozenset[str]


def host_of(url: str) -> str:
    """The host and port of an address or page key, without `www.`."""
    name, port = site_host(url)
    return f"{name}:{port or ''}"


class PageCache:
    """Responses by page key."""

    def __init__(self, database: WebDatabase) -> None:
        self._database = database
        self._noted: dict[str, float] = {}

    def find_response(self, key: str) -> CachedResponse | None:
        """Return the last response for a page, if any, and note its use. Raises StoreError."""
        rows = self._database.query(f"SELECT {COLUMNS} FROM responses WHERE key = ?", (key,))  # noqa: S608
        if not rows:
            return None
        entry = CachedResponse(*rows[0])
        self._note_use(host_of(entry.url))
        return entry

    def list_responses(self, pages: Iterable[str]) -> tuple[CachedResponse, ...]:
        """The responses of pages by their final addresses, under all their keys.

        Raises StoreError.
        """
        wanted = json.dumps(list(pages))
        sql = f"SELECT {COLUMNS} FROM responses WHERE url IN (SELECT value FROM json_each(?))"  # noqa: S608
        return tuple(CachedResponse(*row) for row in self._database.query(sql, (wanted,)))

    def put_all(self, entries: Iterable[CachedResponse]) -> None:
        """Store responses, each under its key. Raises StoreError."""
        self._database.write((INSERT_RESPONSE, map(astuple, entries)))

    def _note_use(self, host: str) -> None:
        now = time.time()
        if now - self._noted.get(host, 0.0) > NOTED_SECONDS:
            self._noted[host] = now
            self._database.query(USES)
            self._database.write(("INSERT OR REPLACE INTO uses VALUES (?, ?)", [(host, now)]))

    def hosts_by_use(self) -> tuple[str, ...]:
        """All hosts, the one that was not used for longest first. Raises StoreError."""
        self._database.query(USES)
        rows = [
            *self._database.query("SELECT url, fetched FROM responses"),
            *self._database.query("SELECT site, surveyed FROM sites"),
        ]
        used: dict[str, float] = dict(self._database.query("SELECT host, used FROM uses"))
        last: dict[str, float] = {}
        for url, at in rows:
            host = host_of(url)
            last[host] = max(last.get(host, used.get(host, 0.0)), at)
        return tuple(sorted(last, key=lambda host: (last[host], host)))

    def put(self, entry: CachedResponse, keys: Iterable[str]) -> None:
        """Store a response under each key. Raises StoreError."""
        self.put_all(replace(entry, key=key) for key in keys)

    def set_document(self, key: str, document: str, reader: int) -> None:
        """Store the blob of the document read from a response. Raises StoreError."""
        statement = "UPDATE responses SET document = ?, reader = ? WHERE key = ?"
        self._database.write((statement, [(document, reader, key)]))

    def count_pages(self) -> int:
        """Count the cached pages. Raises StoreError."""
        count: int = self._database.query("SELECT count(DISTINCT url) FROM responses")[0][0]
        return count

    def body_blobs(self) -> frozenset[str]:
        """The blobs that serve only as the body of a response. Raises StoreError."""
        return frozenset(body for (body,) in self._database.query(BODIES_ALONE))

    def forget_hosts(self, hosts: Collection[str]) -> ForgottenPages:
        """Delete the responses and maps of these hosts (`host_of`). Raises StoreError."""
        self._database.query(USES)
        responses = self._database.query("SELECT key, url, body, document FROM responses")
        pages = self._database.query("SELECT site, key, url, blob FROM pages")
        sites = {site for site, *_ in pages if host_of(site) in hosts}
        gone = [row for row in responses if host_of(row[1]) in hosts]
        mapped = [row for row in pages if row[0] in sites or host_of(row[2]) in hosts]
        self._database.write(
            ("DELETE FROM responses WHERE key = ?", [(row[0],) for row in gone]),
            ("DELETE FROM pages WHERE site = ? AND key = ?", [row[:2] for row in mapped]),
            ("DELETE FROM sites WHERE site = ?", [(site,) for site in sites]),
            ("DELETE FROM closed WHERE site = ?", [(site,) for site in sites]),
            ("DELETE FROM uses WHERE host = ?", [(host,) for host in hosts]),
        )
        blobs = {blob for row in gone for blob in row[2:]} | {row[3] for row in mapped}
        return ForgottenPages(frozenset(sites), frozenset(filter(None, blobs)))

    def blobs_by_host(self) -> dict[str, frozenset[str]]:
        """The blobs that the responses and the map of each host name. Raises StoreError."""
        found: dict[str, set[str]] = {}
        for url, *blobs in (
            *self._database.query("SELECT url, body, document FROM responses"),
            *self._database.query("SELECT url, blob FROM pages"),
        ):
            found.setdefault(host_of(url), set()).update(blobs)
        return {host: frozenset(blobs) - {""} for host, blobs in found.items()}

    def named_blobs(self) -> frozenset[str]:
        """All blobs that responses and maps name. Raises StoreError."""
        sql = (
            "SELECT body FROM responses UNION SELECT document FROM responses "
            "UNION SELECT blob FROM pages"
        )
        return frozenset(blob for (blob,) in self._database.query(sql))

    def hosts_of(self, documents: Collection[str]) -> frozenset[str]:
        """The hosts from which these documents came. Raises StoreError."""
        rows = self._database.query("SELECT url, document FROM responses")
        return frozenset(host_of(url) for url, document in rows if document in documents)

    def clear(self) -> None:
        """Delete every response. Raises StoreError."""
        self._database.write(("DELETE FROM responses", [()]))


def fetch_times(data: Path, documents: Iterable[str]) -> dict[str, float]:
    """When each document's page was last fetched or found unchanged, in seconds since the epoch.

    `documents` are blobs. Only the newest document of each page is known; others are left out.
    Raises StoreError.
    """
    wanted = tuple(set(documents))
    file = data / "web.sqlite"
    if not wanted or not file.exists():
        return {}
    marks = ", ".join("?" * len(wanted))
    with closing(WebDatabase(file)) as database:
        rows = database.query(
            "SELECT document, MAX(fetched) FROM responses"  # noqa: S608
            f" WHERE document IN ({marks}) GROUP BY document",
            wanted,
        )
    return {str(document): float(time) for document, time in rows}
