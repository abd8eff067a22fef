"""The page cache: one row per response with its validators; bodies and documents are blobs."""

import time
from collections.abc import Collection, Iterable
from contextlib import closing
from dataclasses import astuple, dataclass, replace
from pathlib import Path
from typing import NamedTuple

from forager.adapters.web.web_database import WebDatabase
from forager.domain.urls import site_host

BODIES_ALONE = """
SELECT body FROM responses
WHERE body NOT IN (SELECT document FROM responses UNION SELECT blob FROM pages)
"""
COLUMNS = "key, url, content_type, etag, modified, fetched, body, document, reader"


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
        rows = [astuple(replace(entry, key=key)) for key in keys]
        marks = ", ".join("?" * len(rows[0]))
        statement = f"INSERT OR REPLACE INTO responses ({COLUMNS}) VALUES ({marks})"  # noqa: S608
        self._database.write((statement, rows))

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
