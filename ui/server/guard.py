"""Who may come in: requests from this machine's own pages, and to the API those with the token."""

import hmac
from collections.abc import Iterable

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from ui.server.office import here

OPEN = frozenset({"/api/health"})
LOCAL = frozenset({"127.0.0.1", "localhost", "[::1]"})


class Guard:
    """Turns away other names (DNS rebinding), other sites' pages, and calls without the token."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str] = LOCAL) -> None:
        self._app = app
        self._hosts = frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it with 403 or 401."""
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if not self._same(headers):
            await _refuse(403, "This address is not served to other sites.", scope, receive, send)
        elif scope["path"].startswith("/api/") and not _admitted(scope["path"], headers):
            await _refuse(401, "The token is missing or wrong.", scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _same(self, headers: Headers) -> bool:
        host = headers.get("host", "")
        origin = headers.get("origin", "")
        return _name(host) in self._hosts and (not origin or origin.partition("://")[2] == host)


def _name(host: str) -> str:
    """A host without its port."""
    name, colon, port = host.rpartition(":")
    return name if colon and port.isdigit() else host


def _admitted(path: str, headers: Headers) -> bool:
    given = headers.get("authorization", "").removeprefix("Bearer ")
    return path in OPEN or hmac.compare_digest(given.encode(), here().token.encode())


async def _refuse(status: int, what: str, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": what})
        return
    await JSONResponse({"error": what}, status)(scope, receive, send)
