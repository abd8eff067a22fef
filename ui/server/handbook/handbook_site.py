"""The handbook as a site on loopback, at the same address as last time so that its runs resume."""

import socket
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from mimetypes import guess_type
from pathlib import Path
from threading import Event, Thread
from urllib.parse import urlsplit

from forager.data_folder import SITE_HOST, read_ports
from forager.settings import Settings
from forager.util.files import atomic_write
from graphs.spec.registry import REGISTRY
from ui.server.handbook.markdown_pages import read_pages, read_pictures, render_pages
from ui.server.handbook.reference_pages import generate_pages

HOST = SITE_HOST
PORT_FILE = "handbook-port"
PORTS_KEPT = 20


def all_pages() -> dict[str, bytes]:
    """The handbook's pages and pictures by path, generated pages included."""
    pages = read_pages()
    return render_pages(pages | generate_pages(REGISTRY)) | read_pictures(pages.values())


@contextmanager
def serve_handbook(data: Path) -> Iterator[str]:
    """Serve the handbook during the body, at its last address unless that port is taken."""
    with serve_at_last_port(LazyPages(), data / PORT_FILE) as root:
        yield root


@contextmanager
def serve_at_last_port(pages: Mapping[str, bytes], note: Path) -> Iterator[str]:
    """Serve pages during the body, at the port in the file `note` unless it is taken.

    The port that is used is added there.
    """
    ports = read_ports(note)
    with ExitStack() as stack:
        try:
            root = stack.enter_context(serve_pages(pages, ports[-1] if ports else 0))
        except OSError:
            root = stack.enter_context(serve_pages(pages))
        port = urlsplit(root).port
        kept = [*(each for each in ports if each != port), port][-PORTS_KEPT:]
        with atomic_write(note) as fresh:
            fresh.write_text("\n".join(map(str, kept)), encoding="utf-8")
        yield root


def permit_sites(settings: Settings, sites: Iterable[str]) -> Settings:
    """The settings, with permission to read these sites of the machine."""
    allowed = (*settings.allow_private, *(urlsplit(site).netloc for site in sites))
    return settings.model_copy(update={"allow_private": allowed})


class LazyPages(Mapping[str, bytes]):
    """The pages, rendered when the first of them is asked for."""

    def __getitem__(self, path: str) -> bytes:
        return _rendered_pages()[path]

    def __iter__(self) -> Iterator[str]:
        return iter(_rendered_pages())

    def __len__(self) -> int:
        return len(_rendered_pages())


@contextmanager
def serve_pages(pages: Mapping[str, bytes], port: int = 0) -> Iterator[str]:
    """Serve `pages` (by path; HTML, or what the suffix says) during the body; their root address.

    The system picks the port. Raises OSError when another `port` is wanted and taken.
    """

    class PageHandler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            page = pages.get(self.path)
            kind = "text/plain" if page is None else guess_type(self.path)[0] or "text/html"
            body = b"There is no such page.\n" if page is None else page
            self.send_response(404 if page is None else 200)
            self.send_header("Content-Type", f"{kind}; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Log nothing: standard error belongs to the progress."""

    server = ThreadingHTTPServer((HOST, port), PageHandler)
    server.daemon_threads = True
    ended = Event()
    thread = Thread(target=_answer_requests, args=(server, ended), daemon=True)
    thread.start()
    try:
        yield f"http://{HOST}:{server.server_port}/"
    finally:
        ended.set()
        with suppress(ConnectionError):  # a last request has just ended the loop
            socket.create_connection((HOST, server.server_port)).close()
        thread.join()


def _answer_requests(server: ThreadingHTTPServer, ended: Event) -> None:
    """Answer each request as it comes, until one comes after the end: nothing polls."""
    with server:
        while not ended.is_set():
            server.handle_request()


@cache
def _rendered_pages() -> Mapping[str, bytes]:
    return all_pages()
