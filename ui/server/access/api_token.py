"""The API's token as a file, for programs of the user who runs the server."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from forager.errors import StoreError
from forager.util.files import atomic_write

FILE = "ui-token"


@contextmanager
def write_token(folder: Path, token: str) -> Iterator[None]:
    """Keep the token in the data folder during the body, readable to its owner alone.

    Raises StoreError where it cannot be written.
    """
    path = folder / FILE
    try:
        with atomic_write(path) as fresh:
            fresh.write_text(f"{token}\n", encoding="utf-8")
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error}.", "Make it writable.") from error
    try:
        yield
    finally:
        with suppress(OSError):
            if path.read_text(encoding="utf-8").strip() == token:  # else another server's
                path.unlink()
