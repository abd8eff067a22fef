"""Middleware that lets in this server's own pages, and programs with a token; knows who asks."""

import asyncio
import re
from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from forager.errors import StoreError
from ui.server.access.account_visitors import AccountVisitors, Asker, set_asker, set_page
from ui.server.access.api_token import bearer_token
from ui.server.access.error_shape import PROGRAM_PATHS, shape_error
from ui.server.access.security_headers import PagePolicy, add_headers
from ui.server.access.visitors import Visitors
from ui.server.backend import get_installation

OPEN_PATHS = frozenset({"/api/health", "/login", "/app/static/plex-sans-var.woff2"})
"""Open to everybody: the health check, the login page and its font."""
SHARED = "/shared/"
SHARED_PAGE = re.compile(rf"{SHARED}[\w.-]+", re.A)
"""Open to whoever has a link: a token is in its path."""
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
OTHER_SITES = frozenset({"cross-site", "same-site"})
"""What a browser says of a request by another site's page, or by one of another port."""
LOCAL_NAMES = frozenset({"127.0.0.1", "localhost", "[::1]"})
HOST = re.compile(r"[A-Za-z0-9.-]{1,253}(:\d{1,5})?|\[[0-9A-Fa-f:.]{2,45}\](:\d{1,5})?")
MENDS = {
    401: "Programs use a token of an account, or find one in the file ui-token of the data folder "
    "while the server runs.",
    403: "Open the address that the server printed when it started.",
}


class RequestGuard:
    """Refuses other host names (DNS rebinding), pages of other sites, and visitors not admitted."""

    def __init__(
        self, app: ASGIApp, visitors: Visitors, hosts: Iterable[str] | None = LOCAL_NAMES
    ) -> None:
        """`hosts` are the host names of this server; None means any."""
        self._app = app
        self._visitors = visitors
        self._hosts = None if hosts is None else frozenset(hosts)
        self._policy = PagePolicy(app)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it with 403, 401 or the login page."""
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return
        refusal = await self._refuse(scope, Headers(scope=scope))
        if refusal is not None and scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": "not let in"})
            return
        await self._policy.read_page()
        await (refusal or self._app)(scope, receive, self._secured(scope, send))

    async def _refuse(self, scope: Scope, headers: Headers) -> Response | None:
        path = str(scope["path"])
        if scope["type"] == "http":
            set_asker(None)
        else:
            set_page(HTTPConnection(scope).cookies)
        changes = scope.get("method", "GET") not in SAFE_METHODS
        foreign = changes and headers.get("sec-fetch-site") in OTHER_SITES
        if foreign or not self._is_own_origin(headers):
            return _error_reply(path, 403, "This address is not served to other sites.")
        if path in OPEN_PATHS or SHARED_PAGE.fullmatch(path):
            return None
        try:
            by_token = self._accepts_owner(headers)
            known = await self._recognize(scope, headers, own=by_token)
        except StoreError as error:
            answer = {"error": error.what, "mend": error.mend}
            return JSONResponse(shape_error(path, 500, answer), 500)
        if by_token or known:
            return None
        return self._refuse_unknown(path, scope, headers)

    async def _recognize(self, scope: Scope, headers: Headers, *, own: bool) -> bool:
        """Whether an account asks, which is noted for the request. Raises StoreError."""
        people = get_installation().people
        if people is None:
            return False
        program = str(scope["path"]).startswith(PROGRAM_PATHS)
        given = bearer_token(headers), {} if program else HTTPConnection(scope).cookies
        asker = await asyncio.to_thread(_find_asker, people, *given, own=own)
        if scope["type"] == "http":
            set_asker(asker)
        return asker is not None

    def _refuse_unknown(self, path: str, scope: Scope, headers: Headers) -> Response | None:
        if path.startswith(PROGRAM_PATHS):
            return _error_reply(path, 401, "The token is missing or wrong.")
        if self._visitors.allows(path, HTTPConnection(scope)):
            return None
        if "text/html" in headers.get("accept", ""):
            return RedirectResponse("/login", 303)
        return _error_reply(path, 401, "Log in first.")

    def _accepts_owner(self, headers: Headers) -> bool:
        """Whether a request has the server's own token, or without accounts that of a login."""
        return get_installation().accepts_token(bearer_token(headers))

    def _is_own_origin(self, headers: Headers) -> bool:
        host = headers.get("host", "")
        origin = headers.get("origin", "")
        known = self._hosts is None or _strip_port(host) in self._hosts
        return (
            bool(HOST.fullmatch(host)) and known and (not origin or urlsplit(origin).netloc == host)
        )

    def _secured(self, scope: Scope, send: Send) -> Send:
        host = Headers(scope=scope).get("host", "")
        name = host if HOST.fullmatch(host) else "127.0.0.1"

        async def send_secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                add_headers(headers, self._policy.rules(name))
                self._visitors.mark_browser(str(scope["path"]), HTTPConnection(scope), headers)
            await send(message)

        return send_secured


def _find_asker(
    people: AccountVisitors, token: str, cookies: Mapping[str, str], *, own: bool
) -> Asker | None:
    """Who asks; their space is opened where it is not yet, as that takes a while."""
    installation = get_installation()
    asker = installation.owner() if own else people.asker_of_token(token)
    if asker is None and (account := people.account_of(cookies)) is not None:
        asker = Asker(account, account.role)
    if asker is not None:
        installation.space_of(asker.account)
    return asker


def _strip_port(host: str) -> str:
    """A host without its port."""
    name, colon, port = host.rpartition(":")
    return name if colon and port.isdigit() else host


def _error_reply(path: str, status: int, error: str) -> Response:
    answer = {"error": error, "mend": MENDS[status]}
    return JSONResponse(shape_error(path, status, answer), status)
