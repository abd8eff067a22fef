"""The login with a password: the page that asks for it, and the cookie of a logged-in browser."""

import asyncio
import hashlib
import hmac
import secrets
from contextlib import suppress
from pathlib import Path
from string import Template
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from forager.errors import StoreError
from ui.language.catalogue import language_tag, later, spoken_language, translate
from ui.server.access.attempt_limits import AttemptLimits, Source
from ui.server.access.logins import SECONDS, Holder, Logins
from ui.server.access.password_hash import FILE, matches_hash, read_hash

PAGE = Template((Path(__file__).parent / "login.html").read_text(encoding="utf-8"))
NAME_FIELD = Template(
    '<label>$name <input name="name" type="text" autocomplete="username" autocapitalize="none" '
    "required autofocus></label>"
)
LOG_IN = later("Log in")
NAME = later("Name")
PASSWORD = later("Password")
TOO_MANY = later("Too many wrong passwords. Try again in {seconds} s.")
WRONG = later("Wrong password.")
WRONG_PAIR = later("Wrong name or password.")
COOKIE = "forager_entry"
DEVICE = "forager_device"
"""The cookie of a browser that knew the password; guesses of others do not hinder its logins."""
DEVICE_SECONDS = 365 * 24 * 3600
MAX_BYTES = 4096


class PasswordLogin:
    """Who has logged in with the password of a data folder.

    A password that is changed while the server runs counts at once, and ends all logins.
    """

    def __init__(self, folder: Path) -> None:
        """Raises StoreError where the folder has no password."""
        line = read_hash(folder)
        if line is None:
            raise StoreError(f"{folder} has no password.", "Set one: ./run ui --set-password.")
        self.logins = Logins()
        self._line = line
        self._folder = folder
        self._version = _version_of(folder / FILE)
        self._limits = AttemptLimits()
        self._hashing = asyncio.Lock()
        self.routes = [
            Route("/login", self._login, methods=["GET", "POST"]),
            Route("/logout", self._logout, methods=["POST"]),
        ]

    def renew(self) -> bool:
        """Take up a changed password; whether there was one, which has ended all logins."""
        version = _version_of(self._folder / FILE)
        if version == self._version:
            return False
        self._version = version
        line = None
        with suppress(StoreError):  # a damaged or deleted file lets nobody in without a password
            line = read_hash(self._folder)
        if line is None or line == self._line:
            return False
        self._line = line
        self.logins.end_all()
        return True

    async def _login(self, request: Request) -> Response:
        if request.method == "GET":
            return login_page(request)
        password = (await read_fields(request)).get("password")
        source = self._limits.source(self._known_device(request), address_of(request))
        async with source.lock:  # or parallel guesses would all come before the first is counted
            return await self._check_password(request, password, source)

    async def _check_password(
        self, request: Request, password: str | None, source: Source
    ) -> Response:
        if wait := source.wait:
            return login_page(request, 429, TOO_MANY, seconds=f"{wait:.0f}")
        if password is None or not await self._is_right(password):
            source.count_wrong()
            return login_page(request, 401, WRONG)
        source.reset()
        return self._admit(request)

    async def _is_right(self, password: str) -> bool:
        async with self._hashing:  # each takes 32 MB
            return await asyncio.to_thread(matches_hash, password, self._line)

    def _admit(self, request: Request) -> Response:
        return admit_browser(request, self.logins, self._line)

    def _known_device(self, request: Request) -> str:
        return known_device(request, self._line)

    async def _logout(self, request: Request) -> Response:
        return log_browser_out(request, self.logins)


def admit_browser(
    request: Request, logins: Logins, line: str, holder: Holder | None = None
) -> Response:
    """Log a browser in that knew the password of a hash; it has new cookies, whatever it had."""
    cookie = secrets.token_urlsafe(32)
    logins.end(request.cookies.get(COOKIE, ""))
    logins.add(cookie, holder)
    reply = RedirectResponse("/", 303)
    device = known_device(request, line) or _sign(secrets.token_urlsafe(16), line)
    for name, value, age in ((COOKIE, cookie, SECONDS), (DEVICE, device, DEVICE_SECONDS)):
        reply.set_cookie(
            name,
            value,
            max_age=age,
            httponly=True,
            samesite="strict",
            secure=request.url.scheme == "https",
        )
    return reply


def log_browser_out(request: Request, logins: Logins) -> Response:
    """End the login of a browser."""
    logins.end(request.cookies.get(COOKIE, ""))
    reply = RedirectResponse("/login", 303)
    reply.delete_cookie(COOKIE, httponly=True, samesite="strict")
    return reply


def known_device(request: Request, line: str) -> str:
    """The browser's device cookie, if it has logged in with the password of a hash; else empty."""
    given = request.cookies.get(DEVICE, "")
    signed = _sign(given.partition(".")[0], line)
    return given if hmac.compare_digest(given.encode(), signed.encode()) else ""


def _sign(number: str, line: str) -> str:
    return f"{number}.{hmac.new(line.encode(), number.encode(), hashlib.sha256).hexdigest()}"


def _version_of(path: Path) -> tuple[int, int, int]:
    """What changes with a file; zeros for one that cannot be seen."""
    with suppress(OSError):
        found = path.stat()
        return found.st_ino, found.st_mtime_ns, found.st_size
    return 0, 0, 0


def address_of(request: Request) -> str:
    """The address that a request comes from."""
    return request.client.host if request.client else ""


async def read_fields(request: Request) -> dict[str, str]:
    """The fields of a form; none of a body that is not a form."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MAX_BYTES:
            return {}
    try:
        fields = parse_qs(body.decode(), strict_parsing=True, max_num_fields=2)
    except ValueError:
        return {}
    return {name: values[0] for name, values in fields.items()}


def login_page(
    request: Request, status: int = 200, message: str = "", *, named: bool = False, **values: str
) -> Response:
    """The page in the language that the browser asks for; `named` asks for a name, too."""
    language = spoken_language(request.headers.get("accept-language", ""))
    told = translate(language, message, values)
    page = PAGE.substitute(
        lang=language_tag(language),
        log_in=translate(language, LOG_IN, {}),
        password=translate(language, PASSWORD, {}),
        name=NAME_FIELD.substitute(name=translate(language, NAME, {})) if named else "",
        focus="" if named else " autofocus",
        message=f'<p role="alert">{told}</p>' if told else "",
    )
    return HTMLResponse(page, status)
