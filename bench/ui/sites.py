"""Loopback sites for the runs of a benchmark: slow, small, and long without an answer."""

import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler

ROUNDS = 12
SLOW = "/slow/"
PAUSE_SECONDS = 0.5
SMALL = "/small/"
RECORDS = "/records/"


class SiteHandler(BaseHTTPRequestHandler):
    """Slow pages lead to ever more slow pages; the records are long and answer nothing."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Send a page."""
        page = _render_page(self.path)
        body = (page or "There is no such page.").encode()
        self.send_response(200 if page else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def handle(self) -> None:
        """Serve requests until the client disconnects."""
        with suppress(ConnectionError):
            super().handle()

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing: standard error shows the progress."""


def _render_page(path: str) -> str:
    if path.startswith(SLOW):
        time.sleep(PAUSE_SECONDS)
        return _slow_page(path.removeprefix(SLOW).removesuffix(".html"))
    if path.startswith(SMALL):
        return _small_page(path.removeprefix(SMALL))
    if path.startswith(RECORDS):
        return _record_page(path.removeprefix(RECORDS).removesuffix(".html"))
    return ""


def _slow_page(name: str) -> str:
    links = "".join(f'<a href="{SLOW}{name}{digit}.html">Log {name}{digit}</a> ' for digit in "012")
    return f"<title>Log {name}</title><p>The keeper's log {name} tells of the sea.</p>{links}"


def _small_page(name: str) -> str:
    if name:
        return (
            "<title>Skarn</title><p>The Skarn lighthouse was built by the engineer Marta Lindqvist "
            "in 1874.</p>"
        )
    return (
        f'<title>Coast</title><p>Lighthouses.</p><a href="{SMALL}skarn.html">Skarn lighthouse</a>'
    )


def _record_page(name: str) -> str:
    """Render a page of the records; each page of a volume links to the next."""
    if not name:
        links = (
            f'<p><a href="{RECORDS}{volume}-0.html">Lighthouse keeper records, volume {volume}</a>'
            for volume in range(ROUNDS)
        )
        return f"<title>Records</title><p>Lighthouses of the coast.</p>{''.join(links)}"
    volume, _, page = name.partition("-")
    after = int(page) + 1
    link = (
        f'<a href="{RECORDS}{volume}-{after}.html">Next page of the lighthouse keeper records</a>'
    )
    return (
        f"<title>Records {name}</title><p>The keeper of lighthouse {volume} wrote on day {page} "
        f"that the lamp was lit at dusk, and that the storm lasted {after} hours.</p>"
        f"{link if after < ROUNDS else ''}"
    )
