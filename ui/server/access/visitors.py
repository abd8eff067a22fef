"""Who the pages are for: anybody on this machine, who knows the password, or named persons."""

import re
import secrets
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, Protocol

import streamlit as st
from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.routing import Route
from streamlit.errors import StreamlitSecretNotFoundError

from forager.errors import UsageError
from forager.settings import Settings
from ui.server.access.password_hash import read_hash
from ui.server.access.password_login import PasswordLogin
from ui.server.sockets import is_loopback

CALLBACK: Final = "/oauth2callback"
"""Where a provider sends a browser back to; Streamlit's docs name the path."""
PROTECTED: Final = ("/media/", "/component/", "/_stcore/", "/docs", "/openapi.json")
"""Paths with what a page shows or has been given."""
LOGIN_PATHS: Final = frozenset({"/_stcore/stream", "/_stcore/health", "/_stcore/host-config"})
"""What the page needs to show how to log in, and no more."""
PROVIDER_KEYS: Final = ("client_id", "client_secret", "server_metadata_url")
SECRET_LENGTH = 32
"""Characters of the shortest key of the cookies: who guesses it is anybody."""
COOKIE: Final = "forager_browser"
COOKIE_VALUE = re.compile(r"[\w-]{43}")
ADMITTED_SECONDS = 30 * 24 * 3600
"""How long a browser stays admitted without opening a page; no longer than the server runs."""

Claims = Mapping[str, object]


class Visitors(Protocol):
    """Decides about requests without a token."""

    needs_provider: bool
    """Whether a page asks a provider who its visitor is."""

    @property
    def routes(self) -> list[Route]:
        """The routes of the login."""

    def allows(self, path: str, request: HTTPConnection) -> bool:
        """Whether this request may be answered."""

    def mark_browser(self, path: str, request: HTTPConnection, headers: MutableHeaders) -> None:
        """Let a reply give the browser what it is known by."""

    def admit(self, claims: Claims, cookies: Mapping[str, str]) -> bool:
        """Whether a page may show itself to somebody with these claims of a provider."""


class Anybody:
    """On loopback, without a password."""

    needs_provider = False

    @property
    def routes(self) -> list[Route]:
        """None."""
        return []

    def allows(self, path: str, request: HTTPConnection) -> bool:
        """Always."""
        return True

    def mark_browser(self, path: str, request: HTTPConnection, headers: MutableHeaders) -> None:
        """Nobody needs to be known."""

    def admit(self, claims: Claims, cookies: Mapping[str, str]) -> bool:
        """Always."""
        return True


ANYBODY: Final = Anybody()


class PasswordVisitors(Anybody):
    """Those who have logged in with the password."""

    def __init__(self, line: str) -> None:
        """`line` is the password's hash."""
        self._login = PasswordLogin(line)

    @property
    def routes(self) -> list[Route]:
        """The login page and the logout."""
        return self._login.routes

    def allows(self, path: str, request: HTTPConnection) -> bool:
        """Whether the browser has logged in; then its pages may show themselves, too."""
        return self._login.is_logged_in(request.cookies)


class NamedVisitors:
    """Persons that an OpenID provider vouches for, by their e-mail addresses.

    The page asks the provider through `st.login` and reads its claims from `st.user`. What the page
    loads is asked for by requests that Streamlit gives no claims to, so each browser has a cookie
    of our own: the page admits the browser in which a named person is logged in. A login gives the
    browser a new cookie; one that was planted before it is worth nothing.
    """

    needs_provider = True

    def __init__(self, emails: Iterable[str]) -> None:
        self._emails = frozenset(filter(None, (email.strip().lower() for email in emails)))
        self._admitted: dict[str, float] = {}

    @property
    def routes(self) -> list[Route]:
        """None: Streamlit has its own."""
        return []

    def allows(self, path: str, request: HTTPConnection) -> bool:
        """The page is served to all, for the login; what it loads, to admitted browsers."""
        if path in LOGIN_PATHS or not path.startswith(PROTECTED):
            return True
        return self._admitted.get(request.cookies.get(COOKIE, ""), 0.0) > time.monotonic()

    def mark_browser(self, path: str, request: HTTPConnection, headers: MutableHeaders) -> None:
        """Give a browser its cookie with its first page, and a new one with each login."""
        known = COOKIE_VALUE.fullmatch(request.cookies.get(COOKIE, ""))
        is_page = headers.get("content-type", "").startswith("text/html")
        if path == CALLBACK or (is_page and not known):
            secure = "; Secure" if request.url.scheme == "https" else ""
            value = f"{COOKIE}={secrets.token_urlsafe(32)}; Path=/; HttpOnly; SameSite=Lax"
            headers.append("set-cookie", f"{value}; Max-Age={ADMITTED_SECONDS}{secure}")

    def admit(self, claims: Claims, cookies: Mapping[str, str]) -> bool:
        """Whether a named person is logged in; the browser is admitted, or not any more."""
        email = str(claims.get("email") or "").lower()
        admitted = email in self._emails and not is_unverified(claims)
        browser, now = cookies.get(COOKIE, ""), time.monotonic()
        if not admitted:
            self._admitted.pop(browser, None)
        elif COOKIE_VALUE.fullmatch(browser):
            self._admitted = {each: end for each, end in self._admitted.items() if end > now}
            self._admitted[browser] = now + ADMITTED_SECONDS
        return admitted


def is_unverified(claims: Claims) -> bool:
    """Whether the provider says that the address may be somebody else's; some use a word for it."""
    return str(claims.get("email_verified")).lower() == "false"


def choose_visitors(settings: Settings, address: str) -> Visitors:
    """Who is let in on this address. Raises UsageError where that would be anybody."""
    if line := read_hash(settings.data):
        return PasswordVisitors(line)
    if settings.ui_users:
        return NamedVisitors(settings.ui_users)
    if is_loopback(address):
        return ANYBODY
    raise UsageError(
        f"Other machines can reach {address}, and nobody would have to log in.",
        "Set a password (./run ui --set-password), or name those who may log in through a "
        "provider: [auth] in secrets.toml and FORAGER_UI_USERS.",
    )


def read_provider(script: Path, port: int) -> dict[str, Any]:
    """The [auth] of Streamlit's secrets.toml, for a server on this port.

    The first application made of `script` tells Streamlit that secrets may lie beside it, too.
    Raises UsageError where no login could work.
    """
    st.App(script)
    try:
        section = dict(st.secrets.to_dict().get("auth", {}))
    except StreamlitSecretNotFoundError:
        section = {}
    if fault := find_provider_fault(section):
        raise UsageError(
            f"FORAGER_UI_USERS is set, but secrets.toml of Streamlit {fault}",
            "Mend it, or unset FORAGER_UI_USERS; docs/web-ui.md says how.",
        )
    return {**section, "redirect_uri": section["redirect_uri"].replace("{port}", str(port))}


def find_provider_fault(section: Mapping[str, object]) -> str:
    """What keeps an [auth] from working, or lets in whoever makes up a cookie; else empty."""
    if not section:
        return "has no [auth]."
    if missing := [key for key in PROVIDER_KEYS if not section.get(key)]:
        return f"lacks {', '.join(missing)} in [auth]."
    if len(str(section.get("cookie_secret", ""))) < SECRET_LENGTH:
        return f"has a cookie_secret of less than {SECRET_LENGTH} characters in [auth]."
    if not str(section.get("redirect_uri", "")).endswith(CALLBACK):
        return f"has a redirect_uri in [auth] that does not end with {CALLBACK}."
    return ""
