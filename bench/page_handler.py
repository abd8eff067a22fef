"""How the sites of benchmarks answer on loopback."""

from contextlib import suppress
from http.server import BaseHTTPRequestHandler


class PageHandler(BaseHTTPRequestHandler):
    """Sends pages, and takes it that a client goes."""

    protocol_version = "HTTP/1.1"

    def send_page(self, body: bytes | None) -> None:
        """Send a page, or that there is none."""
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body or b"")))
        self.end_headers()
        self.wfile.write(body or b"")

    def handle(self) -> None:
        with suppress(ConnectionError):
            super().handle()

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing: standard error shows the progress."""
