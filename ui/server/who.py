"""Who the pages are for: anybody on this machine, who knows the password, or named persons."""

import json
from collections.abc import Iterable, Mapping
from typing import ClassVar, Final, Protocol

from starlette.requests import HTTPConnection
from starlette.routing import Route
from streamlit.auth_util import get_secrets_auth_section, validate_auth_credentials
from streamlit.errors import StreamlitAuthError
from streamlit.web.server.starlette.starlette_server_config import USER_COOKIE_NAME
from streamlit.web.server.starlette.starlette_websocket import _get_signed_cookie_with_chunks

from forager.errors import UsageError
from forager.settings import Settings
from ui.server import password
from ui.server.entry import Entry
from ui.server.listening import is_loopback

KEPT = (
    "/media/",
    "/component/",
    "/_stcore/agent/",
    "/_stcore/bidi-components/",
    "/_stcore/metrics",
    "/_stcore/upload_file/",
)
"""What a page has loaded or been given; the page itself shows only how to log in."""
SECRET_LENGTH = 32
"""Characters that the key of the cookies has at the least: who guesses it is anybody."""
CALLBACK = "/oauth2callback"

Claims = Mapping[str, object]


class Who(Protocol):
    """Decides of requests that carry no token."""

    @property
    def routes(self) -> list[Route]:
        """Where it is asked who somebody is."""

    def may(self, path: str, request: HTTPConnection) -> bool:
        """May this request be answered?"""

    def knows(self, claims: Claims) -> bool:
        """May a page show itself to somebody with these claims? Without a login there are none."""


class Anybody:
    """On loopback, without a password."""

    routes: ClassVar[list[Route]] = []

    def may(self, path: str, request: HTTPConnection) -> bool:
        """Yes."""
        return True

    def knows(self, claims: Claims) -> bool:
        """Yes."""
        return True


ANYBODY: Final = Anybody()


class Knower:
    """Who has logged in with the password."""

    def __init__(self, line: str) -> None:
        """`line` is its hash."""
        self._entry = Entry(line)
        self.routes = self._entry.routes

    def may(self, path: str, request: HTTPConnection) -> bool:
        """Is the cookie there?"""
        return self._entry.admits(request.cookies)

    def knows(self, claims: Claims) -> bool:
        """No script runs for anybody else."""
        return True


class Named:
    """Persons that an OpenID provider vouches for, by their e-mail addresses."""

    routes: ClassVar[list[Route]] = []

    def __init__(self, emails: Iterable[str]) -> None:
        self._emails = frozenset(filter(None, (email.strip().lower() for email in emails)))

    def may(self, path: str, request: HTTPConnection) -> bool:
        """The page is served to all, to log in; what it loads, to the persons named."""
        if not path.startswith(KEPT):
            return True
        found = _get_signed_cookie_with_chunks(request.cookies, USER_COOKIE_NAME)
        try:
            claims = json.loads(found or b"{}")
        except ValueError:
            return False
        return isinstance(claims, dict) and self.knows(claims)

    def knows(self, claims: Claims) -> bool:
        """Is the address one of theirs, and does the provider not doubt it?"""
        email = str(claims.get("email") or "").lower()
        return email in self._emails and not doubted(claims)


def doubted(claims: Claims) -> bool:
    """Does the provider say that the address may be somebody else's? Some say it as a word."""
    return str(claims.get("email_verified")).lower() == "false"


def who(settings: Settings, address: str) -> Who:
    """Who is let in on this address. Raises UsageError where that would be anybody."""
    if line := password.kept(settings.data):
        return Knower(line)
    if settings.ui_users:
        _check_provider()
        return Named(settings.ui_users)
    if is_loopback(address):
        return ANYBODY
    raise UsageError(
        f"Other machines can reach {address}, and nobody would have to log in.",
        "Set a password (./run ui --set-password), or name those who may log in through a "
        "provider: [auth] in secrets.toml and FORAGER_UI_USERS.",
    )


def wanting(section: Mapping[str, object]) -> str:
    """What an [auth] lacks, so that nobody could come in, or whoever made up a cookie; else ""."""
    if len(str(section.get("cookie_secret", ""))) < SECRET_LENGTH:
        return f"Its cookie_secret is shorter than {SECRET_LENGTH} characters."
    if not str(section.get("redirect_uri", "")).endswith(CALLBACK):
        return f"Its redirect_uri does not end with {CALLBACK}."
    return ""


def _check_provider() -> None:
    """Raises UsageError where the login cannot do its work."""
    section = get_secrets_auth_section().to_dict()
    what = wanting(section)
    try:
        validate_auth_credentials("default")
    except StreamlitAuthError as error:
        what = " ".join(str(error).split())
    if what:
        how = f"does not do: {what}" if section else "has no [auth]."
        raise UsageError(
            f"FORAGER_UI_USERS is set, and Streamlit's secrets.toml {how}",
            "Mend it, or unset FORAGER_UI_USERS; docs/web-ui.md says how.",
        )
