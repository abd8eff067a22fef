"""Visitors with accounts, as soon as there is one; until then, whoever came in before."""

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Final

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from forager.accounts import Account, Role, level_of, limit_role
from forager.errors import RoleError
from forager.settings import Settings
from graphs.system.accounts.accounts import Accounts
from ui.server.access.account_login import AccountLogin
from ui.server.access.logins import Holder, Logins
from ui.server.access.password_login import COOKIE as ENTRY
from ui.server.access.visitors import (
    ANYBODY,
    COOKIE_VALUE,
    LOGIN_PATHS,
    PROTECTED,
    Claims,
    NamedVisitors,
    Visitors,
    choose_visitors,
    has_provider,
    is_unverified,
)
from ui.server.access.visitors import COOKIE as BROWSER

TRUSTED_SECONDS: Final = 1.0
"""How long a page that is open takes an account to be as it was; requests look each time."""


@dataclass(frozen=True)
class Asker:
    """Who asks: an account, and the role in which it acts, which a token may lower.

    `token` is the ID of a program's token; empty for a login.
    """

    account: Account
    role: Role
    token: str = ""

    def may(self, role: Role) -> bool:
        """Whether this is the role, or one that may do more."""
        return level_of(self.role) >= level_of(role)


NOWHERE: Final = object()
_ASKING: ContextVar[Any] = ContextVar("asking")
"""Who asks in this request; a thread of Streamlit has none, and is known by its cookies."""
_PAGE: ContextVar[Mapping[str, str]] = ContextVar("page")
"""The cookies of an open page, in what it does outside of its script."""


def set_asker(asker: Asker | None) -> None:
    """Say who asks, for the rest of this request."""
    _ASKING.set(asker)


def request_asker() -> Asker | None:
    """Who asks in this request."""
    asker: Asker | None = _ASKING.get(None)
    return asker


def set_page(cookies: Mapping[str, str]) -> None:
    """Say by which cookies an open page is known, in what it does outside of its script."""
    _PAGE.set(cookies)


def page_cookies() -> Mapping[str, str]:
    """The cookies of the open page that acts here, outside of its script; none elsewhere."""
    return _PAGE.get({})


def is_request() -> bool:
    """Whether this is a request, in which it is known who asks."""
    return _ASKING.get(NOWHERE) is not NOWHERE


class AccountVisitors:
    """Those who have an account: by name and password, or through a provider by their address.

    `emails` are admitted without an account, which is made when they log in. While there is no
    account, `others` decides. Raises StoreError where it cannot be known.
    """

    def __init__(
        self,
        accounts: Accounts,
        others: Visitors,
        emails: Iterable[str] = (),
        *,
        provider: bool = False,
    ) -> None:
        self.accounts = accounts
        self.others = others
        self.needs_provider = provider or others.needs_provider
        self._emails = frozenset(filter(None, (email.strip().lower() for email in emails)))
        self._logins = Logins()
        self._browsers = NamedVisitors(())
        self.login = AccountLogin(accounts, self._logins)
        self._on = accounts.are_on()
        self._thread = threading.local()
        self._looked: dict[str, tuple[float, Asker | None]] = {}
        self._before = {route.path: route.endpoint for route in others.routes}

    def are_on(self) -> bool:
        """Whether there are accounts; the last admin cannot be removed, so they stay.

        The first one in a file is noticed at once, within `looking_once` with the next one, and
        one on a database server by `look`.
        """
        looked = getattr(self._thread, "looked", False)
        if not (self._on or looked) and self.accounts.are_in_file:
            self.look()
        return self._on

    @contextmanager
    def looking_once(self) -> Iterator[None]:
        """Look now, and in the body not again in this thread, where it is asked for each text."""
        self.are_on()
        self._thread.looked = True
        try:
            yield
        finally:
            self._thread.looked = False

    def look(self) -> None:
        """Look whether there is an account by now. Raises StoreError."""
        self._on = self._on or self.accounts.are_on()

    @property
    def asks_password(self) -> bool:
        """Whether there is a login page that asks for a password."""
        return self.others.asks_password or self.are_on()

    @property
    def routes(self) -> list[Route]:
        """The login page and the logout."""
        return [
            Route("/login", self._show_login, methods=["GET", "POST"]),
            Route("/logout", self._log_out, methods=["POST"]),
        ]

    def account_of(self, cookies: Mapping[str, str]) -> Account | None:
        """The account that is logged in in the browser with these cookies."""
        for name in (ENTRY, BROWSER):
            cookie = cookies.get(name, "")
            if cookie and (account := self._holder(cookie)) is not None:
                return account
        return None

    def page_asker(self, cookies: Mapping[str, str]) -> Asker | None:
        """The same for an open page, which asks often: it is looked up once in a while."""

        def find() -> Asker | None:
            account = self.account_of(cookies)
            return Asker(account, account.role) if account else None

        return self._look_up(f"{cookies.get(ENTRY, '')} {cookies.get(BROWSER, '')}", find)

    def stream_asker(self, token: str) -> Asker | None:
        """Who has the token of a stream that is open, looked up once in a while."""
        return self._look_up(token, lambda: self.asker_of_token(token))

    def asker_of_token(self, token: str) -> Asker | None:
        """Who has this token: a browser that is logged in, or a program of an account."""
        if not token:
            return None
        if cookie := self._logins.cookie_of(token):
            account = self._holder(cookie)
            return Asker(account, account.role) if account else None
        found = self.accounts.find_token(token)
        own = self.accounts.find(found.account) if found else None
        if found is None or own is None or own.disabled:
            return None
        return Asker(own, limit_role(own.role, found.scope), found.id)

    def allows(self, path: str, request: HTTPConnection) -> bool:
        """Whether this request may be answered."""
        if not self.are_on():
            return self.others.allows(path, request)
        if self.account_of(request.cookies) is not None:
            return True
        return self.needs_provider and (path in LOGIN_PATHS or not path.startswith(PROTECTED))

    def mark_browser(self, path: str, request: HTTPConnection, headers: MutableHeaders) -> None:
        """Let a reply set the cookie by which a browser is recognized."""
        if not self.are_on():
            self.others.mark_browser(path, request, headers)
        elif self.needs_provider:
            self._browsers.mark_browser(path, request, headers)
            if self._browsers.has_left(request.cookies.get(BROWSER, "")):
                self._logins.end(request.cookies.get(BROWSER, ""))

    def admit(self, claims: Claims, cookies: Mapping[str, str]) -> bool:
        """Whether a page may be shown; a provider's claims log its browser in."""
        if not self.are_on():
            return self.others.admit(claims, cookies)
        browser = cookies.get(BROWSER, "")
        if claims and COOKIE_VALUE.fullmatch(browser) and not self._browsers.has_left(browser):
            self._admit_claims(claims, browser)
        elif not claims and self.needs_provider:
            self._logins.end(browser)
        return self.account_of(cookies) is not None

    def page_token(self, cookies: Mapping[str, str], own: str) -> str:
        """The API token for the pages of a browser; `own` is the server's."""
        if not self.are_on():
            return self.others.page_token(cookies, own)
        tokens = (self._logins.token_of(cookies.get(name, "")) for name in (ENTRY, BROWSER))
        return next(filter(None, tokens), "")

    def accepts_token(self, token: str) -> bool:
        """Whether this is the token of a browser that is logged in."""
        if not self.are_on():
            return self.others.accepts_token(token)
        return self.asker_of_token(token) is not None

    def renew(self) -> bool:
        """Take up a changed password; whether that has ended all logins."""
        return not self.are_on() and self.others.renew()

    def look_anew(self) -> None:
        """Trust no page and no stream to be as it was."""
        self._looked = {}

    def _look_up(self, key: str, find: Callable[[], Asker | None]) -> Asker | None:
        now = time.monotonic()
        looked, asker = self._looked.get(key, (0.0, None))
        if asker is None or now - looked > TRUSTED_SECONDS:
            asker = find()
            fresh = {
                each: known
                for each, known in list(self._looked.items())
                if now - known[0] <= TRUSTED_SECONDS
            }
            self._looked = {**fresh, key: (now, asker)}
        return asker

    def _admit_claims(self, claims: Claims, browser: str) -> None:
        email = str(claims.get("email") or "").lower()
        account = None
        if email and not is_unverified(claims):
            account = self.accounts.with_email(email)
            if account is None and email in self._emails:
                account = self.accounts.add_for_email(email)
        if account is None or account.disabled:
            self._logins.end(browser)
        else:
            self._logins.add(browser, Holder(account.id, account.stamp))

    def _holder(self, cookie: str) -> Account | None:
        held = self._logins.holder_of(cookie)
        if held is None:
            return None
        account = self.accounts.find(held.account)
        if account is None or account.disabled or account.stamp != held.stamp:
            self._logins.end(cookie)
            return None
        return account

    async def _show_login(self, request: Request) -> Response:
        if self.are_on():
            return await self.login.login(request)
        return await self._as_before("/login", request)

    async def _log_out(self, request: Request) -> Response:
        if self.are_on():
            return await self.login.logout(request)
        return await self._as_before("/logout", request)

    async def _as_before(self, path: str, request: Request) -> Response:
        if path not in self._before:
            return RedirectResponse("/", 303)
        reply: Response = await self._before[path](request)
        return reply


def admit_accounts(settings: Settings, address: str) -> AccountVisitors:
    """The visitors with accounts, and those before there is one.

    Raises UsageError if anybody on the network would be admitted, and StoreError if it cannot be
    known whether there are accounts.
    """
    accounts = Accounts(settings)
    on = accounts.are_on()
    others = ANYBODY if on else choose_visitors(settings, address)
    provider = on and has_provider()
    return AccountVisitors(accounts, others, settings.ui_users, provider=provider)


def refuse_role(asker: Asker, needed: Role) -> None:
    """Raise RoleError if who asks may not do what this role may."""
    if asker.may(needed):
        return
    lowered = asker.role != asker.account.role
    whose = "The token" if lowered else f"The account {asker.account.name}"
    raise RoleError(
        f"{whose} is {asker.role}; this needs {needed}.",
        "Use a token with a wider scope." if lowered else "Ask an admin for another role.",
    )
