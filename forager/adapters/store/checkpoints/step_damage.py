"""Damaged rows of steps, told as damage of their session."""

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from forager.adapters.store.sessions.session_records import (
    damaged_session,
    first_fault,
    session_of,
)
from forager.adapters.store.store_errors import translate_errors

DAMAGE = (
    *(ValueError, LookupError, TypeError, AttributeError, OverflowError),
    *(NotImplementedError, RecursionError, zlib.error),
)
"""What unpacking a row raises that is not as it was written."""


@contextmanager
def reading_steps(path: Path, thread: str) -> Iterator[None]:
    """Raise DamagedError where steps of a thread cannot be unpacked, StoreError for the file."""
    with translate_errors(path):
        try:
            yield
        except DAMAGE as error:
            fault = f"a step cannot be read: {first_fault(error)}"
            raise damaged_session(session_of(thread), fault) from error
