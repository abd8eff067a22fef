"""Leases: one process at a time runs a session. A lease ends with its process."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import lock_descriptor

from forager.adapters.store.server_leases import leases_on
from forager.adapters.store.store_files import translate_errors
from forager.errors import SessionError
from forager.util.files import append_to_private, make_private_folder
from forager.util.place import Place, Server

ATTEMPTS = 10
PAUSE_SECONDS = 0.02
"""Probing a lease holds it for a moment, so taking one is retried."""
PROBES = 4
PROBE_SECONDS = 0.005
"""A probe may collide with that of another process, so it is repeated."""
PROBE_LOCK = threading.Lock()
"""Keeps the probes of this process from colliding."""


@contextmanager
def hold_lease(place: Place, id: str, attempts: int = ATTEMPTS) -> Iterator[None]:
    """Hold the lease of a session in the body, in a folder or on a server.

    Raises SessionError if another run holds it, and StoreError.
    """
    with (
        _hold_file(place, id, attempts)
        if isinstance(place, Path)
        else _hold_on_server(place, id, attempts)
    ):
        yield


def queue_lease(id: str) -> str:
    """The name of the lease by which a session waits for a worker; no session has that ID."""
    return f"-{id}"


def is_taken(place: Place, id: str) -> bool:
    """Whether the session runs now, or waits for a worker of a cluster. Raises StoreError."""
    return is_held(place, id) or is_held(place, queue_lease(id))


@contextmanager
def _hold_file(folder: Path, id: str, attempts: int) -> Iterator[None]:
    path = folder / f"{id}.lock"
    with translate_errors(path):
        make_private_folder(folder)
        file = append_to_private(path)
    with file:
        _try_often(lambda: lock_descriptor(file.fileno(), blocking=False), id, attempts)
        yield


@contextmanager
def _hold_on_server(server: Server, id: str, attempts: int) -> Iterator[None]:
    leases = leases_on(server)
    _try_often(lambda: leases.take(id), id, attempts)
    try:
        yield
    finally:
        leases.release(id)


def _try_often(take: Callable[[], bool], id: str, attempts: int) -> None:
    for _ in range(attempts):
        if take():
            return
        time.sleep(PAUSE_SECONDS)
    raise SessionError(
        f"Session {id!r} is running in another process.",
        f"Wait until it ends, watch it with forager history {id}, or stop it: in forager "
        f"ui, or with Ctrl-C where it runs.",
    )


def is_held(place: Place, id: str) -> bool:
    """Whether this process or another runs the session now. Raises StoreError."""
    if not isinstance(place, Path):
        return leases_on(place).is_held(id)
    path = place / f"{id}.lock"
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
