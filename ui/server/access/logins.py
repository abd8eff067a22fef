"""The browsers that are logged in, and the API token that the pages of each have."""

import hashlib
import hmac
import secrets
import time
from typing import NamedTuple

SECONDS = 30 * 24 * 3600
"""How long a browser stays logged in; no longer than the server runs."""


class Holder(NamedTuple):
    """The account of a login, and the stamp that it had then; a later stamp ends the login."""

    account: str
    stamp: int


class Logins:
    """Logged-in browsers by the value of their cookie; a browser's token ends with its login."""

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)
        self._until: dict[str, float] = {}
        self._holders: dict[str, Holder] = {}
        self._cookies: dict[str, str] = {}

    def add(self, cookie: str, holder: Holder | None = None) -> None:
        """Log a browser in, or keep it logged in for longer; `holder` is whose login it is."""
        now = time.monotonic()
        for each, until in list(self._until.items()):
            if until <= now:
                self.end(each)
        self._until[cookie] = now + SECONDS
        self._cookies[self._token(cookie)] = cookie
        if holder is not None:
            self._holders[cookie] = holder

    def end(self, cookie: str) -> None:
        """Log a browser out, if it is logged in."""
        self._until.pop(cookie, None)
        self._holders.pop(cookie, None)
        self._cookies.pop(self._token(cookie), None)

    def end_all(self) -> None:
        """Log everybody out."""
        self._until.clear()
        self._holders.clear()
        self._cookies.clear()

    def has(self, cookie: str) -> bool:
        """Whether the browser with this cookie is logged in."""
        return self._until.get(cookie, 0.0) > time.monotonic()

    def token_of(self, cookie: str) -> str:
        """The API token of a logged-in browser; empty for any other."""
        return self._token(cookie) if self.has(cookie) else ""

    def accepts(self, token: str) -> bool:
        """Whether this is the token of a browser that is logged in."""
        return self.has(self._cookies.get(token, ""))

    def holder_of(self, cookie: str) -> Holder | None:
        """Whose login a browser has; None where it has none, or one of nobody."""
        return self._holders.get(cookie) if self.has(cookie) else None

    def cookie_of(self, token: str) -> str:
        """The cookie of the browser with this token; empty for none."""
        return self._cookies.get(token, "")

    def _token(self, cookie: str) -> str:
        return hmac.new(self._key, cookie.encode(), hashlib.sha256).hexdigest()
