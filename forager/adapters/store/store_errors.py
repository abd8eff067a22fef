"""Errors of SQLite and of the disk, translated to StoreError with a remedy."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from forager.errors import StoreError

FULL = ("disk is full", "disk i/o error", "no space left", "file too large", "quota")
LOCKED = ("is locked", "is busy", "table is locked")
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
            "Restore a copy, or move the file away to start afresh; stored pages are not lost.",
        )
    return StoreError(
        f"{path} cannot be used: {error}.",
        "Set FORAGER_DATA to a folder that can be read and written.",
    )


@contextmanager
def translate_errors(path: Path) -> Iterator[None]:
    """Raise StoreError for what SQLite or the file system raises in the body."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise store_error(error, path) from error
