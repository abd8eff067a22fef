"""Files that are there whole or not at all, and changed by one at a time."""

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Whoever else would change the file at `path` alone waits for the body. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    folder = os.open(path.parent, os.O_RDONLY)  # its lock leaves no file behind
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


@contextmanager
def placed(path: Path) -> Iterator[Path]:
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
