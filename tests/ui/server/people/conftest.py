"""A server with accounts, in files and on a PostgreSQL server, and calls of each account."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlencode

import pytest

from forager.accounts import Role, Scope
from forager.settings import Settings
from graphs.system.accounts.accounts import Accounts
from tests.postgres import postgres, postgres_server, stored
from tests.ui.server.api_client import Answer, Caller, called
from ui.server.access.account_visitors import AccountVisitors
from ui.server.access.password_hash import hash_password
from ui.server.access.visitors import ANYBODY
from ui.server.handbook.handbook_site import HOST

__all__ = ["postgres", "postgres_server", "stored"]

PASSWORD = "correct horse battery"
ENTRY = "forager_entry"


def log_in(caller: Caller, name: str, password: str = PASSWORD, device: str = "") -> Answer:
    """What the login page answers."""
    form = urlencode({"name": name, "password": password}).encode()
    headers = {"content-type": "application/x-www-form-urlencoded", "cookie": device}
    return caller.bare("/login", form, "POST", **headers)


def cookie_of(answer: Answer, name: str = ENTRY) -> str:
    """The value of a cookie that a login gave."""
    pairs = answer.headers["set-cookie"].replace(",", ";").split(";")
    given = next(pair.strip() for pair in pairs if pair.strip().startswith(f"{name}="))
    return given.partition("=")[2]


@dataclass(frozen=True)
class Peopled:
    """A server with the accounts ada (the first, an admin) and those that were added."""

    caller: Caller
    accounts: Accounts

    def add(self, name: str, role: Role = "asker") -> Caller:
        """A new account; calls with a token that may do what it may."""
        self.accounts.add(name, role, email=f"{name}@example.org", password=hash_password(PASSWORD))
        return self.as_account(name)

    def logged_in(self, name: str, password: str = PASSWORD) -> Caller:
        """Calls as the pages of a browser make them in which an account has logged in."""
        cookie = cookie_of(log_in(self.caller, name, password))
        assert self.caller.backend is not None
        pages = self.caller.backend.visitors
        return replace(self.caller, token=pages.page_token({ENTRY: cookie}, ""))

    def as_account(self, name: str, scope: Scope = "admin") -> Caller:
        """Calls with a new token of an account."""
        account = self.accounts.named(name)
        _, value = self.accounts.create_token(account.id, "test", scope)
        return replace(self.caller, token=value)


@contextmanager
def peopled(settings: Settings) -> Iterator[Peopled]:
    """Serve an installation with the first account."""
    accounts = Accounts(settings)
    if not accounts.are_on():
        accounts.add("ada", "admin", password=hash_password(PASSWORD))
    with called(settings, AccountVisitors(accounts, ANYBODY)) as caller:
        yield Peopled(caller, accounts)


@pytest.fixture
def people(stored: None, tmp_path: Path) -> Iterator[Peopled]:
    """A server with accounts, in files and on a database server."""
    with peopled(Settings(data=tmp_path / "data", allow_private=(HOST,))) as served:
        yield served
