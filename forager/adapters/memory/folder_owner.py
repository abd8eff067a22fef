"""The lock on the memory's folder, and the seal that shows whether its files changed since."""

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path

from filelock import lock_descriptor

from forager.adapters.memory.chroma_errors import REBUILD, translate_errors
from forager.errors import BusyError, StoreError
from forager.util.files import append_to_private, make_private_folder, take_from_others

LOCK = "owner.lock"
SEAL = "sealed.json"
INSIDE = "chroma"
DATABASE = "chroma.sqlite3"

Seal = dict[str, tuple[int, int]]


@contextlib.contextmanager
def own_folder(folder: Path) -> Iterator[None]:
    """Hold the lock on the folder in the body. Raises BusyError if another process has it."""
    with translate_errors(str(folder)):
        make_private_folder(folder)
        take_from_others(folder)  # Chroma lets everybody read what it writes
        file = append_to_private(folder / LOCK)
    with file:
        if not lock_descriptor(file.fileno(), blocking=False):
            raise BusyError(
                f"The memory in {folder} is in use by another process.",
                "What this run teaches is stored after that process has ended.",
            )
        yield


def seal_files(folder: Path) -> None:
    """Record size and time of the closed files; nothing is recorded if the disk is full."""
    note = folder / SEAL
    try:
        note.write_text(json.dumps(_file_states(folder / INSIDE)))
        take_from_others(folder)
    except OSError:
        note.unlink(missing_ok=True)


def unseal_files(folder: Path) -> None:
    """Remove the seal, because the files are about to change."""
    with translate_errors(str(folder)):
        (folder / SEAL).unlink(missing_ok=True)


def is_untouched(folder: Path) -> bool:
    """Whether the files are as they were closed, or do not exist yet.

    After a crash or a change by another program they are not; probe them before use. Raises
    StoreError if a file is missing or has another length.
    """
    with translate_errors(str(folder)):
        now, then = _file_states(folder / INSIDE), _read_seal(folder / SEAL)
    if DATABASE not in now and (now or then):
        raise damaged_folder(folder, f"{DATABASE} is missing")
    if then is None:
        return not now
    for name, (size, _) in then.items():
        if name not in now:
            raise damaged_folder(folder, f"{name} is missing")
        if now[name][0] != size:
            raise damaged_folder(folder, f"the length of {name} has changed")
    return now == then


def damaged_folder(folder: Path, how: str) -> StoreError:
    """The error for a folder whose files cannot be used."""
    return StoreError(f"The memory in {folder} is damaged: {how}.", REBUILD)


def _file_states(folder: Path) -> Seal:
    """Size in bytes and modification time in ns of each file, by relative path."""
    found = {path: path.stat() for path in sorted(folder.rglob("*")) if path.is_file()}
    return {
        str(path.relative_to(folder)): (stat.st_size, stat.st_mtime_ns)
        for path, stat in found.items()
    }


def _read_seal(note: Path) -> Seal | None:
    """The recorded file states; None if there are none, or they are unreadable."""
    try:
        found = json.loads(note.read_text())
    except (FileNotFoundError, ValueError):
        return None
    return {name: (size, time) for name, (size, time) in found.items()}
