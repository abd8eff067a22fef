"""Content-addressed bytes in one SQLite file; equal content is stored once."""

import hashlib
import sqlite3
import threading
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from forager.adapters.store.table_revisions import open_tables
from forager.errors import StoreError

FETCH_AGAIN = "Ask the question again to fetch it anew."


class BlobHead(NamedTuple):
    """The stored size of a blob in bytes, and the first two bytes of its content."""

    size: int
    first: bytes


class SqliteBlobs:
    """The Blobs port; safe for threads and for several processes."""

    def __init__(self, path: Path) -> None:
        """Raises StoreError."""
        self._lock = threading.Lock()
        self._db = open_tables(path, "blobs")

    def put(self, data: bytes) -> str:
        """Store the bytes; returns their SHA-256 in hex. Raises StoreError."""
        digest = hashlib.sha256(data).hexdigest()
        body = zlib.compress(data, 1)
        try:
            with self._lock:
                self._db.execute("INSERT OR IGNORE INTO blobs VALUES (?, ?)", (digest, body))
        except sqlite3.Error as error:
            raise StoreError(
                f"A page could not be stored: {error}.", "Free some space and resume the session."
            ) from error
        return digest

    def get(self, digest: str) -> bytes:
        """The bytes with this SHA-256. Raises StoreError if they are missing or unreadable."""
        query = "SELECT body FROM blobs WHERE digest = ?"
        try:
            with self._lock:
                row = self._db.execute(query, (digest,)).fetchone()
            if row is not None:
                return zlib.decompress(row[0])
        except (sqlite3.Error, zlib.error) as error:
            raise StoreError(f"Blob {digest[:12]} cannot be read: {error}.", FETCH_AGAIN) from error
        raise StoreError(f"Blob {digest[:12]} is not in the store.", FETCH_AGAIN)

    def read_heads(self, digests: Iterable[str]) -> dict[str, BlobHead]:
        """The heads of those blobs that exist, by digest. Raises StoreError."""
        query = "SELECT length(body), substr(body, 1, 64) FROM blobs WHERE digest = ?"
        found: dict[str, BlobHead] = {}
        try:
            for digest in digests:
                with self._lock:
                    row = self._db.execute(query, (digest,)).fetchone()
                if row is not None:
                    found[digest] = BlobHead(row[0], zlib.decompressobj().decompress(row[1], 2))
        except (sqlite3.Error, zlib.error) as error:
            raise StoreError(f"The blob store cannot be read: {error}.", FETCH_AGAIN) from error
        return found

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
