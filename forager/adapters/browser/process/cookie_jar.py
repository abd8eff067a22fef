"""Stores a session's cookies and local storage in a private file."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from forager.errors import StoreError
from forager.settings import Settings
from forager.util.files import atomic_write

FOLDER: Final = "cookies"

StoredState = dict[str, Any]
"""Playwright's storage state."""


class CookieJar:
    """Keeps one session's storage state for later processes, unreadable for other users."""

    def __init__(self, settings: Settings, session: str) -> None:
        """The file is created at the first write; without a session id nothing is kept."""
        self._path = settings.data / FOLDER / f"{session}.json" if session else None

    async def read(self) -> StoredState:
        """The state written last, or an empty one. Raises StoreError."""
        return await asyncio.to_thread(_read_state, self._path) if self._path else {}

    async def write(self, state: StoredState) -> None:
        """Replace the stored state. Raises StoreError."""
        if self._path:
            await asyncio.to_thread(_write_state, self._path, json.dumps(state))

    async def forget(self) -> None:
        """Delete the stored state. Raises StoreError."""
        if self._path:
            await asyncio.to_thread(_delete_state, self._path)


def _read_state(path: Path) -> StoredState:
    with _store_errors(path):
        if not path.exists():
            return {}
        kept: StoredState = json.loads(path.read_bytes())
        return kept


def _write_state(path: Path, text: str) -> None:
    """Write atomically; even the temporary file is readable only by its owner."""
    with _store_errors(path), atomic_write(path) as fresh:
        fresh.write_text(text, encoding="utf-8")


def _delete_state(path: Path) -> None:
    with _store_errors(path):
        path.unlink(missing_ok=True)


@contextmanager
def _store_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except ValueError as error:
        mend = "Delete it; the session then continues without its cookies."
        raise StoreError(f"{path} is damaged and cannot be read.", mend) from error
    except OSError as error:
        mend = "Set FORAGER_DATA to a folder that can be read and written."
        raise StoreError(f"{path} cannot be used: {error}.", mend) from error
