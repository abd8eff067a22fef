"""A process that has a memory open: python -m tests.forager.adapters.memory.worker MODE FOLDER."""

import resource
import sys
from contextlib import closing
from pathlib import Path

import numpy as np

from forager.adapters.memory.chroma import Chroma
from forager.adapters.memory.collection import Collection, Record
from forager.errors import StoreError
from forager.settings import Settings

SIZE = 100
DIMENSIONS = 16


def records(start: int) -> list[Record]:
    return [Record(f"r{place}", "word " * 60) for place in range(start, start + SIZE)]


def fill(collection: Collection, batches: int) -> None:
    """Store batches, and print a line after each."""
    for batch in range(batches):
        rows = np.random.default_rng(batch).normal(size=(SIZE, DIMENSIONS)).astype(np.float32)
        collection.upsert(records(batch * SIZE), rows)
        sys.stdout.write(f"{(batch + 1) * SIZE}\n")
        sys.stdout.flush()


def main(mode: str, folder: str) -> None:
    with closing(Chroma(Settings(data=Path(folder)))) as chroma:
        collection = chroma.open_collection("things", "one")
        if mode == "full":
            resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, resource.RLIM_INFINITY))
        try:
            fill(collection, {"hold": 1, "fill": 1000, "full": 100}[mode])
            sys.stdin.read()
        except StoreError as error:
            sys.stdout.write(f"{error}\n")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
