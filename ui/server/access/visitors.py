"""Who may use the pages: anybody on this machine, anybody with the password, or named persons."""

import re
import secrets
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
from ui.server.access.logins import SECONDS, Logins
from ui.server.access.password_hash import read_hash
from ui.server.access.password_login import COOKIE as ENTRY
from ui.server.access.password_login import PasswordLogin
from ui.server.sockets import is_loopback

CALLBACK: Final = "/oauth2callback"
"""Where a provider sends a browser back to; Streamlit's docs name the path."""
PROTECTED: Final = ("/media/", "/component/", "/_stcore/", "/docs", "/openapi.json")
"""Paths of what pages load and of the API's documentation; open only to admitted visitors."""
LOGIN_PATHS: Final = frozenset({"/_stcore/stream", "/_stcore/health", "/_stcore/host-config"})
"""All that the page needs in order to show the login."""
PROVIDER_KEYS: Final = ("client_id", "client_secret", "server_metadata_url")
SECRET_LENGTH = 32
"""Characters of the shortest cookie key; whoever guesses it can pose as anybody."""
COOKIE: Final = "forager_browser"
COOKIE_VALUE = re.compile(r"[\w-]{43}")
LOGOUT: Final = "/auth/logout"
"""Where Streamlit ends a login through a provider."""

Claims = Mapping[str, object]


class Visitors(Protocol):
    """Decides about requests without a token."""

    @property
    def needs_provider(self) -> bool:
        """Whether a page asks a provider who its visitor is."""

    @property
    def asks_password(self) -> bool:
        """Whether there is a login page that asks for a password."""

    @property
    def routes(self) -> list[Route]:
        """The routes of the login."""

    def allows(self, path: str, request: HTTPConnection) -> bool:
        """Whether this request may be answered."""

    def mark_browser(self, path: str, request: HTTPConnection, headers: MutableHeaders) -> None:
        """Let a reply set the cookie by which the browser is recognized."""

    def admit(self, claims: Claims, cookies: Mapping[str, str]) -> bool:
        """Whether a page may be shown to somebody with these claims from a provider."""

    def page_token(self, cookies: Mapping[str, str], own: str) -> str:
        """The API token for the pages of a browser; `own` is the server's."""

    def accepts_token(self, token: str) -> bool:
        """Whether this is the token of a browser that is logged in."""

    def renew(self) -> bool:
        """Take up a changed password; whether that has ended all logins."""


class Anybody:
    """On loopback, without a password."""

    needs_provider = False
    asks_password = False

    @property
    def routes(self) -> list[Route]:
        """None."""
        return []

    def allows(self, path: str, request: HTTPConnection) -> bool:
        """Always."""
        return True

    def mark_browser(self, path: str, request: HTTPConnection, headers: MutableHeaders) -> None:
        """Set no cookie."""

    def admit(self, claims: Claims, cookies: Mapping[str, str]) -> bool:
        """Always."""
        return True

    def page_token(self, cookies: Mapping[str, str], own: str) -> str:
        """The server's own: nobody logs in, so nobody logs out."""
        return own

    def accepts_token(self, token: str) -> bool:
        """Never: there is no other than the server's."""
        return False

    def renew(self) -> bool:
        """There is no password."""
        return False


ANYBODY: Final = Anybody()


class PasswordVisitors:
    """Those who have logged in with the password of a data folder."""

    needs_provider = False
    asks_password = True

    def __init__(self, folder: Path) -> None:
        """Raises StoreError where the folder has no password."""
        self._login = PasswordLogin(folder)

    @property
    def routes(self) -> list[Route]:
        """The login page and the logout."""
        return self._login.routes

    def allows(self, path: str, request: HTTPConnection) -> bool:
        """Whether the browser has logged in."""
        return self.admit({}, request.cookies)

    def mark_browser(self, path: str, request: HTTPConnection, headers: MutableHeaders) -> None:
        """The login gives a browser its cookie."""

    def admit(self, claims: Claims, cookies: Mapping[str, str]) -> bool:
        """Whether the browser has logged in; a page that is open does not outlive its login."""
        return self._login.logins.has(cookies.get(ENTRY, ""))

    def page_token(self, cookies: Mapping[str, str], own: str) -> str:
        """The token of the browser's login, which ends with it; empty without a login."""
        return self._login.logins.token_of(cookies.get(ENTRY, ""))

    def accepts_token(self, token: str) -> bool:
        """Whether this is the token of a browser that is logged in."""
        return self._login.logins.accepts(token)

    def renew(self) -> bool:
        """Take up a changed password; whether that has ended all logins."""
        return self._login.renew()


class NamedVisitors:
    """Persons that an OpenID provider vouches for, by their e-mail addresses.

    The page asks the provider through `st.login` and reads its claims from `st.user`. What the page
    loads is asked for by requests that Streamlit gives no claims to, so each browser has a cookie
    of our own: the page admits the browser in which a named person is logged in. A login gives the
    browser a new cookie; one that was planted before it is worth nothing.
    """

    needs_provider = True
    asks_password = False

    def __init__(self, emails: Iterable[str]) -> None:
        self._emails = frozenset(filter(None, (email.strip().lower() for email in emails)))
        self._logins = Logins()
        self._logged_out: set[str] = set()

    @property
    def routes(self) -> list[Route]:
        """None: Streamlit has its own."""
        return []

    def allows(self, path: str, request: HTTPConnection) -> bool:
        """The page is served to all, for the login; what it loads, to admitted browsers."""
        if path in LOGIN_PATHS or not path.startswith(PROTECTED):
            return True
        return self._logins.has(request.cookies.get(COOKIE, ""))

    def mark_browser(self, path: str, request: HTTPConnection, headers: MutableHeaders) -> None:
        """Give a browser its cookie with its first page, and a new one with each login.

        A logout ends what the cookie was worth, also for pages that are still open.
        """
        known = COOKIE_VALUE.fullmatch(request.cookies.get(COOKIE, ""))
        is_page = headers.get("content-type", "").startswith("text/html")
        if path == LOGOUT and known:
            self._logins.end(known[0])
            self._logged_out.add(known[0])
        if path == CALLBACK or (is_page and not known):
            secure = "; Secure" if request.url.scheme == "https" else ""
            value = f"{COOKIE}={secrets.token_urlsafe(32)}; Path=/; HttpOnly; SameSite=Lax"
            headers.append("set-cookie", f"{value}; Max-Age={SECONDS}{secure}")

    def admit(self, claims: Claims, cookies: Mapping[str, str]) -> bool:
        """Whether a named person is logged in; admits the browser, or withdraws its admission."""
        email = str(claims.get("email") or "").lower()
        browser = cookies.get(COOKIE, "")
        named = email in self._emails and not is_unverified(claims)
        admitted = named and browser not in self._logged_out
        if not admitted:
            self._logins.end(browser)
        elif COOKIE_VALUE.fullmatch(browser):
            self._logins.add(browser)
        return admitted

    def has_left(self, browser: str) -> bool:
        """Whether somebody has logged out in the browser with this cookie."""
        return browser in self._logged_out

    def page_token(self, cookies: Mapping[str, str], own: str) -> str:
        """The token of the browser's login, which ends with it; empty without a login."""
        return self._logins.token_of(cookies.get(COOKIE, ""))

    def accepts_token(self, token: str) -> bool:
        """Whether this is the token of a browser in which a named person is logged in."""
        return self._logins.accepts(token)

    def renew(self) -> bool:
        """There is no password."""
        return False


def is_unverified(claims: Claims) -> bool:
    """Whether the provider has not verified the address; some providers say so in a string."""
    return str(claims.get("email_verified")).lower() == "false"


def choose_visitors(settings: Settings, address: str) -> Visitors:
    """Who is admitted on this address. Raises UsageError if anybody on the network would be."""
    if read_hash(settings.data):
        return PasswordVisitors(settings.data)
    if settings.ui_users:
        return NamedVisitors(settings.ui_users)
    if is_loopback(address):
        return ANYBODY
    raise UsageError(
        f"Other machines can reach {address}, and nobody would have to log in.",
        "Set a password (./run ui --set-password), or name those who may log in through a "
        "provider: [auth] in secrets.toml and FORAGER_UI_USERS.",
    )


def has_provider() -> bool:
    """Whether the [auth] of Streamlit's secrets.toml names a provider."""
    return bool(_read_auth())


def read_provider(port: int) -> dict[str, Any]:
    """The [auth] of Streamlit's secrets.toml, for a server on this port.

    Raises UsageError where no login could work.
    """
    section = _read_auth()
    if fault := find_provider_fault(section):
        raise UsageError(
            f"FORAGER_UI_USERS is set, but .streamlit/secrets.toml in your home {fault}",
            "Mend it, or unset FORAGER_UI_USERS; docs/web-ui.md says how.",
        )
    return {**section, "redirect_uri": section["redirect_uri"].replace("{port}", str(port))}


def _read_auth() -> dict[str, Any]:
    try:
        return dict(st.secrets.to_dict().get("auth", {}))
    except StreamlitSecretNotFoundError:
        return {}


def find_provider_fault(section: Mapping[str, object]) -> str:
    """Why an [auth] cannot work, or would admit a forged cookie; empty if it is sound."""
    if not section:
        return "has no [auth]."
    if missing := [key for key in PROVIDER_KEYS if not section.get(key)]:
        return f"lacks {', '.join(missing)} in [auth]."
    if len(str(section.get("cookie_secret", ""))) < SECRET_LENGTH:
        return f"has a cookie_secret of less than {SECRET_LENGTH} characters in [auth]."
    if not str(section.get("redirect_uri", "")).endswith(CALLBACK):
        return f"has a redirect_uri in [auth] that does not end with {CALLBACK}."
    return ""
