"""Errors of Chroma, its Rust core and its server, translated to StoreError with a remedy."""

import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import httpx2

from forager.errors import StoreError

REBUILD = "Restore it from the sessions: forager memory rebuild."
STUCK = ("timeouterror",)
UNREACHABLE = (
    "could not connect",
    "connection refused",
    "connect error",
    "timed out",
    "disconnected",
)
FULL = ("disk is full", "disk i/o error", "no space left", "file too large", "quota")
NOT_WRITTEN = ("failed to apply logs", "error purging logs")
LOCKED = ("is locked", "is busy")
NO_FOLDER = ("fileexistserror", "notadirectoryerror")
NOT_CHROMA = "Check that it is a Chroma server (chroma run), or unset FORAGER_CHROMA_URL."
DENIED = ("permission denied", "readonly", "read-only", "unable to open database")
EXPLANATIONS = (
    (
        STUCK,
        "does not respond",
        f"Check whether its disk is full, and start again. If that does not help: {REBUILD}",
    ),
    (
        UNREACHABLE,
        "does not answer ({error})",
        "Start it (chroma run), or unset FORAGER_CHROMA_URL.",
    ),
    (
        FULL,
        "could not be written: its disk is full",
        "Free some space; what the sessions learned will be stored later.",
    ),
    (
        NOT_WRITTEN,
        "could not be written ({error})",
        f"Free some space if its disk is full. If that does not help: {REBUILD}",
    ),
    (NO_FOLDER, "is not a folder", "Move the file away; the folder is created again."),
    (LOCKED, "is locked by another program", "Close that program and try again."),
    (
        DENIED,
        "cannot be opened ({error})",
        "Set FORAGER_DATA to a folder that can be read and written.",
    ),
)
"""Words of an error, what happened, and the remedy."""


def _chroma_exceptions() -> tuple[type[BaseException], ...]:
    """Chroma's errors and, once one has occurred, the type of its Rust core's panics."""
    from chromadb.errors import ChromaError  # noqa: PLC0415  # takes a second, and is loaded by then

    panics = [each for each in BaseException.__subclasses__() if each.__name__ == "PanicException"]
    return (ChromaError, *_http_errors(), sqlite3.Error, OSError, ValueError, *panics)


def _http_errors() -> tuple[type[BaseException], ...]:
    """The HTTP errors of our own client and of httpx, which Chroma's client uses."""
    chromas = getattr(sys.modules.get("httpx"), "HTTPError", httpx2.HTTPError)
    return (httpx2.HTTPError, chromas)


def memory_error(error: BaseException, place: str) -> StoreError:
    """The StoreError that says what happened to the memory at `place` and how to mend it."""
    if isinstance(error, httpx2.HTTPStatusError):
        code = error.response.status_code
        return StoreError(f"The memory at {place} answered with status {code}.", NOT_CHROMA)
    message = f"{type(error).__name__}: {error}".lower()
    if isinstance(error, _http_errors()):
        message = UNREACHABLE[0]
    for words, what, mend in EXPLANATIONS:
        if any(word in message for word in words):
            return StoreError(f"The memory in {place} {what.format(error=error)}.", mend)
    return StoreError(f"The memory in {place} cannot be used ({error}).", REBUILD)


@contextmanager
def translate_errors(place: str) -> Iterator[None]:
    """Raise StoreError for any error of Chroma in the body."""
    try:
        yield
    except _chroma_exceptions() as error:
        raise memory_error(error, place) from error
