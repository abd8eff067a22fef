"""Clients of Chroma, for a folder or a server. Importing this module takes a second."""

from pathlib import Path
from typing import cast
from urllib.parse import urlsplit

import chromadb
import httpx2
from chromadb.api.client import Client
from chromadb.api.shared_system_client import SharedSystemClient
from chromadb.config import Settings

from forager.errors import StoreError

SECONDS = 10.0
"""How long a server may take to reply."""
PORTS = {"http": 8000, "https": 443}


def open_folder(folder: Path) -> Client:
    """A client on a folder that no other client of this process has open.

    Raises Chroma's errors.
    """
    # Chroma remembers a folder as open even if opening it failed.
    SharedSystemClient._identifier_to_system.pop(str(folder), None)
    quiet = Settings(_env_file=None, anonymized_telemetry=False)
    return cast(Client, chromadb.PersistentClient(str(folder), settings=quiet))


def connect_server(url: str) -> Client:
    """A client of a server. Raises StoreError for an invalid address, and Chroma's and httpx2's."""
    parts = urlsplit(url)
    if parts.scheme not in PORTS or not parts.hostname:
        raise StoreError(
            f"{url} is not the address of a Chroma server.",
            "Set FORAGER_CHROMA_URL to an address such as http://127.0.0.1:8000.",
        )
    port = parts.port or PORTS[parts.scheme]
    httpx2.get(
        f"{parts.scheme}://{parts.hostname}:{port}/api/v2/heartbeat",
        timeout=SECONDS,
        trust_env=False,
    ).raise_for_status()
    quiet = Settings(_env_file=None, anonymized_telemetry=False)
    secure = parts.scheme == "https"
    client = cast(Client, chromadb.HttpClient(parts.hostname, port, ssl=secure, settings=quiet))
    # Chroma sets no timeout.
    client._server._session.timeout = SECONDS  # type: ignore[attr-defined]
    return client


def close_client(client: Client) -> None:
    """Close a client, with the connections to a server that Chroma would leave open."""
    client.close()
    for each in (client, client._admin_client):
        session = getattr(getattr(each, "_server", None), "_session", None)
        if session is not None:
            session.close()
