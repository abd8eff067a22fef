"""What was fetched: one row per page with its validators; bodies and documents are blobs."""

from collections.abc import Iterable
from contextlib import closing
from dataclasses import astuple, dataclass, replace
from pathlib import Path

from forager.adapters.web.web_database import WebDatabase

COLUMNS = "key, url, content_type, etag, modified, fetched, body, document, reader"


@dataclass(frozen=True, slots=True)
class CachedResponse:
    """One response; `url` is where it was found, `fetched` in seconds since the epoch."""

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
        """The headers that ask for the body only if it changed."""
        pairs = (("If-None-Match", self.etag), ("If-Modified-Since", self.modified))
        return {name: value for name, value in pairs if value}


class PageCache:
    """Responses by the identity of their page."""

    def __init__(self, database: WebDatabase) -> None:
        self._database = database

    def find_response(self, key: str) -> CachedResponse | None:
        """The last response for a page. Raises StoreError."""
        rows = self._database.query(f"SELECT {COLUMNS} FROM responses WHERE key = ?", (key,))  # noqa: S608
        return CachedResponse(*rows[0]) if rows else None

    def put(self, entry: CachedResponse, keys: Iterable[str]) -> None:
        """Store one response under each key. Raises StoreError."""
        rows = [astuple(replace(entry, key=key)) for key in keys]
        marks = ", ".join("?" * len(rows[0]))
        statement = f"INSERT OR REPLACE INTO responses ({COLUMNS}) VALUES ({marks})"  # noqa: S608
        self._database.write((statement, rows))

    def set_document(self, key: str, document: str, reader: int) -> None:
        """Note the blob of the document that was read from a response. Raises StoreError."""
        statement = "UPDATE responses SET document = ?, reader = ? WHERE key = ?"
        self._database.write((statement, [(document, reader, key)]))

    def count_pages(self) -> int:
        """How many pages there are. Raises StoreError."""
        found: int = self._database.query("SELECT count(DISTINCT url) FROM responses")[0][0]
        return found

    def body_blobs(self) -> frozenset[str]:
        """The blobs that are the body of a response and nothing else here. Raises StoreError."""
        named = "SELECT document FROM responses UNION SELECT blob FROM pages"
        wanted = f"SELECT body FROM responses EXCEPT {named}"  # noqa: S608
        return frozenset(body for (body,) in self._database.query(wanted))

    def clear(self) -> None:
        """Forget every response. Raises StoreError."""
        self._database.write(("DELETE FROM responses", [()]))


def fetch_times(data: Path, documents: Iterable[str]) -> dict[str, float]:
    """Seconds since the epoch at which each document's page was fetched, or found unchanged.

    `documents` are blobs. The cache knows the newest document of a page alone; others are left out.
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
