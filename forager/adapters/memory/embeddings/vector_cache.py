"""A cache of embeddings by content: runs and processes embed each text only once."""

import hashlib
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Protocol

import numpy as np

from forager.errors import StoreError
from forager.ports import Embedder, Vectors
from forager.util.batches import batched
from forager.util.sqlite import discard_cache, is_damage, open_cache, write_transaction


def normalize_rows(vectors: Vectors) -> Vectors:
    """Scale rows to length 1; rows of zeros stay zero."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True).astype(np.float32)
    scaled: Vectors = vectors / np.maximum(lengths, np.float32(1e-12))
    return scaled


VERSION = 0
"""The file's version, 0 as in version 0.1. Vectors of another version are dropped."""
TABLES = ("vectors",)
SCHEMA = ("CREATE TABLE vectors (key BLOB PRIMARY KEY, vector BLOB NOT NULL)",)
KEYS_PER_QUERY = 500
TEXTS_PER_SAVE = 512
STORED_TYPE = np.float16


class NamedEmbedder(Embedder, Protocol):
    """An embedder whose `name` says which one it is, or why there is none."""

    @property
    def name(self) -> str: ...


class CachedEmbedder:
    """`inner` behind a SQLite file at `path`, opened by the first call.

    Vectors are stored as float16 (768 bytes for MiniLM). New ones are rounded to float16 too, so
    that a text has the same vector whether it was in the file or not. Safe to share between threads
    and, through the file, between processes.
    """

    def __init__(self, inner: NamedEmbedder, path: Path) -> None:
        self.inner = inner
        self.rater = inner.rater
        self.matcher = inner.matcher
        self.available = inner.available
        self.name = inner.name
        self._path = path
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row of length 1 per text, float32. A damaged file is made anew once.

        Raises ModelError, StoreError.
        """
        try:
            return self._embed_texts(texts)
        except StoreError as error:
            if not is_damage(error.__cause__, self._path):
                raise
        self.close()
        with suppress(OSError):  # what is left of it is reported below
            discard_cache(self._path)
        return self._embed_texts(texts)

    def _embed_texts(self, texts: Sequence[str]) -> Vectors:
        keys = [self._content_key(text) for text in texts]
        known = self._load_vectors(list(dict.fromkeys(keys)))
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        for part in batched(sorted(missing, key=lambda key: len(missing[key])), TEXTS_PER_SAVE):
            fresh = self.inner.embed([missing[key] for key in part]).astype(STORED_TYPE)
            rows = dict(zip(part, (row.tobytes() for row in fresh), strict=True))
            self._save_vectors(rows)
            known |= rows
        if not keys:
            return np.zeros((0, 0), np.float32)
        stored = np.stack([np.frombuffer(known[key], STORED_TYPE) for key in keys])
        return normalize_rows(stored.astype(np.float32))

    def close(self) -> None:
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _content_key(self, text: str) -> bytes:
        content = f"{self.name}\0{text}".encode("utf-8", "surrogatepass")
        return hashlib.sha256(content).digest()[:16]

    def _load_vectors(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        found: dict[bytes, bytes] = {}
        with self._locked_file() as connection:
            for part in batched(keys, KEYS_PER_QUERY):
                marks = ",".join("?" * len(part))
                query = f"SELECT key, vector FROM vectors WHERE key IN ({marks})"  # noqa: S608
                found.update(connection.execute(query, part))
        return found

    def _save_vectors(self, rows: dict[bytes, bytes]) -> None:
        with self._locked_file() as connection, write_transaction(connection):
            connection.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?)", rows.items())

    @contextmanager
    def _locked_file(self) -> Iterator[sqlite3.Connection]:
        """The connection, for one thread at a time. Raises StoreError."""
        try:
            with self._lock:
                if self._connection is None:
                    self._connection = open_cache(self._path, VERSION, TABLES, SCHEMA)
                yield self._connection
        except (sqlite3.Error, OSError) as error:
            raise StoreError(
                f"The embedding cache {self._path} cannot be used ({error}).",
                "Free some space on its disk, or delete the file; it is only a cache.",
            ) from error
