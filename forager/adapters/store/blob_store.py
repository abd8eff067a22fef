"""Opens the store of pages and pictures: a file of the data folder, or one at an address."""

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, closing
from pathlib import Path
from typing import Protocol

from forager.adapters.store.blobs import SqliteBlobs
from forager.adapters.store.remote_blobs import RemoteBlobs
from forager.ports import Blobs
from forager.settings import Settings

FILE = "blobs.sqlite"


class BlobStore(Blobs, Protocol):
    """Blobs that can be counted, listed and deleted. Every method raises StoreError."""

    def read_sizes(self) -> dict[str, int]:
        """The stored size in bytes of every blob, by digest."""

    def measure_responses(self, unkinded: Iterable[str]) -> dict[str, int]:
        """The stored sizes in bytes of the bodies of responses, by digest.

        Among blobs without a kind, those in `unkinded` count that are no document or view.
        """

    def read_views(self) -> Iterator[tuple[str, bytes]]:
        """The views, and blobs without a kind, which may be views: each digest with its bytes."""

    def delete_blobs(self, digests: Iterable[str]) -> None:
        """Delete blobs and free their space."""

    def close(self) -> None:
        """Close what is open."""


def open_blob_store(settings: Settings) -> AbstractContextManager[BlobStore]:
    """The blobs of the settings. Raises UsageError for an address without a driver, StoreError."""
    return open_blobs_at(settings.data, settings.blobs)


def open_blobs_at(data: Path, address: str) -> AbstractContextManager[BlobStore]:
    """The blobs at an address, or of the data folder where it is empty. Raises as above."""
    store: BlobStore = RemoteBlobs(address) if address else SqliteBlobs(data / FILE)
    return closing(store)


def has_blobs(settings: Settings) -> bool:
    """Whether there is a store to look into."""
    return bool(settings.blobs) or (settings.data / FILE).exists()
