"""The handbook as a site on loopback, at the same address as last time so that its runs resume."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

from forager.settings import Settings
from forager.util.files import atomic_write
from graphs.spec.registry import REGISTRY
from ui.server.handbook.markdown_pages import read_pages, read_pictures, render_pages
from ui.server.handbook.reference_pages import generate_pages

HOST = "127.0.0.1"
PORT_FILE = "handbook-port"


def all_pages() -> dict[str, bytes]:
    """The handbook's pages and pictures by path, generated pages included."""
    pages = read_pages()
    return render_pages(pages | generate_pages(REGISTRY)) | read_pictures(pages.values())


@contextmanager
def serve_handbook(data: Path) -> Iterator[str]:
    """Serve the handbook during the body, at its last address unless that port is taken."""
    note = data / PORT_FILE
    with ExitStack() as stack:
        try:
            root = stack.enter_context(serve_pages(LazyPages(), _read_last_port(note)))
        except OSError:
            root = stack.enter_context(serve_pages(LazyPages()))
        with atomic_write(note) as fresh:
            fresh.write_text(str(urlsplit(root).port), encoding="utf-8")
        yield root


def permit_site(settings: Settings, site: str) -> Settings:
    """The settings, with permission to read this site of the machine."""
    allowed = (*settings.allow_private, urlsplit(site).netloc)
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
    """Serve `pages` (HTML, or SVG, by path) on loopback during the body; their root address.

    The system picks the port. Raises OSError when another `port` is wanted and taken.
    """

    class PageHandler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            page = pages.get(self.path)
            kind = "image/svg+xml" if self.path.endswith(".svg") else "text/html"
            if page is None:
                kind = "text/plain"
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
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield f"http://{HOST}:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@cache
def _rendered_pages() -> Mapping[str, bytes]:
    return all_pages()


def _read_last_port(note: Path) -> int:
    """The port of last time, or 0 for any."""
    try:
        return int(note.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return 0
