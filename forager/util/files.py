"""Atomic writes, and locks between processes."""

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
    """Lock the folder of a file against other processes during the body. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with (path.parent / LOCK_FILE).open("a") as lock:
        lock_descriptor(lock.fileno(), poll_interval=POLL_SECONDS)
        yield


@contextmanager
def atomic_write(path: Path) -> Iterator[Path]:
    """Yield a temporary file, readable only by its owner; it replaces `path` after the body.

    If the body fails, `path` is unchanged. Raises OSError.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    number, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    os.close(number)
    temporary = Path(name)
    try:
        yield temporary
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
