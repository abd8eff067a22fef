"""What sites keep in the browser of a session: cookies and local storage, in a private file."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from forager.errors import StoreError
from forager.settings import Settings
from forager.util.files import placed

FOLDER: Final = "cookies"

Kept = dict[str, Any]
"""A storage state as Playwright has it."""


class Jar:
    """Keeps the storage state of one session for other processes, unread by other users."""

    def __init__(self, settings: Settings, session: str) -> None:
        """The file is made when there is something to keep; without a session there is none."""
        self._path = settings.data / FOLDER / f"{session}.json" if session else None

    async def read(self) -> Kept:
        """What was kept last, or nothing. Raises StoreError."""
        return await asyncio.to_thread(_read, self._path) if self._path else {}

    async def write(self, state: Kept) -> None:
        """Keep it in the place of what was kept. Raises StoreError."""
        if self._path:
            await asyncio.to_thread(_write, self._path, json.dumps(state))

    async def forget(self) -> None:
        """Keep nothing. Raises StoreError."""
        if self._path:
            await asyncio.to_thread(_forget, self._path)


def _read(path: Path) -> Kept:
    with _told(path):
        if not path.exists():
            return {}
        kept: Kept = json.loads(path.read_bytes())
        return kept


def _write(path: Path, text: str) -> None:
    """Whole or not at all; a temporary file is readable by its owner alone from its beginning."""
    with _told(path):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with placed(path) as fresh:
            fresh.write_text(text, encoding="utf-8")


def _forget(path: Path) -> None:
    with _told(path):
        path.unlink(missing_ok=True)


@contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except ValueError as error:
        mend = "Delete it, and the session goes on without its cookies."
        raise StoreError(f"{path} is damaged and cannot be read.", mend) from error
    except OSError as error:
        mend = "Set FORAGER_DATA to a folder that can be read and written."
        raise StoreError(f"{path} cannot be used: {error}.", mend) from error
