"""The way in with a password: a page that asks for it, and a cookie for those who knew it."""

import asyncio
import secrets
import time
from pathlib import Path
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from ui.server import password

PAGE = (Path(__file__).parent / "login.html").read_text(encoding="utf-8")
COOKIE = "forager_entry"
DAYS = 30 * 24 * 3600
"""How long a browser stays logged in, in seconds; no longer than the server runs."""
MOST_BYTES = 4096
FREE = 5
"""So many wrong passwords in a row cost no time."""
PAUSE_SECONDS = 2.0
"""How long the next is not looked at; it doubles with each one more, up to `MOST_PAUSE`."""
MOST_PAUSE = 300.0


class Entry:
    """Who has logged in. The wrong passwords of all browsers are counted together."""

    def __init__(self, line: str) -> None:
        """`line` is the hash of the password."""
        self._line = line
        self._inside: dict[str, float] = {}
        self._wrong = 0
        self._closed_until = 0.0
        self._turn = asyncio.Lock()
        self.routes = [
            Route("/login", self._login, methods=["GET", "POST"]),
            Route("/logout", self._logout, methods=["GET", "POST"]),
        ]

    def admits(self, cookies: dict[str, str]) -> bool:
        """Has the browser with these cookies logged in?"""
        return self._inside.get(cookies.get(COOKIE, ""), 0.0) > time.monotonic()

    async def _login(self, request: Request) -> Response:
        if request.method == "GET":
            return HTMLResponse(PAGE)
        given = await _password(request)
        async with (
            self._turn
        ):  # guesses at the same time would all come before the first is counted
            return await self._tried(request, given)

    async def _tried(self, request: Request, given: str | None) -> Response:
        wait = self._closed_until - time.monotonic()
        if wait > 0:
            return _said(f"Too many wrong passwords. Try again in {wait:.0f} s.", 429)
        if given is None or not await asyncio.to_thread(password.fits, given, self._line):
            self._mistaken()
            return _said("This is not the password.", 401)
        self._wrong = 0
        return self._inside_now(request)

    def _inside_now(self, request: Request) -> Response:
        now = time.monotonic()
        self._inside = {one: until for one, until in self._inside.items() if until > now}
        ticket = secrets.token_urlsafe(32)
        self._inside[ticket] = now + DAYS
        reply = RedirectResponse("/", 303)
        reply.set_cookie(
            COOKIE,
            ticket,
            max_age=DAYS,
            httponly=True,
            samesite="strict",
            secure=request.url.scheme == "https",
        )
        return reply

    def _mistaken(self) -> None:
        self._wrong += 1
        if self._wrong >= FREE:
            pause = min(MOST_PAUSE, PAUSE_SECONDS * 2 ** min(self._wrong - FREE, 10))
            self._closed_until = time.monotonic() + pause

    async def _logout(self, request: Request) -> Response:
        self._inside.pop(request.cookies.get(COOKIE, ""), None)
        reply = RedirectResponse("/login", 303)
        reply.delete_cookie(COOKIE, httponly=True, samesite="strict")
        return reply


async def _password(request: Request) -> str | None:
    """What the form says; None for what is no form."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MOST_BYTES:
            return None
    try:
        fields = parse_qs(body.decode(), strict_parsing=True, max_num_fields=2)
    except ValueError:
        return None
    return fields.get("password", [None])[0]


def _said(text: str, status: int) -> Response:
    return HTMLResponse(PAGE.replace("<!-- said -->", f'<p role="alert">{text}</p>'), status)
