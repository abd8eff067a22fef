"""Errors of SQLite and of the disk, translated to StoreError with a remedy."""

import sqlite3
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from forager.errors import StoreError

FULL = ("disk is full", "disk i/o error", "no space left", "file too large", "quota")
READ_ONLY = "readonly database"
LOCKED = ("is locked", "is busy", "table is locked")
OWN_LOSS = "what it holds is lost then"
LOST = {
    "sessions.sqlite": "the list of your sessions is lost then, stored pages are not",
    "checkpoints.sqlite": "the steps of your sessions are lost then, stored pages are not",
    "blobs.sqlite": "stored pages are lost then, and fetched anew where they are needed",
    "graphs.sqlite": "the graphs that you saved are lost then",
    "drafts.sqlite": "unsaved changes of graphs are lost then",
}
"""What a file holds, so that its loss can be weighed."""
DAMAGED = ("not a database", "malformed", "corrupt", "encrypted")


def store_error(error: Exception, path: Path) -> StoreError:
    """The StoreError that says what happened to the file and how to mend it."""
    message = str(error).lower()
    if any(word in message for word in FULL):
        return StoreError(
            f"The disk is full: {path} could not be written.", "Free some space and resume."
        )
    if any(word in message for word in LOCKED):
        return StoreError(
            f"{path} is locked by another program.", "Close that program and try again."
        )
    if any(word in message for word in DAMAGED):
        return StoreError(
            f"{path} is damaged and cannot be read.",
            f"Restore a copy, or move it away with its -wal file; {LOST.get(path.name, OWN_LOSS)}.",
        )
    if READ_ONLY in message and (kept := _find_read_only(path)):
        return StoreError(f"{kept} is read-only.", f"Make it writable: chmod u+w {kept}")
    if isinstance(error, FileExistsError | NotADirectoryError) or path.is_dir():
        what = (
            f"{path} is a folder, not a file" if path.is_dir() else f"{path.parent} is not a folder"
        )
        return StoreError(f"{what}.", "Move it away and try again.")
    return StoreError(
        f"{path} cannot be used: {error}.",
        "Set FORAGER_DATA to a folder that can be read and written.",
    )


def _find_read_only(path: Path) -> Path | None:
    """The read-only one among a file and what SQLite has beside it.

    SQLite gives these the mode that the file has at that moment, and keeps it.
    """
    beside = (path.with_name(path.name + end) for end in ("", "-wal", "-shm"))
    return next((each for each in beside if each.exists() and not _is_writable(each)), None)


def _is_writable(path: Path) -> bool:
    """May the owner write the file?"""
    return bool(path.stat().st_mode & stat.S_IWUSR)


@contextmanager
def translate_errors(path: Path) -> Iterator[None]:
    """Raise StoreError for what SQLite or the file system raises in the body."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise store_error(error, path) from error
