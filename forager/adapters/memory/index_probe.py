"""Tries out a Chroma folder in another process, because a damaged index can crash its reader."""

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from forager.adapters.memory.chroma_errors import translate_errors
from forager.adapters.memory.folder_owner import damaged_folder
from forager.errors import StoreError

if TYPE_CHECKING:
    from chromadb.api.models.Collection import Collection

PROBE_SECONDS = 60.0
"""A damaged index can also hang its reader."""
SAMPLE = 200
PROBE_ID = "forager-probe"


class FolderProbe:
    """A process that reads and writes every collection in `inside`, while its caller goes on."""

    def __init__(self, folder: Path, inside: Path, seconds: float = PROBE_SECONDS) -> None:
        """Start it; after `seconds` without an end the folder counts as damaged.

        Raises StoreError.
        """
        self._folder = folder
        self._end = time.monotonic() + seconds
        self._told = tempfile.TemporaryFile()  # noqa: SIM115  # `stop` closes it
        try:
            self._process = subprocess.Popen(  # noqa: S603
                [sys.executable, "-m", "forager.adapters.memory.index_probe", str(inside)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._told,
            )
        except OSError as error:
            self._told.close()
            raise damaged_folder(folder, f"it could not be checked ({error})") from error

    def is_sound(self, patience: float) -> bool:
        """Whether it came to a good end; False if it goes on after `patience` seconds.

        Raises StoreError for a damaged folder.
        """
        try:
            code = self._process.wait(min(patience, max(self._end - time.monotonic(), 0)))
        except subprocess.TimeoutExpired as error:
            if time.monotonic() < self._end:
                return False
            raise damaged_folder(self._folder, "it could not be read in time") from error
        if code < 0:
            raise damaged_folder(self._folder, f"reading it crashes (signal {-code})")
        if code:
            self._told.seek(0)
            told = self._told.read().decode(errors="replace").strip().splitlines()
            raise damaged_folder(self._folder, (told or ["it cannot be read"])[-1])
        return True

    def stop(self) -> None:
        """End it, if it still runs."""
        self._process.kill()
        self._process.wait()
        self._told.close()


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
