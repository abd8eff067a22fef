"""Uses the memory of another process, the one that owns its folder."""

import json
import socket
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from multiprocessing import AuthenticationError
from multiprocessing.connection import Connection, answer_challenge, deliver_challenge
from pathlib import Path
from typing import Any

from forager.adapters.memory.folder_owner import (
    DROP,
    LIST,
    OPEN,
    OWNER_NOTE,
    RELEASE,
    busy_folder,
    write_json,
)
from forager.errors import BusyError, StoreError

CONNECT_SECONDS = 5.0
REPLY_SECONDS = 20.0
"""How long the owner may take for a reply; one that is stopped or stuck never replies."""


class OwnerGoneError(StoreError):
    """The process that owned the memory has ended, or does not serve it yet."""


@dataclass(frozen=True)
class OwnerCollection:
    """A collection in the owner's process, with the methods of Chroma's that we call."""

    client: "OwnerClient"
    name: str
    metadata: Mapping[str, Any] = field(default_factory=dict)
    configuration: Mapping[str, Any] = field(default_factory=dict)
    id: str = ""

    def count(self) -> Any:
        return self._ask("count")

    def upsert(self, **arguments: Any) -> Any:
        return self._ask("upsert", **arguments)

    def query(self, **arguments: Any) -> Any:
        return self._ask("query", **arguments)

    def get(self, **arguments: Any) -> Any:
        return self._ask("get", **arguments)

    def delete(self, **arguments: Any) -> Any:
        return self._ask("delete", **arguments)

    def _ask(self, call: str, **arguments: Any) -> Any:
        made = {"metadata": self.metadata, "configuration": self.configuration}
        return self.client.ask(call, self.name, made=made, arguments=arguments)


class OwnerClient:
    """A connection to the owner, with the methods of Chroma's client that we call.

    For one thread. Every method raises StoreError, OwnerGoneError if the owner has ended, and
    BusyError if it does not reply; then the connection must be closed.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        try:
            note = json.loads((folder / OWNER_NOTE).read_text(encoding="utf-8"))
            if "busy" in note:
                raise busy_folder(folder, str(note["busy"]))
            address, key = ("127.0.0.1", int(note["port"])), bytes.fromhex(note["key"])
            opened = socket.create_connection(address, CONNECT_SECONDS)
            opened.settimeout(None)
            self._connection = Connection(opened.detach())
            if not self._connection.poll(CONNECT_SECONDS):
                raise EOFError
            answer_challenge(self._connection, key)
            deliver_challenge(self._connection, key)
        except (OSError, EOFError, AuthenticationError, ValueError, KeyError) as error:
            raise self._gone() from error

    def get_or_create_collection(
        self,
        name: str,
        *,
        embedding_function: None,
        metadata: Mapping[str, Any],
        configuration: Mapping[str, Any],
    ) -> OwnerCollection:
        """The collection of this name."""
        made = {"metadata": metadata, "configuration": configuration}
        id = str(self.ask(OPEN, name, made=made))
        return OwnerCollection(self, name, metadata, configuration, id)

    def list_collections(self) -> Sequence[OwnerCollection]:
        """All collections, of all users."""
        found = self.ask(LIST)
        return [OwnerCollection(self, each["name"], each["metadata"] or {}) for each in found]

    def delete_collection(self, name: str) -> None:
        """Delete a collection."""
        self.ask(DROP, name)

    def release(self) -> None:
        """Have the owner close the folder, so that another process may own it."""
        try:
            self.ask(RELEASE)
        except OwnerGoneError:
            return  # it has

    def ask(self, call: str, name: str = "", **rest: Any) -> Any:
        """The owner's reply to a request."""
        try:
            self._connection.send_bytes(write_json({"call": call, "name": name, **rest}))
            if not self._connection.poll(REPLY_SECONDS):
                raise BusyError(
                    f"The process that has the memory in {self._folder} open did not reply for "
                    f"{REPLY_SECONDS:g} seconds.",
                    "End that process; what this run teaches is stored later.",
                )
            reply = json.loads(self._connection.recv_bytes())
        except (OSError, EOFError, ValueError) as error:
            raise self._gone() from error
        if "error" in reply:
            what, mend = reply["error"]
            raise StoreError(what, mend)
        return reply["result"]

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _gone(self) -> OwnerGoneError:
        return OwnerGoneError(
            f"The process that has the memory in {self._folder} open does not answer.",
            "Try again; what this run teaches is stored later.",
        )
