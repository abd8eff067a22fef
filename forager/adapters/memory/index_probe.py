"""Tries out a Chroma folder in another process, because a damaged index can crash its reader."""

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from forager.adapters.memory.chroma_errors import translate_errors
from forager.adapters.memory.folder_owner import damaged_folder
from forager.errors import StoreError

if TYPE_CHECKING:
    from chromadb.api.models.Collection import Collection

SECONDS = 60.0
"""A damaged index can also hang its reader."""
SAMPLE = 200
PROBE_ID = "forager-probe"


def probe_folder(folder: Path, inside: Path, seconds: float = SECONDS) -> None:
    """Read and write every collection in `inside`, in another process. Raises StoreError."""
    command = [sys.executable, "-m", "forager.adapters.memory.index_probe", str(inside)]
    try:
        done = subprocess.run(  # noqa: S603
            command, capture_output=True, text=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise damaged_folder(folder, "it could not be read in time") from error
    except OSError as error:
        raise damaged_folder(folder, f"it could not be checked ({error})") from error
    if done.returncode < 0:
        raise damaged_folder(folder, f"reading it crashes (signal {-done.returncode})")
    if done.returncode:
        raise damaged_folder(
            folder, (done.stderr.strip().splitlines() or ["it cannot be read"])[-1]
        )


def main(inside: str) -> int:
    """The program of the other process; returns 1, with a line on stderr, for a damaged folder."""
    from forager.adapters.memory.chroma_clients import open_folder  # noqa: PLC0415  # Chroma takes a second

    try:
        with translate_errors(inside):
            client = open_folder(Path(inside))
            for collection in client.list_collections():
                _try_collection(client.get_collection(collection.name, embedding_function=None))
            client.close()
    except StoreError as error:
        sys.stderr.write(f"\n{error.__cause__ or error.what}\n")
        return 1
    return 0


def _try_collection(collection: "Collection") -> None:
    """Read vectors, search with one of them, then write and delete a record."""
    some = collection.get(limit=SAMPLE, include=["embeddings"])
    vectors = np.asarray(some["embeddings"], np.float32)
    if not len(vectors):
        return
    if not np.isfinite(vectors).all():
        raise ValueError("the vectors of its index are not finite")
    collection.query(query_embeddings=vectors[:1], n_results=SAMPLE, include=["distances"])
    collection.upsert(ids=[PROBE_ID], embeddings=vectors[:1], metadatas=[{"text": ""}])
    collection.delete(ids=[PROBE_ID])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
