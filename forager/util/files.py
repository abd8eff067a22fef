"""Atomic writes, files for their owner alone, and locks between processes."""

import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from itertools import count
from pathlib import Path

from filelock import lock_descriptor

LOCK_FILE = ".lock"
POLL_SECONDS = 0.01


def make_private_folder(path: Path) -> None:
    """Create a folder, and those that are missing above it, for its owner alone. Raises OSError."""
    missing = [each for each in (path, *path.parents) if not each.exists()]
    for each in reversed(missing):
        each.mkdir(mode=0o700, exist_ok=True)
    path.mkdir(exist_ok=True)  # raises if it is a file


def append_to_private(path: Path) -> TextIOWrapper:
    """Open a file to append to; it is created for its owner alone. Raises OSError."""
    number = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    return os.fdopen(number, "a", encoding="utf-8")


def create_private(path: Path) -> None:
    """Create an empty file for its owner alone, unless there is one. Raises OSError.

    A file that is there is not opened: closing it would release the locks that SQLite holds on it
    for this process, and another process could then delete its write-ahead log.
    """
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


def take_from_others(path: Path) -> None:
    """Take all access to a file or folder, and to all within, from everybody but its owner.

    Links are not followed. What belongs to somebody else is left as it is.
    """
    if path.is_symlink():
        return
    with suppress(OSError):
        mode = path.stat().st_mode
        if mode & (stat.S_IRWXG | stat.S_IRWXO):
            path.chmod(stat.S_IMODE(mode) & stat.S_IRWXU)
        if stat.S_ISDIR(mode):
            for each in path.iterdir():
                take_from_others(each)


def set_folder_aside(path: Path) -> None:
    """Rename a folder that stands where a file is expected; it may be somebody's. Raises OSError.

    Nothing is done if there is none.
    """
    if path.is_dir() and not path.is_symlink():
        _set_aside(path)


def set_file_aside(path: Path) -> None:
    """Rename a file, or a link to nothing, that stands where a folder is expected. Raises OSError.

    Nothing is done if there is none.
    """
    if not path.is_dir() and (path.exists() or path.is_symlink()):
        _set_aside(path)


def _set_aside(path: Path) -> None:
    names = (path.with_name(f"{path.name}.aside-{number}") for number in count(1))
    path.rename(next(name for name in names if not (name.exists() or name.is_symlink())))


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Lock the folder of a file against other processes during the body. Raises OSError."""
    make_private_folder(path.parent)
    with append_to_private(path.parent / LOCK_FILE) as lock:
        lock_descriptor(lock.fileno(), poll_interval=POLL_SECONDS)
        yield


@contextmanager
def atomic_write(path: Path) -> Iterator[Path]:
    """Yield a temporary file, readable only by its owner; it replaces `path` after the body.

    If the body fails, `path` is unchanged. Raises OSError.
    """
    make_private_folder(path.parent)
    number, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    os.close(number)
    temporary = Path(name)
    try:
        yield temporary
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
