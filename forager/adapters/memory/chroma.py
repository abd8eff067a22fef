"""The connection to Chroma: a folder that this process or another one owns, or a server."""

import asyncio
import hashlib
import shutil
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from typing import TYPE_CHECKING, Literal, TypeVar

from forager.adapters.memory.chroma_errors import translate_errors
from forager.adapters.memory.collection import Collection
from forager.adapters.memory.folder_owner import (
    DATABASE,
    DROP,
    INSIDE,
    OWNER_NOTE,
    RELEASE,
    OwnerServer,
    Request,
    busy_folder,
    is_untouched,
    note_busy,
    own_folder,
    purge_records,
    run_request,
    seal_files,
    unseal_files,
)
from forager.adapters.memory.index_probe import PROBE_SECONDS, FolderProbe
from forager.adapters.memory.owner_client import OwnerClient, OwnerGoneError
from forager.errors import BusyError, StoreError
from forager.settings import Settings

Value = TypeVar("Value")


class SerialWorker:
    """Runs calls one after another in a thread of its own; safe for threads."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._run_loop, name="memory", daemon=True).start()

    def call(self, work: Callable[[], Value], seconds: float) -> Value:
        """The result of a call. Raises TimeoutError after `seconds`; the call may continue."""
        return asyncio.run_coroutine_threadsafe(_run_call(work), self._loop).result(seconds)

    def stop(self) -> None:
        """End the thread. No call may be running."""
        self._loop.call_soon_threadsafe(self._loop.stop)

    def _run_loop(self) -> None:
        with closing(self._loop):
            self._loop.run_forever()


async def _run_call(work: Callable[[], Value]) -> Value:
    return work()


if TYPE_CHECKING:
    from chromadb.api.client import Client
    from chromadb.api.models.Collection import Collection as Inner

    from forager.adapters.memory.owner_client import OwnerCollection

    AnyClient = Client | OwnerClient
    AnyCollection = Inner | OwnerCollection

Space = Literal["cosine", "ip"]
Result = TypeVar("Result")
EF_CONSTRUCTION = 100
MAX_NEIGHBORS = 16
EF_SEARCH = 400
"""Finds 99.9 % of the nearest three of 100,000 snippets; 100 finds 98.5 % of 8,000."""
SYNC_THRESHOLD = 1000
"""Records between two writes of the index. Records since the last write are indexed again when it
is opened, which takes 1 ms each."""
CALL_SECONDS = 60.0
CLOSE_SECONDS = 10.0
JOIN_SECONDS = 60.0
"""How long to wait for a process that has just opened the folder, or is about to close it."""
JOIN_PAUSE = 0.05
CHECKING = "is being checked, because the process that used it last did not close it"
STUCK = "does not respond, and the process that has it open cannot close it; end that process"
RETRY_SECONDS = 30.0
"""How long Chroma is not called after a fault, because a server may fail slowly."""


class Chroma:
    """Opened by the first call; safe for threads. Every fault is raised as StoreError."""

    def __init__(self, settings: Settings, patience: float = PROBE_SECONDS) -> None:
        """The first call waits `patience` seconds for the check of a folder that was not closed.

        The check then goes on beside the caller, and later calls only look whether it has ended.
        """
        self._patience = patience
        self._folder = settings.data / "memory"
        self._url = settings.chroma_url
        self._user = settings.user
        self._lock = threading.RLock()
        self._held = ExitStack()
        self._stuck: list[ExitStack] = []
        self._trial: tuple[FolderProbe, ExitStack] | None = None
        self._aside: SerialWorker | None = None
        self._client: AnyClient | None = None
        self._owns = False
        self._collections: dict[str, Collection] = {}
        self._fault: tuple[StoreError, float] | None = None

    @property
    def description(self) -> str:
        """The address or the folder, for messages."""
        return self._url or str(self._folder)

    def open_collection(self, kind: str, layout: str, space: Space = "cosine") -> Collection:
        """The user's collection of a kind; `layout` names how its vectors are made.

        Each layout has its own collection. Do not keep the result: after `clear` or a fault it is
        replaced. Raises StoreError.
        """
        key = hashlib.sha256(f"{self._user}\0{layout}".encode()).hexdigest()
        name = f"{kind}-{key[:32]}"
        with self._lock:
            if self._is_joined():
                self._collections.clear()  # their owner may have replaced them
            if name not in self._collections:
                about = {"user": self._user, "kind": kind, "layout": layout}

                def open_inner() -> "AnyCollection":
                    return self._call_opened(
                        lambda client: _get_or_create(client, name, about, space)
                    )

                self._collections[name] = Collection(open_inner, self._call_client)
            return self._collections[name]

    def clear(self) -> None:
        """Delete the user's collections; if the files are damaged, those of all users.

        Raises StoreError, also if another process owns the memory and does not answer.
        """
        with self._lock:
            self._collections.clear()
            self._fault = None
            try:
                self._call_opened(self._delete_all)
            except StoreError:
                if self._url:
                    raise
                self.close()
                self._remove_files()

    def purge(self, ids: Sequence[str]) -> None:
        """Remove from the files what is left of deleted records. A server's files are its own.

        Raises StoreError.
        """
        if self._url:
            return
        with self._lock:
            self._stop_trial()
            self._release_client(sound=True)
            with self._take_folder(), translate_errors(self.description):
                unseal_files(self._folder)
                purge_records(self._folder / INSIDE / DATABASE, ids)
                seal_files(self._folder)

    def close(self) -> None:
        """Close the folder or the connection."""
        with self._lock:
            self._stop_trial()
            self._release_client(sound=True)
            self._fault = None

    def _call_client(self, work: Callable[[], Result]) -> Result:
        """Run a call of Chroma; if it fails, the client is released. Raises StoreError."""
        with self._lock:
            if self._aside is None:
                raise StoreError(f"The memory in {self.description} was closed.", "Try again.")
            try:
                with translate_errors(self.description):
                    return self._aside.call(work, CALL_SECONDS)
            except StoreError as error:
                self._release_client(sound=False)
                if not isinstance(error, OwnerGoneError):
                    self._fault = error, time.monotonic() + RETRY_SECONDS
                raise

    def _call_opened(self, work: "Callable[[AnyClient], Result]") -> Result:
        """Run a call on the client, opened anew if the folder's owner ends. Raises StoreError."""
        end = time.monotonic() + JOIN_SECONDS
        with self._lock:
            while True:
                client = self._open_client()
                try:
                    return self._call_client(lambda: work(client))  # noqa: B023  # it runs at once
                except OwnerGoneError as error:
                    if time.monotonic() > end:
                        self._fault = error, time.monotonic() + RETRY_SECONDS
                        raise
                time.sleep(JOIN_PAUSE)

    def _open_client(self) -> "AnyClient":
        if self._client is not None:
            return self._client
        if self._stuck:
            raise busy_folder(self._folder, STUCK)
        if self._fault and time.monotonic() < self._fault[1]:
            raise self._fault[0]
        try:
            self._aside = SerialWorker()
            self._client = None if self._url else self._join_owner(self._aside)
            if self._client is None:
                self._client = self._call_client(self._make_client)
            if self._owns:
                server = OwnerServer(self._folder, self._answer_request)
                self._held.callback(server.close)
        except StoreError as error:
            self._release_client(sound=False)
            self._fault = error, time.monotonic() + RETRY_SECONDS
            raise
        return self._client

    def _join_owner(self, aside: SerialWorker) -> OwnerClient | None:
        """A connection to the process that owns the folder; None if this one owns it now.

        Raises StoreError, and BusyError if the owner does not answer.
        """
        end = time.monotonic() + JOIN_SECONDS
        while self._trial is None:
            try:
                self._held.enter_context(own_folder(self._folder))
                break
            except BusyError:
                with suppress(OwnerGoneError), translate_errors(self.description):
                    return aside.call(lambda: OwnerClient(self._folder), CALL_SECONDS)
                if time.monotonic() > end:
                    raise
            time.sleep(JOIN_PAUSE)
        self._await_trial()
        unseal_files(self._folder)
        self._owns = True
        return None

    def _await_trial(self) -> None:
        """Check an owned folder that was not closed. Raises BusyError while the check goes on."""
        patience = 0.0
        if self._trial is None:
            if is_untouched(self._folder):
                return
            note_busy(self._folder, CHECKING)
            probe = FolderProbe(self._folder, self._folder / INSIDE)
            self._trial, patience = (probe, self._held.pop_all()), self._patience
        probe, held = self._trial
        try:
            if not probe.is_sound(patience):
                raise busy_folder(self._folder, CHECKING)
        except BusyError:
            raise
        except StoreError:
            self._stop_trial()
            raise
        probe.stop()
        self._trial, self._held = None, held

    def _stop_trial(self) -> None:
        """End a check that goes on, and give the folder up."""
        if self._trial is not None:
            probe, held = self._trial
            self._trial = None
            with held:
                probe.stop()
                (self._folder / OWNER_NOTE).unlink(missing_ok=True)

    def _is_joined(self) -> bool:
        """Is the memory that of another process?"""
        return self._client is not None and not self._owns and not self._url

    def _answer_request(self, request: Request) -> object:
        """The result of another process's request. Raises StoreError, and EOFError if closed."""
        with self._lock:
            client, aside = self._client, self._aside
            if client is None or aside is None or isinstance(client, OwnerClient):
                raise EOFError("the memory was closed")
            if request.get("call") == RELEASE:
                self._release_client(sound=True)
                return None
            if request.get("call") == DROP:
                self._collections.clear()
            try:
                with translate_errors(self.description):
                    return aside.call(lambda: run_request(client, request), CALL_SECONDS)
            except StoreError:
                # After a full disk, Chroma keeps a transaction open that the next call waits for.
                self._release_client(sound=False)
                raise

    @contextmanager
    def _take_folder(self) -> Iterator[None]:
        """Own the folder in the body; a process that has it open closes it. Raises BusyError."""
        end = time.monotonic() + JOIN_SECONDS
        with ExitStack() as held:
            while True:
                try:
                    held.enter_context(own_folder(self._folder))
                    break
                except BusyError:
                    if time.monotonic() > end:
                        raise
                with (
                    suppress(OwnerGoneError, BusyError),
                    closing(OwnerClient(self._folder)) as owner,
                ):
                    owner.release()
                time.sleep(JOIN_PAUSE)
            yield

    def _make_client(self) -> "Client":
        from forager.adapters.memory.chroma_clients import connect_server, open_folder  # noqa: PLC0415  # takes a second

        return connect_server(self._url) if self._url else open_folder(self._folder / INSIDE)

    def _release_client(self, *, sound: bool) -> None:
        """Close the client. The folder of a client that does not close stays locked: it is used."""
        client, aside, owned = self._client, self._aside, self._owns
        self._client = self._aside = None
        self._owns = False
        self._collections.clear()
        if aside:
            try:
                with translate_errors(self.description):
                    aside.call(lambda: _close_client(client), CLOSE_SECONDS)
            except StoreError:
                self._stuck.append(self._held.pop_all())
                if owned:
                    with suppress(StoreError):
                        note_busy(self._folder, STUCK)
                return
            aside.stop()
        if sound and client and owned:
            seal_files(self._folder)
        self._held.close()

    def _delete_all(self, client: "AnyClient") -> None:
        for each in client.list_collections():
            if (each.metadata or {}).get("user") == self._user:
                client.delete_collection(each.name)

    def _remove_files(self) -> None:
        with self._take_folder(), translate_errors(self.description):
            unseal_files(self._folder)
            with suppress(FileNotFoundError):
                shutil.rmtree(self._folder / INSIDE)


def _get_or_create(
    client: "AnyClient", name: str, about: Mapping[str, str], space: Space
) -> "AnyCollection":
    return client.get_or_create_collection(
        name,
        embedding_function=None,
        metadata=dict(about),
        configuration={
            "hnsw": {
                "space": space,
                "ef_construction": EF_CONSTRUCTION,
                "ef_search": EF_SEARCH,
                "max_neighbors": MAX_NEIGHBORS,
                "sync_threshold": SYNC_THRESHOLD,
            }
        },
    )


def _close_client(client: "AnyClient | None") -> None:
    """Close the client; without one, the call only waits for the thread."""
    if isinstance(client, OwnerClient):
        client.close()
    elif client is not None:
        from forager.adapters.memory.chroma_clients import close_client  # noqa: PLC0415  # was loaded before the client

        close_client(client)
