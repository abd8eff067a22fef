"""Lets other processes use the memory of the process that owns its folder.

It listens on loopback. Both sides prove that they can read the key in the folder, which is for its
owner alone. Requests and replies are JSON.
"""

import json
import os
import secrets
import socket
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from multiprocessing import AuthenticationError
from multiprocessing.connection import Connection, answer_challenge, deliver_challenge
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from forager.adapters.memory.chroma_errors import translate_errors
from forager.adapters.memory.folder_owner import OWNER_NOTE
from forager.errors import StoreError
from forager.util.files import atomic_write

if TYPE_CHECKING:
    from chromadb.api.client import Client

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
