"""Who is let in on which address, and how a browser of a named person is known."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from forager.errors import UsageError
from forager.settings import Settings
from graphs.system.accounts.accounts import Accounts
from tests.ui.server.api_client import Answer, Caller, called
from ui.server.access.account_visitors import AccountVisitors
from ui.server.access.password_hash import save_password
from ui.server.access.visitors import (
    ANYBODY,
    CALLBACK,
    COOKIE,
    LOGOUT,
    NamedVisitors,
    PasswordVisitors,
    choose_visitors,
    find_provider_fault,
    read_provider,
)

ADA = {"email": "Ada@Example.org", "email_verified": True}
EVE = {"email": "eve@example.org"}
PROTECTED = "/media/one"


@pytest.fixture
def named() -> NamedVisitors:
    return NamedVisitors(["ada@example.org", ""])


@pytest.fixture
def server(tmp_path: Path, named: NamedVisitors) -> Iterator[Caller]:
    with called(Settings(data=tmp_path), named) as caller:
        yield caller


def cookie(answer: Answer) -> str:
    """The value of the cookie that a browser is known by."""
    name, _, value = answer.headers["set-cookie"].partition(";")[0].partition("=")
    assert name == COOKIE
    return value


def status(server: Caller, browser: str) -> int:
    """What a browser is answered that asks for something protected."""
    return server.bare(PROTECTED, cookie=f"{COOKIE}={browser}").status


def test_other_machines_are_served_only_with_a_login(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path)
    assert choose_visitors(settings, "127.0.0.1") is ANYBODY
    with pytest.raises(UsageError, match="nobody would have to log in") as refused:
        choose_visitors(settings, "192.0.2.1")
    assert "--set-password" in refused.value.mend
    assert "FORAGER_UI_USERS" in refused.value.mend
    save_password(tmp_path, "open sesame, please")
    assert isinstance(choose_visitors(settings, "192.0.2.1"), PasswordVisitors)
    assert isinstance(choose_visitors(settings, "127.0.0.1"), PasswordVisitors)


def test_persons_are_known_by_their_addresses(named: NamedVisitors) -> None:
    assert named.admit({"email": "Ada@Example.org"}, {})
    assert named.admit({"email": "ada@example.org", "email_verified": True}, {})
    assert not named.admit({"email": "ada@example.org", "email_verified": False}, {})
    assert not named.admit({"email": "ada@example.org", "email_verified": "False"}, {})
    assert not named.admit(EVE, {})
    assert not named.admit({"email": ""}, {})
    assert not named.admit({}, {})


def test_a_browser_is_admitted_by_its_page_until_the_logout(
    server: Caller, named: NamedVisitors
) -> None:
    browser = cookie(server.bare("/"))
    assert status(server, browser) == 401
    assert named.admit(ADA, {COOKIE: browser})
    assert status(server, browser) == 200
    assert status(server, "another") == 401
    assert not named.admit({}, {COOKIE: browser})
    assert status(server, browser) == 401


def test_a_person_who_is_not_named_takes_the_admission_away(
    server: Caller, named: NamedVisitors
) -> None:
    browser = cookie(server.bare("/"))
    named.admit(ADA, {COOKIE: browser})
    named.admit(EVE, {COOKIE: browser})
    assert status(server, browser) == 401


def test_a_cookie_is_given_once_and_anew_with_each_login(server: Caller) -> None:
    first = server.bare("/")
    said = first.headers["set-cookie"]
    assert "HttpOnly" in said
    assert "SameSite=Lax" in said
    known = f"{COOKIE}={cookie(first)}"
    assert "set-cookie" not in server.bare("/", cookie=known).headers
    assert cookie(server.bare(CALLBACK, cookie=known)) != cookie(first)


def test_the_token_of_a_named_person_ends_with_the_logout(
    server: Caller, named: NamedVisitors
) -> None:
    browser = cookie(server.bare("/"))
    known = {COOKIE: browser}
    assert named.page_token(known, server.token) == ""
    assert named.admit(ADA, known)
    bearer = f"Bearer {named.page_token(known, server.token)}"
    assert server.bare("/api/sessions", authorization=bearer).status == 200
    server.bare(LOGOUT, cookie=f"{COOKIE}={browser}")
    assert server.bare("/api/sessions", authorization=bearer).status == 401
    assert not named.admit(ADA, known)  # a page that was left open


@pytest.mark.parametrize("browser", ["", "short", "x" * 44, "*" * 43])
def test_a_cookie_that_is_none_of_ours_is_never_admitted(
    server: Caller, named: NamedVisitors, browser: str
) -> None:
    named.admit(ADA, {COOKIE: browser})
    named.admit(ADA, {})
    assert status(server, browser) == 401


@pytest.mark.parametrize("path", ["/_stcore/metrics", "/_stcore/new", "/docs", "/openapi.json"])
def test_what_is_not_needed_for_the_login_is_protected(server: Caller, path: str) -> None:
    assert server.bare(path).status == 401


def test_a_provider_without_its_secrets_is_refused() -> None:
    with pytest.raises(UsageError, match=r"has no \[auth\]"):
        read_provider(8501)


def test_a_login_that_could_not_work_or_hold_is_refused() -> None:
    whole = {
        "cookie_secret": "0123456789abcdef" * 2,
        "redirect_uri": "http://h/oauth2callback",
        "client_id": "forager",
        "client_secret": "secret",
        "server_metadata_url": "http://h/.well-known/openid-configuration",
    }
    assert find_provider_fault(whole) == ""
    assert "cookie_secret" in find_provider_fault({**whole, "cookie_secret": "guessed"})
    assert "/oauth2callback" in find_provider_fault({**whole, "redirect_uri": "http://h/"})
    assert "client_id" in find_provider_fault({**whole, "client_id": ""})


def test_a_page_looks_once_for_accounts_while_it_is_drawn_and_requests_look_each_time(
    tmp_path: Path,
) -> None:
    settings = Settings(data=tmp_path)
    visitors = AccountVisitors(Accounts(settings), ANYBODY)
    with ThreadPoolExecutor(1) as other:
        with visitors.looking_once():
            Accounts(settings).add("ada", "admin", password="open sesame, please")
            assert not visitors.are_on()
        assert visitors.are_on()
        fresh = AccountVisitors(Accounts(settings), ANYBODY)
        with fresh.looking_once():
            assert fresh.are_on()
            assert other.submit(fresh.are_on).result()
