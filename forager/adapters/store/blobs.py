"""Content-addressed bytes in one SQLite file; equal content is stored once."""

import hashlib
import logging
import sqlite3
import threading
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from forager.adapters.store.store_files import open_tables, store_error
from forager.errors import MissingBlobError, StoreError
from forager.ports import BlobKind

LOG = logging.getLogger(__name__)
FETCH_AGAIN = "Ask the question again to fetch it anew."
PUT = """
INSERT INTO blobs (digest, body, kind) VALUES (?, ?, ?)
ON CONFLICT (digest) DO UPDATE SET body = excluded.body, kind = CASE
WHEN kind = '' OR (kind = 'response' AND excluded.kind != 'response') THEN excluded.kind
ELSE kind END
WHERE body IS NOT excluded.body
OR kind = '' OR (kind = 'response' AND excluded.kind != 'response')
"""
"""A document that was also fetched as a page stays a document; a damaged body is replaced."""
MODEL_START = b'{"'
"""How a stored document or view begins; of a blob without a kind, this alone tells it from a page
fetched."""


class SqliteBlobs:
    """The Blobs port; safe for threads and for several processes."""

    def __init__(self, path: Path) -> None:
        """Raises StoreError."""
        self._lock = threading.Lock()
        self._path = path
        self._db = open_tables(path, "blobs")

    def put(self, data: bytes, kind: BlobKind) -> str:
        """Store the bytes; returns their SHA-256 in hex. Raises StoreError."""
        digest = hashlib.sha256(data).hexdigest()
        body = zlib.compress(data, 1)
        try:
            with self._lock:
                self._db.execute(PUT, (digest, body, kind))
        except sqlite3.Error as error:
            raise StoreError(
                f"A page could not be stored: {error}.", "Free some space and resume the session."
            ) from error
        return digest

    def get(self, digest: str) -> bytes:
        """The bytes with this SHA-256.

        Damaged bytes are deleted. Raises MissingBlobError if there are none, and StoreError.
        """
        query = "SELECT body FROM blobs WHERE digest = ?"
        try:
            with self._lock:
                row = self._db.execute(query, (digest,)).fetchone()
        except sqlite3.Error as error:
            raise store_error(error, self._path) from error
        if row is None:
            raise MissingBlobError(f"Blob {digest[:12]} is not in the store.", FETCH_AGAIN)
        data = _decompress(row[0])
        if hashlib.sha256(data).hexdigest() != digest:
            self._delete_damaged(digest)
            raise MissingBlobError(f"Blob {digest[:12]} was damaged.", FETCH_AGAIN)
        return data

    def _delete_damaged(self, digest: str) -> None:
        """Delete a damaged blob, so that it is missing from now on."""
        with suppress(sqlite3.Error), self._lock:
            self._db.execute("DELETE FROM blobs WHERE digest = ?", (digest,))
        LOG.warning("blob %s was damaged and has been deleted", digest[:12])

    def find_missing(self, digests: Iterable[str]) -> frozenset[str]:
        """Those of the digests that have no blob. Raises StoreError."""
        query = "SELECT 1 FROM blobs WHERE digest = ?"
        return frozenset(
            digest for digest in frozenset(digests) if not self._read_rows(query, digest)
        )

    def read_sizes(self) -> dict[str, int]:
        """The stored size in bytes of every blob, by digest. Raises StoreError."""
        return dict(self._read_rows("SELECT digest, length(body) FROM blobs WHERE digest >= ?", ""))

    def measure_responses(self, unkinded: Iterable[str]) -> dict[str, int]:
        """The stored sizes in bytes of the bodies of responses, by digest.

        Among blobs without a kind, those in `unkinded` count that are no document or view. Raises
        StoreError.
        """
        found = dict(
            self._read_rows("SELECT digest, length(body) FROM blobs WHERE kind = ?", "response")
        )
        for digest in unkinded:
            query = "SELECT body FROM blobs WHERE digest = ? AND kind = ''"
            for (body,) in self._read_rows(query, digest):
                if not _is_model(body):
                    found[digest] = len(body)
        return found

    def read_views(self) -> Iterator[tuple[str, bytes]]:
        """The views, and blobs without a kind, which may be views: each digest with its bytes.

        Raises StoreError.
        """
        for digest, body in self._read_rows(
            "SELECT digest, body FROM blobs WHERE kind IN ('view', ?)", ""
        ):
            yield digest, _decompress(body)

    def _read_rows(self, query: str, value: str) -> list[tuple[Any, ...]]:
        try:
            with self._lock:
                return self._db.execute(query, (value,)).fetchall()
        except sqlite3.Error as error:
            raise store_error(error, self._path) from error

    def delete_blobs(self, digests: Iterable[str]) -> None:
        """Delete blobs and shrink the file. Raises StoreError."""
        try:
            with self._lock:
                self._db.execute("BEGIN IMMEDIATE")
                rows = [(digest,) for digest in digests]
                with self._db:
                    self._db.executemany("DELETE FROM blobs WHERE digest = ?", rows)
                self._db.execute("VACUUM")
                self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        except sqlite3.Error as error:
            raise StoreError(
                f"Pages could not be deleted: {error}.", "Try again when no session runs."
            ) from error

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._db.close()


def _decompress(body: Any) -> bytes:
    """The bytes of a compressed blob; empty if it is damaged."""
    try:
        return zlib.decompress(body)
    except (zlib.error, TypeError):
        return b""


def _is_model(body: bytes) -> bool:
    """Whether a compressed blob is a document or view, or unreadable."""
    try:
        return zlib.decompressobj().decompress(body, len(MODEL_START)) == MODEL_START
    except (zlib.error, TypeError):
        return True
