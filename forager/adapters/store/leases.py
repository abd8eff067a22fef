"""One process at a time for one session. The operating system ends a lease with its process."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import lock_descriptor

from forager.adapters.store.store_errors import translate_errors
from forager.errors import SessionError

ATTEMPTS = 10
PAUSE_SECONDS = 0.02
"""A look at the lease holds it for a moment; whoever wants it tries again."""
PROBES = 4
PROBE_SECONDS = 0.005
"""A look may meet that of another process; so it is taken again."""
PROBE_LOCK = threading.Lock()
"""The looks of this process do not meet."""


@contextmanager
def hold_lease(folder: Path, id: str) -> Iterator[None]:
    """Hold a session. Raises SessionError when another run holds it."""
    path = folder / f"{id}.lock"
    with translate_errors(path):
        folder.mkdir(parents=True, exist_ok=True)
        file = path.open("a")
    with file:
        for _ in range(ATTEMPTS):
            if lock_descriptor(file.fileno(), blocking=False):
                break
            time.sleep(PAUSE_SECONDS)
        else:
            raise SessionError(
                f"Session {id!r} is being run elsewhere.",
                f"Wait for it; watch it in forager ui, which can stop it, or with forager history "
                f"{id}; or end it with Ctrl-C where it runs.",
            )
        yield


def is_held(folder: Path, id: str) -> bool:
    """Is the session being run now, by this process or another?"""
    path = folder / f"{id}.lock"
    for _ in range(PROBES - 1):
        if not _is_locked(path):
            return False
        time.sleep(PROBE_SECONDS)
    return _is_locked(path)


def _is_locked(path: Path) -> bool:
    """Is the file locked at this moment?"""
    try:
        with PROBE_LOCK, path.open("r+") as file:
            return not lock_descriptor(file.fileno(), blocking=False)
    except FileNotFoundError:
        return False
