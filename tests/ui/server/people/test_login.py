"""Who logs in with name and password, and what ends a login."""

import hashlib
import hmac
from pathlib import Path

import pytest

from forager.errors import UsageError
from forager.settings import Settings
from graphs.system.accounts.accounts import Accounts
from tests.ui.server.api_client import called
from tests.ui.server.people.conftest import ENTRY, PASSWORD, Peopled, cookie_of, log_in
from ui.server.access.account_login import NOBODY
from ui.server.access.account_visitors import AccountVisitors
from ui.server.access.attempt_limits import FREE_ATTEMPTS
from ui.server.access.password_hash import hash_password
from ui.server.access.visitors import ANYBODY
from ui.server.backend import get_installation

WRONG = "wrong password"
NEW = "another password"


def is_in(people: Peopled, cookie: str) -> bool:
    """Whether a browser with this cookie is shown pages."""
    return people.caller.bare("/", cookie=f"{ENTRY}={cookie}").status == 200


def test_without_an_account_nobody_logs_in_and_from_the_first_one_on_everybody_does(
    tmp_path: Path,
) -> None:
    settings = Settings(data=tmp_path)
    accounts = Accounts(settings)
    with called(settings, AccountVisitors(accounts, ANYBODY)) as caller:
        assert caller.bare("/").status == 200
        assert caller.ask("/api/accounts").status == 404
        accounts.add("ada", "admin", password=hash_password(PASSWORD))
        assert caller.bare("/").status == 401
        assert caller.bare("/", accept="text/html").headers["location"] == "/login"
        assert [each["name"] for each in caller.ask("/api/accounts").json()] == ["ada"]


def test_name_and_password_log_in_until_the_account_is_disabled(people: Peopled) -> None:
    people.add("bob")
    assert log_in(people.caller, "bob", WRONG).status == 401
    assert log_in(people.caller, "nobody").status == 401
    for name in ("bob", "Bob ", "bob@example.org"):
        assert log_in(people.caller, name).status == 303
    cookie = cookie_of(log_in(people.caller, "bob"))
    assert is_in(people, cookie)
    ada = people.as_account("ada")
    assert ada.ask("/api/accounts/bob", {"disabled": True}, "PATCH").status == 200
    assert not is_in(people, cookie)
    assert log_in(people.caller, "bob").status == 401
    assert ada.ask("/api/accounts/bob", {"disabled": False}, "PATCH").status == 200
    assert not is_in(people, cookie)
    assert log_in(people.caller, "bob").status == 303


def test_a_login_gives_a_new_cookie_and_a_logout_ends_it(people: Peopled) -> None:
    planted = f"{ENTRY}=planted-before-the-login-by-somebody-else"
    given = cookie_of(log_in(people.caller, "ada", device=planted))
    assert given not in planted
    assert not is_in(people, planted.partition("=")[2])
    assert is_in(people, given)
    again = cookie_of(log_in(people.caller, "ada", device=f"{ENTRY}={given}"))
    assert (is_in(people, given), is_in(people, again)) == (False, True)
    left = people.caller.bare("/logout", b"", "POST", cookie=f"{ENTRY}={again}")
    assert left.headers["location"] == "/login"
    assert not is_in(people, again)


def test_another_site_logs_nobody_in_and_nobody_out(people: Peopled) -> None:
    cookie = cookie_of(log_in(people.caller, "ada"))
    for path in ("/login", "/logout"):
        foreign = {"origin": "https://elsewhere.example", "cookie": f"{ENTRY}={cookie}"}
        assert people.caller.bare(path, b"", "POST", **foreign).status == 403
        site = {"sec-fetch-site": "same-site", "cookie": f"{ENTRY}={cookie}"}
        assert people.caller.bare(path, b"", "POST", **site).status == 403
    assert is_in(people, cookie)


def test_guesses_at_one_account_must_wait_but_not_who_knew_its_password(people: Peopled) -> None:
    people.add("bob")
    device = cookie_of(log_in(people.caller, "bob"), "forager_device")
    for name in ("bob", "bob@example.org", "BOB", "bob", "bob@example.org"):
        assert log_in(people.caller, name, WRONG).status == 401
    assert log_in(people.caller, "bob").status == 429
    assert log_in(people.caller, "bob@example.org").status == 429
    assert log_in(people.caller, "bob", device=f"forager_device={device}").status == 303


def test_a_browser_that_claims_to_be_known_guesses_no_more_often(people: Peopled) -> None:
    """For a name without a password, what a browser claims cannot be true."""
    people.accounts.add("bob", "asker", email="bob@example.org")
    told = []
    for number, name in enumerate((*["bob", "nobody"] * 3, "bob")):
        signed = hmac.new(NOBODY.encode(), str(number).encode(), hashlib.sha256).hexdigest()
        device = f"forager_device={number}.{signed}"
        told.append(log_in(people.caller, name, WRONG, device).status)
    assert told == [401] * FREE_ATTEMPTS + [429, 429]


def test_a_new_password_ends_other_logins_and_leaves_tokens(people: Peopled) -> None:
    program = people.add("bob")
    cookie, bob = cookie_of(log_in(people.caller, "bob")), people.logged_in("bob")
    change = {"old": PASSWORD, "new": NEW}
    for refused in ({**change, "old": "no"}, {**change, "new": "short"}):
        assert bob.ask("/api/account/password", refused, "PUT").status == 400
    assert is_in(people, cookie)
    assert bob.ask("/api/account/password", change, "PUT").status == 200
    assert not is_in(people, cookie)
    assert bob.ask("/api/account").status == 401
    assert program.ask("/api/account").json()["name"] == "bob"
    assert log_in(people.caller, "bob").status == 401
    assert log_in(people.caller, "bob", NEW).status == 303


def test_the_present_password_is_not_guessed_by_changing_it(people: Peopled) -> None:
    people.add("bob")
    bob = people.logged_in("bob")
    for _ in range(FREE_ATTEMPTS):
        told = bob.ask("/api/account/password", {"old": WRONG, "new": NEW}, "PUT")
        assert "is wrong" in told.json()["error"]
    told = bob.ask("/api/account/password", {"old": PASSWORD, "new": NEW}, "PUT")
    assert (told.status, "Too many" in told.json()["error"]) == (400, True)


def test_who_logs_in_through_a_provider_alone_sets_no_password(people: Peopled) -> None:
    people.accounts.add("bob", "asker", email="bob@example.org")
    account = people.accounts.named("bob")
    login = get_installation().people
    assert login is not None
    with pytest.raises(UsageError, match="has no password"):
        login.login.change_password(account, "", NEW)
    assert log_in(people.caller, "bob", "").status == 401


def test_a_stream_ends_with_the_login_and_with_the_account(people: Peopled, site: str) -> None:
    people.add("bob")
    bob, ada = people.logged_in("bob"), people.as_account("ada")
    asked = {"question": "Who built the Skarn lighthouse?", "sites": [site], "session": "one"}
    assert bob.ask("/api/sessions", asked).status == 201
    bob.seen("one", "answered")
    for change in ({"password": NEW}, {"disabled": True}):
        stream = bob.follow("one")
        assert next(stream)["session"]["status"] == "answered"
        assert ada.ask("/api/accounts/bob", change, "PATCH").status == 200
        assert not [each for each in stream if each]
        assert bob.ask("/api/sessions/one/live").status == 401
        if "password" in change:
            bob = people.logged_in("bob", NEW)
