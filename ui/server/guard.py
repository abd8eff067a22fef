"""Who may come in: requests from this server's own pages, and to the API those with the token."""

import hmac
import re
from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.server.headers import secure
from ui.server.office import here
from ui.server.who import Who

OPEN = frozenset({"/api/health", "/login", "/app/static/plex-sans-var.woff2"})
"""For everybody: is it there, how to log in, and the font of the page that says so."""
LOCAL = frozenset({"127.0.0.1", "localhost", "[::1]"})
HOST = re.compile(r"[A-Za-z0-9.-]{1,253}(:\d{1,5})?|\[[0-9A-Fa-f:.]{2,45}\](:\d{1,5})?")


class Guard:
    """Turns away other names (DNS rebinding), other sites' pages, and whoever is not let in."""

    def __init__(self, app: ASGIApp, who: Who, hosts: Iterable[str] | None = LOCAL) -> None:
        """`hosts` are the names that this server goes by; None means any."""
        self._app = app
        self._who = who
        self._hosts = None if hosts is None else frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it with 403, 401 or the page to log in."""
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refused = self._refusal(scope, headers)
        if refused is not None and scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": "not let in"})
            return
        secured = _secured(send, headers.get("host", ""))
        await (refused or self._app)(scope, receive, secured)

    def _refusal(self, scope: Scope, headers: Headers) -> Response | None:
        path = str(scope["path"])
        if not self._same(headers):
            return _said(403, "This address is not served to other sites.")
        if path in OPEN:
            return None
        if path.startswith("/api/"):
            return None if _has_token(headers) else _said(401, "The token is missing or wrong.")
        if _has_token(headers) or self._who.may(path, HTTPConnection(scope)):
            return None
        if "text/html" in headers.get("accept", ""):
            return RedirectResponse("/login", 303)
        return _said(401, "Log in first.")

    def _same(self, headers: Headers) -> bool:
        host = headers.get("host", "")
        origin = headers.get("origin", "")
        known = self._hosts is None or _name(host) in self._hosts
        return bool(HOST.fullmatch(host)) and known and (not origin or _of(origin) == host)


def _name(host: str) -> str:
    """A host without its port."""
    name, colon, port = host.rpartition(":")
    return name if colon and port.isdigit() else host


def _of(origin: str) -> str:
    """The host of an origin, with its port."""
    return urlsplit(origin).netloc


def _has_token(headers: Headers) -> bool:
    scheme, _, given = headers.get("authorization", "").partition(" ")
    own = here().token.encode()
    return scheme.lower() == "bearer" and hmac.compare_digest(given.strip().encode(), own)


def _said(status: int, what: str) -> Response:
    mends = {
        401: "Programs find it in ui-token in the data folder, while the server runs.",
        403: "Open the address that the server said when it began.",
    }
    return JSONResponse({"error": what, "mend": mends[status]}, status)


def _secured(send: Send, host: str) -> Send:
    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            secure(MutableHeaders(scope=message), host if HOST.fullmatch(host) else "127.0.0.1")
        await send(message)

    return sent
