"""The API's token as a file, for programs of the user who serves."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from forager.errors import StoreError

NAME = "ui-token"


@contextmanager
def written(folder: Path, token: str) -> Iterator[None]:
    """Keep the token in the data folder during the body, readable to its owner alone.

    Raises StoreError where it cannot be written.
    """
    path = folder / NAME
    try:
        private(path, token)
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error}.", "Make it writable.") from error
    try:
        yield
    finally:
        with suppress(OSError):
            if path.read_text(encoding="utf-8").strip() == token:  # else another server has begun
                path.unlink()


def private(path: Path, text: str) -> None:
    """Write a file that only its owner can read, in the place of an earlier one. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    made = path.with_name(f".{path.name}-{os.getpid()}")
    made.unlink(missing_ok=True)
    with os.fdopen(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(f"{text}\n")
    made.replace(path)
