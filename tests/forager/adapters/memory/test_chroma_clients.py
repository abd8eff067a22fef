"""Clients of Chroma on a folder."""

from pathlib import Path

import pytest
from chromadb.errors import ChromaError

from forager.adapters.memory.chroma_clients import close_client, open_folder


def test_repaired_folder_can_be_opened(tmp_path: Path) -> None:
    database = tmp_path / "chroma.sqlite3"
    database.write_bytes(b"no database" * 100)
    with pytest.raises(ChromaError):
        open_folder(tmp_path)
    database.unlink()
    client = open_folder(tmp_path)
    assert client.list_collections() == []
    close_client(client)
