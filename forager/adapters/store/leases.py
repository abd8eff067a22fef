"""One process at a time for one session. The operating system ends a lease with its process."""

import fcntl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from forager.adapters.store.store_errors import translated
from forager.errors import SessionError

ATTEMPTS = 10
PAUSE_SECONDS = 0.02
"""A look at the lease holds it for a moment; whoever wants it tries again."""


@contextmanager
def lease(folder: Path, id: str) -> Iterator[None]:
    """Hold a session. Raises SessionError when another run holds it."""
    path = folder / f"{id}.lock"
    with translated(path):
        folder.mkdir(parents=True, exist_ok=True)
        file = path.open("a")
    with file:
        for _ in range(ATTEMPTS):
            if _locked(file.fileno(), fcntl.LOCK_EX):
                break
            time.sleep(PAUSE_SECONDS)
        else:
            raise SessionError(
                f"Session {id!r} is being run elsewhere.",
                f"Wait for it; watch it in forager ui, which can stop it, or with forager history "
                f"{id}; or end it with Ctrl-C where it runs.",
            )
        yield


def held(folder: Path, id: str) -> bool:
    """Is the session being run now, by this process or another?"""
    try:
        file = (folder / f"{id}.lock").open("a")
    except FileNotFoundError:
        return False
    with file:
        return not _locked(file.fileno(), fcntl.LOCK_SH)


def _locked(descriptor: int, kind: int) -> bool:
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
