"""The API's token as a file, for programs of the user who runs the server."""

import hmac
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from starlette.datastructures import Headers

from forager.errors import StoreError
from forager.util.files import atomic_write

FILE = "ui-token"


class ApiToken:
    """A token that is kept in the data folder while the server runs, for its owner alone."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self.value = secrets.token_urlsafe(24)

    def is_token(self, given: str) -> bool:
        """Whether this is the token."""
        return hmac.compare_digest(given.encode(), self.value.encode())

    def renew(self) -> None:
        """End the token, and keep a new one in its place. Raises StoreError."""
        self.value = secrets.token_urlsafe(24)
        self._write()

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Keep the token in its file during the body. Raises StoreError."""
        self._write()
        try:
            yield
        finally:
            with suppress(OSError):
                if self._path.read_text(encoding="utf-8").strip() == self.value:  # else another's
                    self._path.unlink()

    def _write(self) -> None:
        try:
            with atomic_write(self._path) as fresh:
                fresh.write_text(f"{self.value}\n", encoding="utf-8")
        except OSError as error:
            raise StoreError(
                f"{self._path} cannot be written: {error}.", "Make it writable."
            ) from error


def bearer_token(headers: Headers) -> str:
    """The token in the headers of a request; empty if there is none."""
    scheme, _, given = headers.get("authorization", "").partition(" ")
    return given.strip() if scheme.lower() == "bearer" else ""
