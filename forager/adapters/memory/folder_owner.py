"""Who has the memory's folder, and whether it is as its last owner left it."""

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path

from filelock import lock_descriptor

from forager.adapters.memory.chroma_errors import REBUILD, translate_errors
from forager.errors import BusyError, StoreError

LOCK = "owner.lock"
SEAL = "sealed.json"
INSIDE = "chroma"
DATABASE = "chroma.sqlite3"

Seal = dict[str, tuple[int, int]]


@contextlib.contextmanager
def own_folder(folder: Path) -> Iterator[None]:
    """Hold the folder until the process ends. Raises BusyError when another one does."""
    with translate_errors(str(folder)):
        folder.mkdir(parents=True, exist_ok=True)
        file = (folder / LOCK).open("a")
    with file:
        if not lock_descriptor(file.fileno(), blocking=False):
            raise BusyError(
                f"The memory in {folder} is in use by another process.",
                "What this run teaches is kept once that one has ended.",
            )
        yield


def seal_files(folder: Path) -> None:
    """Note what the files are like now that they are closed; a full disk leaves no note."""
    note = folder / SEAL
    try:
        note.write_text(json.dumps(_file_states(folder / INSIDE)))
    except OSError:
        note.unlink(missing_ok=True)


def unseal_files(folder: Path) -> None:
    """From now on the files change."""
    with translate_errors(str(folder)):
        (folder / SEAL).unlink(missing_ok=True)


def is_untouched(folder: Path) -> bool:
    """Are the files as they were closed, or is nothing there yet?

    Not so after a crash, or when another hand wrote to them: look before you leap. Raises
    StoreError where one of them is gone or has another length.
    """
    with translate_errors(str(folder)):
        now, then = _file_states(folder / INSIDE), _read_seal(folder / SEAL)
    if DATABASE not in now and (now or then):
        raise damaged_folder(folder, f"{DATABASE} is gone")
    if then is None:
        return not now
    for name, (size, _) in then.items():
        if name not in now:
            raise damaged_folder(folder, f"{name} is gone")
        if now[name][0] != size:
            raise damaged_folder(folder, f"{name} has another length than it was left with")
    return now == then


def damaged_folder(folder: Path, how: str) -> StoreError:
    """The error for files that cannot be used any more."""
    return StoreError(f"The memory in {folder} is damaged: {how}.", REBUILD)


def _file_states(folder: Path) -> Seal:
    """Length and time of change (ns) of each file below."""
    found = {path: path.stat() for path in sorted(folder.rglob("*")) if path.is_file()}
    return {
        str(path.relative_to(folder)): (stat.st_size, stat.st_mtime_ns)
        for path, stat in found.items()
    }


def _read_seal(note: Path) -> Seal | None:
    """What was noted; None where nothing was, or no more can be read."""
    try:
        found = json.loads(note.read_text())
    except (FileNotFoundError, ValueError):
        return None
    return {name: (size, time) for name, (size, time) in found.items()}
