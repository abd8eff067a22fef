"""Leases: one process at a time runs a session. A lease ends with its process."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import lock_descriptor

from forager.adapters.store.store_files import translate_errors
from forager.errors import SessionError
from forager.util.files import append_to_private, make_private_folder

ATTEMPTS = 10
PAUSE_SECONDS = 0.02
"""Probing a lease holds it for a moment, so taking one is retried."""
PROBES = 4
PROBE_SECONDS = 0.005
"""A probe may collide with that of another process, so it is repeated."""
PROBE_LOCK = threading.Lock()
"""Keeps the probes of this process from colliding."""


@contextmanager
def hold_lease(folder: Path, id: str, attempts: int = ATTEMPTS) -> Iterator[None]:
    """Hold the lease of a session in the body. Raises SessionError if another run holds it."""
    path = folder / f"{id}.lock"
    with translate_errors(path):
        make_private_folder(folder)
        file = append_to_private(path)
    with file:
        for _ in range(attempts):
            if lock_descriptor(file.fileno(), blocking=False):
                break
            time.sleep(PAUSE_SECONDS)
        else:
            raise SessionError(
                f"Session {id!r} is running in another process.",
                f"Wait until it ends, watch it with forager history {id}, or stop it: in forager "
                f"ui, or with Ctrl-C where it runs.",
            )
        yield


def is_held(folder: Path, id: str) -> bool:
    """Whether this process or another runs the session now."""
    path = folder / f"{id}.lock"
    for _ in range(PROBES - 1):
        if not _is_locked(path):
            return False
        time.sleep(PROBE_SECONDS)
    return _is_locked(path)


def _is_locked(path: Path) -> bool:
    """Whether the file is locked at this moment."""
    try:
        with PROBE_LOCK, path.open("r+") as file:
            return not lock_descriptor(file.fileno(), blocking=False)
    except (FileNotFoundError, NotADirectoryError):
        return False
