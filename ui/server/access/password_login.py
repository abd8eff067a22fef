"""The login with a password: a page that asks for it, and a cookie for those who know it."""

import asyncio
import secrets
import time
from pathlib import Path
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from ui.server.access.password_hash import matches_hash

PAGE = (Path(__file__).parent / "login.html").read_text(encoding="utf-8")
COOKIE = "forager_entry"
LOGIN_SECONDS = 30 * 24 * 3600
"""How long a browser stays logged in; no longer than the server runs."""
MAX_BYTES = 4096
FREE_ATTEMPTS = 5
"""So many wrong passwords in a row cost no time."""
FIRST_PAUSE = 2.0
"""Seconds before the next attempt counts; doubled with each wrong one, up to `LONGEST_PAUSE`."""
LONGEST_PAUSE = 300.0


class PasswordLogin:
    """Who has logged in. The wrong passwords of all browsers are counted together."""

    def __init__(self, line: str) -> None:
        """`line` is the hash of the password."""
        self._line = line
        self._logins: dict[str, float] = {}
        self._wrong = 0
        self._closed_until = 0.0
        self._lock = asyncio.Lock()
        self.routes = [
            Route("/login", self._login, methods=["GET", "POST"]),
            Route("/logout", self._logout, methods=["GET", "POST"]),
        ]

    def is_logged_in(self, cookies: dict[str, str]) -> bool:
        """Whether the browser with these cookies has logged in."""
        return self._logins.get(cookies.get(COOKIE, ""), 0.0) > time.monotonic()

    async def _login(self, request: Request) -> Response:
        if request.method == "GET":
            return HTMLResponse(PAGE)
        password = await _read_password(request)
        async with self._lock:  # or parallel guesses would all come before the first is counted
            return await self._check_password(request, password)

    async def _check_password(self, request: Request, password: str | None) -> Response:
        wait = self._closed_until - time.monotonic()
        if wait > 0:
            return _login_page(f"Too many wrong passwords. Try again in {wait:.0f} s.", 429)
        if password is None or not await asyncio.to_thread(matches_hash, password, self._line):
            self._count_wrong()
            return _login_page("Wrong password.", 401)
        self._wrong = 0
        return self._admit(request)

    def _admit(self, request: Request) -> Response:
        now = time.monotonic()
        self._logins = {cookie: until for cookie, until in self._logins.items() if until > now}
        cookie = secrets.token_urlsafe(32)
        self._logins[cookie] = now + LOGIN_SECONDS
        reply = RedirectResponse("/", 303)
        reply.set_cookie(
            COOKIE,
            cookie,
            max_age=LOGIN_SECONDS,
            httponly=True,
            samesite="strict",
            secure=request.url.scheme == "https",
        )
        return reply

    def _count_wrong(self) -> None:
        self._wrong += 1
        if self._wrong >= FREE_ATTEMPTS:
            pause = min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(self._wrong - FREE_ATTEMPTS, 10))
            self._closed_until = time.monotonic() + pause

    async def _logout(self, request: Request) -> Response:
        self._logins.pop(request.cookies.get(COOKIE, ""), None)
        reply = RedirectResponse("/login", 303)
        reply.delete_cookie(COOKIE, httponly=True, samesite="strict")
        return reply


async def _read_password(request: Request) -> str | None:
    """The password in the form; None for a body that is not a form."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MAX_BYTES:
            return None
    try:
        fields = parse_qs(body.decode(), strict_parsing=True, max_num_fields=2)
    except ValueError:
        return None
    return fields.get("password", [None])[0]


def _login_page(message: str, status: int) -> Response:
    return HTMLResponse(PAGE.replace("<!-- message -->", f'<p role="alert">{message}</p>'), status)
