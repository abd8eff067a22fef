"""Headers that forbid a browser whatever our pages do not need."""

import asyncio
import hashlib
import re
from base64 import b64encode

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message

INLINE_SCRIPT = re.compile(rb"<script>(.*?)</script>", re.S)


class PagePolicy:
    """The content security policy of an application's pages: nothing from elsewhere.

    Inline scripts run only if they stand in the page at `/`, which is read once. Components are
    modules from blobs, and Streamlit styles its elements in their attributes.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._scripts: str | None = None

    async def read_page(self) -> None:
        """Read the page at `/`, unless it is known."""
        if self._scripts is None:
            scripts = INLINE_SCRIPT.findall(await _fetch_body(self._app, "/"))
            digests = (b64encode(hashlib.sha256(script).digest()).decode() for script in scripts)
            self._scripts = " ".join(f"'sha256-{digest}'" for digest in digests)

    def rules(self, host: str) -> str:
        """The header's value; `host` is this server's own name."""
        return "; ".join(
            (
                "default-src 'none'",
                f"script-src 'self' blob: {self._scripts or ''}".strip(),
                "style-src 'self' 'unsafe-inline'",
                "font-src 'self' data:",
                "img-src 'self' data: blob:",
                "media-src 'self' data: blob:",
                f"connect-src 'self' data: ws://{host} wss://{host}",
                "worker-src 'self' blob:",
                "manifest-src 'self'",
                "frame-src 'none'",
                "object-src 'none'",
                "base-uri 'none'",
                "form-action 'self'",
                "frame-ancestors 'none'",
            )
        )


def add_headers(headers: MutableHeaders, policy: str) -> None:
    """Add the headers to a reply."""
    headers["X-Content-Type-Options"] = "nosniff"
    headers["Referrer-Policy"] = "same-origin"  # without any, a form says it comes from nowhere
    headers["X-Frame-Options"] = "DENY"
    headers["Cross-Origin-Opener-Policy"] = "same-origin"
    headers["Content-Security-Policy"] = policy


async def _fetch_body(app: ASGIApp, path: str) -> bytes:
    """What the application answers to a GET, asked within this process."""
    body = bytearray()
    asked = False

    async def receive() -> Message:
        nonlocal asked
        if asked:
            await asyncio.Event().wait()  # nobody disconnects
        asked = True
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        if message["type"] == "http.response.body":
            body.extend(message.get("body", b""))

    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": b"",
        "headers": [(b"host", b"127.0.0.1"), (b"accept", b"text/html")],
        "client": ("127.0.0.1", 0),
        "server": ("127.0.0.1", 0),
    }
    await app(scope, receive, send)
    return bytes(body)
