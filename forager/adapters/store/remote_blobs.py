"""Content-addressed bytes in any store that fsspec reaches: a folder, S3, a bucket of another."""

import hashlib
import logging
import threading
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from fsspec.core import url_to_fs
from fsspec.utils import get_protocol

from forager.errors import MissingBlobError, StoreError, UsageError
from forager.ports import BlobKind

LOG = logging.getLogger(__name__)
KINDS: Final[tuple[BlobKind, ...]] = ("document", "view", "picture", "response")
"""A folder for each; a blob that is asked for is looked for in this order."""
FETCH_AGAIN = "Ask the question again to fetch it anew."
MOST_KNOWN = 200_000
"""Blobs whose kind a process remembers."""


class RemoteBlobs:
    """The Blobs port; safe for threads and for several processes.

    A blob is one object, `KIND/AB/ABCD…`: its bytes, compressed. It is written whole and never
    changed, so that nobody needs a lock.
    """

    def __init__(self, address: str) -> None:
        """Raises UsageError for an address whose driver is missing."""
        self._guard = threading.Lock()
        self._known: dict[str, BlobKind] = {}
        self._in_folder = get_protocol(address) == "file"
        try:
            self._files, self._root = url_to_fs(address)
        except (ImportError, ValueError) as error:
            raise UsageError(
                f"FORAGER_BLOBS cannot be used: {error}.",
                "Install the driver that it names, or write it as s3://BUCKET/PATH or a folder.",
            ) from error

    def put(self, data: bytes, kind: BlobKind) -> str:
        """Store the bytes; returns their SHA-256 in hex. Raises StoreError."""
        digest = hashlib.sha256(data).hexdigest()
        known = self._known.get(digest)
        if known == kind or (known and kind == "response"):
            return digest
        with self._explain("A page could not be stored"):
            path = self._path(kind, digest)
            if not self._files.exists(path):
                self._write(path, zlib.compress(data, 1))
        self._remember(digest, kind)
        return digest

    def get(self, digest: str) -> bytes:
        """The bytes with this SHA-256.

        Damaged bytes are deleted. Raises MissingBlobError if there are none, and StoreError.
        """
        known = self._known.get(digest)
        for kind in (known, *KINDS) if known else KINDS:
            path = self._path(kind, digest)
            with self._explain("A page could not be read"):
                try:
                    body = self._files.cat_file(path)
                except FileNotFoundError:
                    continue
            data = _decompress(body)
            if hashlib.sha256(data).hexdigest() == digest:
                self._remember(digest, kind)
                return data
            self.delete_blobs([digest])
            LOG.warning("blob %s was damaged and has been deleted", digest[:12])
            raise MissingBlobError(f"Blob {digest[:12]} was damaged.", FETCH_AGAIN)
        raise MissingBlobError(f"Blob {digest[:12]} is not in the store.", FETCH_AGAIN)

    def find_missing(self, digests: Iterable[str]) -> frozenset[str]:
        """Those of the digests that have no blob. Raises StoreError."""
        with self._explain("Pages could not be looked for"):
            return frozenset(
                digest
                for digest in frozenset(digests)
                if not any(self._files.exists(self._path(kind, digest)) for kind in KINDS)
            )

    def read_sizes(self) -> dict[str, int]:
        """The stored size in bytes of every blob, by digest. Raises StoreError."""
        sizes: dict[str, int] = {}
        for kind in KINDS:
            for digest, size in self._list(kind).items():
                sizes[digest] = sizes.get(digest, 0) + size
        return sizes

    def measure_responses(self, unkinded: Iterable[str]) -> dict[str, int]:
        """The stored sizes in bytes of the bodies of responses, by digest. Raises StoreError.

        All blobs have a kind here; of a document that was also fetched as a page nothing counts.
        """
        kept = {digest for kind in KINDS if kind != "response" for digest in self._list(kind)}
        return {
            digest: size for digest, size in self._list("response").items() if digest not in kept
        }

    def read_views(self) -> Iterator[tuple[str, bytes]]:
        """The views, each digest with its bytes. Raises StoreError."""
        for digest in self._list("view"):
            yield digest, self.get(digest)

    def delete_blobs(self, digests: Iterable[str]) -> None:
        """Delete blobs. Raises StoreError."""
        with self._explain("Pages could not be deleted"):
            for digest in digests:
                self._known.pop(digest, None)
                for kind in KINDS:
                    path = self._path(kind, digest)
                    if self._files.exists(path):
                        self._files.rm_file(path)

    def close(self) -> None:
        """Do nothing: each command stands for itself."""

    def _list(self, kind: BlobKind) -> dict[str, int]:
        """The blobs of a kind with their sizes as stored."""
        folder = f"{self._root}/{kind}"
        with self._explain("Pages could not be listed"):
            self._files.invalidate_cache(folder)
            found: dict[str, Any] = self._files.find(folder, detail=True)
        return {path.rpartition("/")[2]: int(each["size"] or 0) for path, each in found.items()}

    def _write(self, path: str, body: bytes) -> None:
        """Write an object whole: what breaks off leaves none.

        Folders are made, but no bucket, which is its owner's to make.
        """
        if not self._in_folder:
            self._files.pipe_file(path, body)
            return
        self._files.makedirs(path.rpartition("/")[0], exist_ok=True)
        file = self._files.open(path, "wb", autocommit=False)
        with file:
            file.write(body)
        file.commit()

    def _path(self, kind: BlobKind, digest: str) -> str:
        return f"{self._root}/{kind}/{digest[:2]}/{digest}"

    def _remember(self, digest: str, kind: BlobKind) -> None:
        with self._guard:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            self._known[digest] = kind

    @contextmanager
    def _explain(self, what: str) -> Iterator[None]:
        """Raise StoreError for what the store raises, whatever its driver calls it."""
        try:
            yield
        except MissingBlobError:
            raise
        except Exception as error:
            told = " ".join(str(error).split()) or type(error).__name__
            raise StoreError(
                f"{what}: {told.rstrip('.')}.", "See FORAGER_BLOBS and its store; then resume."
            ) from error


def _decompress(body: bytes) -> bytes:
    """The bytes of a compressed blob; empty if it is damaged."""
    try:
        return zlib.decompress(body)
    except zlib.error:
        return b""
