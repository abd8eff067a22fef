"""Serves a few pages on loopback, for as long as they are wanted."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

HOST = "127.0.0.1"


@contextmanager
def served(pages: Mapping[str, bytes], port: int = 0) -> Iterator[str]:
    """The root address of `pages` (path to HTML), on a port that the system picks.

    Raises OSError when another `port` is wanted and taken.
    """

    class Pages(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            page = pages.get(self.path)
            kind = "text/plain" if page is None else "text/html"
            body = b"There is no such page.\n" if page is None else page
            self.send_response(404 if page is None else 200)
            self.send_header("Content-Type", f"{kind}; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Standard error belongs to the progress."""

    server = ThreadingHTTPServer((HOST, port), Pages)
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield f"http://{HOST}:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
