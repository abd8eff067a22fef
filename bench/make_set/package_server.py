"""Serves the pages of unpacked packages on loopback, each on a port of its own."""

import http.server
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from bench.make_set.links import locate
from bench.make_set.packages import UnpackedPackage
from forager.errors import UsageError

POLL = 0.05
"""Seconds until a server sees that it is to end."""


class _PageHandler(http.server.SimpleHTTPRequestHandler):
    """Serves the files of a package; its address leads to its first page."""

    protocol_version = "HTTP/1.1"

    def __init__(self, *args: Any, package: UnpackedPackage) -> None:
        self._package = package
        super().__init__(*args, directory=str(package.pages))

    def handle(self) -> None:
        """Serve requests until the client disconnects, maybe amid an answer."""
        with suppress(ConnectionError):
            super().handle()

    def send_head(self) -> Any:
        """Answer the address of the site with a redirect, and what is no file with 404."""
        path = unquote(urlsplit(self.path).path)
        if path == "/":
            self.send_response(http.HTTPStatus.FOUND)
            self.send_header("Location", f"/{quote(self._package.site.root)}")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return None
        if locate(self._package.pages, path) is None:
            self.send_error(http.HTTPStatus.NOT_FOUND)
            return None
        return super().send_head()

    def translate_path(self, path: str) -> str:
        """The file at an address, with symbolic links followed inside the package."""
        found = locate(self._package.pages, unquote(urlsplit(path).path))
        return str(found) if found else super().translate_path(path)

    def log_message(self, format: str, *args: Any) -> None:
        """Requests are not logged."""


def _open_server(
    place: tuple[str, int], handler: Callable[..., _PageHandler]
) -> http.server.ThreadingHTTPServer:
    try:
        server = http.server.ThreadingHTTPServer(place, handler)
    except OSError as error:
        raise UsageError(
            f"Port {place[1]} of {place[0]} cannot be opened: {error}.", "Name another with --port."
        ) from error
    server.daemon_threads = True
    return server


@contextmanager
def serve_packages(packages: Sequence[UnpackedPackage], port: int = 0) -> Iterator[dict[str, str]]:
    """Serve packages on `port` and those after it, or on free ports; their addresses by name.

    Raises UsageError for a port that is taken.
    """
    addresses: dict[str, str] = {}
    with ExitStack() as stack:
        for number, package in enumerate(packages):
            handler = partial(_PageHandler, package=package)
            place = ("127.0.0.1", port + number if port else 0)
            server = stack.enter_context(_open_server(place, handler))
            thread = threading.Thread(target=server.serve_forever, args=(POLL,), daemon=True)
            thread.start()
            stack.callback(server.shutdown)
            addresses[package.site.package] = f"http://127.0.0.1:{server.server_port}/"
        yield addresses
