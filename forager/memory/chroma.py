"""Chroma as a process has it: in a folder that it owns while it lives, or behind a server."""

import hashlib
import shutil
import threading
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING, Literal

from forager.errors import StoreError
from forager.memory.collection import Collection
from forager.memory.faults import translated
from forager.memory.owner import INSIDE, owned, seal, unseal, untouched
from forager.memory.probe import probe
from forager.settings import Settings

if TYPE_CHECKING:
    from chromadb.api.client import Client

Space = Literal["cosine", "ip"]
EF_CONSTRUCTION = 100
EF_SEARCH = 100
NEIGHBORS = 16
BATCH = 100
SYNC = 1000
AGAIN_SECONDS = 30.0
"""What could not be opened is not tried again for so long: a server may take its time to fail."""


class Chroma:
    """Opened by the first call; safe for threads. Whatever goes wrong is a StoreError."""

    def __init__(self, settings: Settings) -> None:
        self._folder = settings.data / "memory"
        self._url = settings.chroma_url
        self._user = settings.user
        self._lock = threading.RLock()
        self._stack = ExitStack()
        self._client: Client | None = None
        self._collections: dict[str, Collection] = {}
        self._fault: tuple[StoreError, float] | None = None

    @property
    def place(self) -> str:
        """What messages call it."""
        return self._url or str(self._folder)

    def collection(self, kind: str, layout: str, space: Space = "cosine") -> Collection:
        """The user's records of a kind; `layout` names what their vectors are made by.

        Vectors of another layout lie in another collection. Ask for it anew each time: after
        `clear` it is another one. Raises StoreError.
        """
        key = hashlib.sha256(f"{self._user}\0{layout}".encode()).hexdigest()
        name = f"{kind}-{key[:32]}"
        with self._lock:
            if name not in self._collections:
                client = self._opened()
                with translated(self.place):
                    inner = client.get_or_create_collection(
                        name,
                        embedding_function=None,
                        metadata={"user": self._user, "kind": kind, "layout": layout},
                        configuration={
                            "hnsw": {
                                "space": space,
                                "ef_construction": EF_CONSTRUCTION,
                                "ef_search": EF_SEARCH,
                                "max_neighbors": NEIGHBORS,
                                "batch_size": BATCH,
                                "sync_threshold": SYNC,
                            }
                        },
                    )
                self._collections[name] = Collection(inner, self.place, self._lock)
            return self._collections[name]

    def clear(self) -> None:
        """Forget all that the user has; damaged files go as a whole, whoever's they are.

        Raises StoreError, also when another process owns the memory.
        """
        with self._lock:
            self._collections.clear()
            self._fault = None
            try:
                client = self._opened()
                with translated(self.place):
                    for each in client.list_collections():
                        if (each.metadata or {}).get("user") == self._user:
                            client.delete_collection(each.name)
            except StoreError:
                if self._url:
                    raise
                self.close()
                self._remove()

    def close(self) -> None:
        """Release the folder or the connection."""
        with self._lock:
            self._collections.clear()
            self._client = None
            self._fault = None
            self._stack.close()

    def _opened(self) -> "Client":
        if self._client is not None:
            return self._client
        if self._fault and time.monotonic() < self._fault[1]:
            raise self._fault[0]
        try:
            self._client = self._open_remote() if self._url else self._open_embedded()
        except StoreError as error:
            self._stack.close()
            self._fault = error, time.monotonic() + AGAIN_SECONDS
            raise
        return self._client

    def _open_remote(self) -> "Client":
        with translated(self.place):
            from forager.memory.clients import remote  # noqa: PLC0415  # takes a second

            client = remote(self._url)
        self._stack.callback(client.close)
        return client

    def _open_embedded(self) -> "Client":
        from forager.memory.clients import embedded  # noqa: PLC0415  # takes a second

        self._stack.enter_context(owned(self._folder))
        inside = self._folder / INSIDE
        if not untouched(self._folder):
            probe(self._folder, inside)
        unseal(self._folder)
        with translated(self.place):
            client = embedded(inside)
        self._stack.callback(seal, self._folder)
        self._stack.callback(client.close)
        return client

    def _remove(self) -> None:
        with owned(self._folder), translated(self.place):
            unseal(self._folder)
            if (self._folder / INSIDE).exists():
                shutil.rmtree(self._folder / INSIDE)
