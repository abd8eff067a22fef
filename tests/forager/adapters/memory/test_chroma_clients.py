"""Clients of Chroma on a folder."""

from pathlib import Path

import pytest
from chromadb.errors import ChromaError

from forager.adapters.memory.chroma_clients import close, embedded


def test_a_folder_that_could_not_be_opened_can_be_once_it_is_mended(tmp_path: Path) -> None:
    database = tmp_path / "chroma.sqlite3"
    database.write_bytes(b"no database" * 100)
    with pytest.raises(ChromaError):
        embedded(tmp_path)
    database.unlink()
    client = embedded(tmp_path)
    assert client.list_collections() == []
    close(client)
