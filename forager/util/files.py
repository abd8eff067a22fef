"""Files that are there whole or not at all, and changed by one at a time."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import lock_descriptor

LOCK_FILE = ".lock"
POLL_SECONDS = 0.01


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Others that would change a file of this folder alone wait for the body. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with (path.parent / LOCK_FILE).open("a") as lock:
        lock_descriptor(lock.fileno(), poll_interval=POLL_SECONDS)
        yield


@contextmanager
def atomic_write(path: Path) -> Iterator[Path]:
    """A file to write during the body, readable to its owner alone; it then stands at `path`.

    Where the body fails, `path` is as it was. Raises OSError.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    number, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    os.close(number)
    fresh = Path(name)
    try:
        yield fresh
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)
