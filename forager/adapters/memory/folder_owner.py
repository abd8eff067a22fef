"""The process that owns the memory's folder: its lock, the seal of closed files, what it purges.

`OwnerServer` lets other processes use the memory. It listens on loopback. Both sides prove that
they can read the key in the folder, which is for its owner alone. Requests and replies are JSON.
"""

import json
import os
import secrets
import socket
import sqlite3
import struct
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from multiprocessing import AuthenticationError
from multiprocessing.connection import Connection, answer_challenge, deliver_challenge
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from filelock import lock_descriptor

from forager.adapters.memory.chroma_errors import REBUILD, translate_errors
from forager.errors import BusyError, StoreError
from forager.util.files import (
    append_to_private,
    atomic_write,
    make_private_folder,
    take_from_others,
)
from forager.util.sqlite import write_transaction

if TYPE_CHECKING:
    from chromadb.api.client import Client


LOCK = "owner.lock"
SEAL = "sealed.json"
OWNER_NOTE = "owner.json"
"""Where the owner says how it can be reached, or why it cannot."""
INSIDE = "chroma"
DATABASE = "chroma.sqlite3"

QUEUED = "UPDATE embeddings_queue SET metadata = NULL WHERE id = ?"

INDEX_VERSION = struct.pack("<i", 1)
INDEX_HEADER = 36
"""Bytes of the header of a vector index up to its numbers of rows and the bytes of each."""
LENGTH_BYTES = 4

Seal = dict[str, tuple[int, int]]


@contextmanager
def own_folder(folder: Path) -> Iterator[None]:
    """Hold the lock on the folder in the body. Raises BusyError if another process has it."""
    with translate_errors(str(folder)):
        make_private_folder(folder)
        take_from_others(folder)  # Chroma lets everybody read what it writes
        file = append_to_private(folder / LOCK)
    with file:
        if not lock_descriptor(file.fileno(), blocking=False):
            raise BusyError(
                f"The memory in {folder} is in use by another process.",
                "What this run teaches is stored after that process has ended.",
            )
        yield


def note_busy(folder: Path, why: str) -> None:
    """Tell other processes why the folder that this one owns cannot be used for now."""
    with translate_errors(str(folder)), atomic_write(folder / OWNER_NOTE) as temporary:
        temporary.write_text(json.dumps({"busy": why}))


def busy_folder(folder: Path, why: str) -> BusyError:
    """The error for a folder that cannot be used for now."""
    return BusyError(
        f"The memory in {folder} {why}.", "What this run teaches is stored later; nothing is lost."
    )


def seal_files(folder: Path) -> None:
    """Record size and time of the closed files; nothing is recorded if the disk is full."""
    note = folder / SEAL
    try:
        _clear_unused_rows(folder / INSIDE)
        note.write_text(json.dumps(_file_states(folder / INSIDE)))
        take_from_others(folder)
    except OSError:
        note.unlink(missing_ok=True)


def unseal_files(folder: Path) -> None:
    """Remove the seal, because the files are about to change."""
    with translate_errors(str(folder)):
        (folder / SEAL).unlink(missing_ok=True)


def is_untouched(folder: Path) -> bool:
    """Whether the files are as they were closed, or do not exist yet.

    After a crash or a change by another program they are not; probe them before use. Raises
    StoreError if a file is missing or has another length.
    """
    with translate_errors(str(folder)):
        now, then = _file_states(folder / INSIDE), _read_seal(folder / SEAL)
    if DATABASE not in now and (now or then):
        raise damaged_folder(folder, f"{DATABASE} is missing")
    if then is None:
        return not now
    for name, (size, _) in then.items():
        if name not in now:
            raise damaged_folder(folder, f"{name} is missing")
        if now[name][0] != size:
            raise damaged_folder(folder, f"the length of {name} has changed")
    return now == then


def _clear_unused_rows(folder: Path) -> None:
    """Fill the rows of each vector index that hold no record with zeros. Raises OSError.

    Chroma writes there whatever lay in its memory, such as text of questions and pages.
    """
    for header in folder.glob("*/header.bin"):
        head = header.read_bytes()
        if head[: len(INDEX_VERSION)] != INDEX_VERSION or len(head) < INDEX_HEADER:
            continue
        _, most, used, size = struct.unpack_from("<4Q", head, len(INDEX_VERSION))
        for name, row in (("data_level0.bin", size), ("length.bin", LENGTH_BYTES)):
            file = header.with_name(name)
            if file.exists() and file.stat().st_size == most * row and used < most:
                with file.open("r+b") as rows:
                    rows.truncate(used * row)
                    rows.truncate(most * row)


def purge_records(database: Path, ids: Sequence[str]) -> None:
    """Remove what is left of deleted records, then rewrite the file. Raises sqlite3.Error.

    Chroma keeps every write in a queue, from which an index is caught up when it is opened: the
    rows stay, without their text.
    """
    if not database.exists():
        return
    with closing(sqlite3.connect(database, isolation_level=None)) as db:
        with write_transaction(db):
            db.executemany(QUEUED, [(id,) for id in ids])
        db.execute("VACUUM")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def damaged_folder(folder: Path, how: str) -> StoreError:
    """The error for a folder whose files cannot be used."""
    return StoreError(f"The memory in {folder} is damaged: {how}.", REBUILD)


def _file_states(folder: Path) -> Seal:
    """Size in bytes and modification time in ns of each file, by relative path."""
    found = {path: path.stat() for path in sorted(folder.rglob("*")) if path.is_file()}
    return {
        str(path.relative_to(folder)): (stat.st_size, stat.st_mtime_ns)
        for path, stat in found.items()
    }


def _read_seal(note: Path) -> Seal | None:
    """The recorded file states; None if there are none, or they are unreadable."""
    try:
        found = json.loads(note.read_text())
    except (FileNotFoundError, ValueError):
        return None
    return {name: (size, time) for name, (size, time) in found.items()}


RELEASE, OPEN, LIST, DROP = "release", "open", "list", "drop"
COLLECTION_CALLS = frozenset({"count", "upsert", "query", "get", "delete"})
VECTORS = ("embeddings", "query_embeddings")
ACCEPT_SECONDS = 0.2
"""How often a server looks whether it was closed."""
PEER_ERRORS = (OSError, EOFError, AuthenticationError, ValueError)
"""What a peer can do: vanish, have another key, or send what is no request."""

Request = Mapping[str, Any]
Answer = Callable[[Request], object]


class OwnerServer:
    """Answers the requests of other processes, each connection in a thread of its own."""

    def __init__(self, folder: Path, answer: Answer) -> None:
        """Serve until it is closed; `answer` raises StoreError, or EOFError if nothing is open.

        Raises StoreError.
        """
        self._answer = answer
        self._key = secrets.token_bytes(32)
        self._note = folder / OWNER_NOTE
        self._closed = threading.Event()
        self._connections: set[Connection] = set()
        with translate_errors(str(folder)):
            self._socket = socket.create_server(("127.0.0.1", 0))
            self._socket.settimeout(ACCEPT_SECONDS)
            port = self._socket.getsockname()[1]
            with atomic_write(self._note) as temporary:
                temporary.write_text(json.dumps({"port": port, "key": self._key.hex()}))
        threading.Thread(target=self._accept, name="memory-owner", daemon=True).start()

    def close(self) -> None:
        """Stop answering; other processes may own the folder next."""
        self._closed.set()
        with suppress(OSError):
            self._note.unlink(missing_ok=True)
        for connection in tuple(self._connections):
            with suppress(OSError), socket.socket(fileno=os.dup(connection.fileno())) as same:
                same.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        with self._socket:
            while not self._closed.is_set():
                try:
                    accepted, _ = self._socket.accept()
                except TimeoutError:
                    continue
                accepted.settimeout(None)
                connection = Connection(accepted.detach())
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: Connection) -> None:
        self._connections.add(connection)
        with connection, suppress(*PEER_ERRORS):
            deliver_challenge(connection, self._key)
            answer_challenge(connection, self._key)
            while not self._closed.is_set():
                request = json.loads(connection.recv_bytes())
                connection.send_bytes(write_json(self._reply(request)))
        self._connections.discard(connection)

    def _reply(self, request: Request) -> dict[str, object]:
        try:
            return {"result": self._answer(request)}
        except StoreError as error:
            return {"error": [error.what, error.mend]}


def run_request(client: "Client", request: Request) -> object:
    """Run a request on a client of Chroma. Raises Chroma's errors and ValueError."""
    call, name = request["call"], request["name"]
    if call == LIST:
        return [
            {"name": each.name, "metadata": each.metadata} for each in client.list_collections()
        ]
    if call == DROP:
        client.delete_collection(name)
        return None
    collection = client.get_or_create_collection(name, embedding_function=None, **request["made"])
    if call == OPEN:
        return str(collection.id)
    if call not in COLLECTION_CALLS:
        raise ValueError(f"there is no call {call!r}")
    arguments = dict(request["arguments"])
    for key in VECTORS:
        if key in arguments:
            arguments[key] = np.asarray(arguments[key], np.float32)
    return getattr(collection, call)(**arguments)


def write_json(value: object) -> bytes:
    """A request or a reply as bytes; arrays become lists."""
    return json.dumps(value, default=lambda array: array.tolist()).encode()
