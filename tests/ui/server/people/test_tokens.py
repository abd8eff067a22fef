"""Tokens of accounts: what they may do, and when they end."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from forager.accounts import SCOPES, Scope
from graphs.system.accounts.accounts import Accounts
from tests.coast import ENGINEER, Coast
from tests.postgres import IN_FILES
from tests.ui.server.people.conftest import Peopled

QUESTION = "Which engineer built the Skarn lighthouse?"
DAY = 24 * 3600


@pytest.mark.parametrize("scope", SCOPES)
def test_a_token_does_no_more_than_its_scope(people: Peopled, site: str, scope: Scope) -> None:
    people.add("bob", "admin")
    token = people.as_account("bob", scope)
    level = SCOPES.index(scope)
    asked = {"question": QUESTION, "sites": [site]}
    calls = [
        (0, token.ask("/api/sessions")),
        (1, token.ask("/api/sessions", asked)),
        (2, token.ask("/api/graphs/mine/copy", {"source": "mango"})),
        (3, token.ask("/api/accounts")),
    ]
    assert [answer.status < 400 for _, answer in calls] == [level >= least for least, _ in calls]
    assert {answer.status for _, answer in calls if answer.status >= 400} <= {403}
    if level:
        token.seen(calls[1][1].json()["session"], "answered")


def test_an_account_makes_tokens_for_what_it_may_do_itself(people: Peopled) -> None:
    people.add("bob", "editor")
    bob = people.logged_in("bob")
    for scope in SCOPES:
        made = bob.ask("/api/tokens", {"name": "notebook", "scope": scope})
        assert made.status == (403 if scope == "admin" else 201)
    told = [each for each in bob.ask("/api/tokens").json() if each["name"] == "notebook"]
    assert [each["scope"] for each in told] == ["read", "ask", "edit"]
    assert not [each for each in told if "token" in each]


def test_what_a_token_may_do_ends_with_it(people: Peopled) -> None:
    """So it makes no other token, sets no password, and ends only itself."""
    people.add("bob", "admin")
    bob = people.logged_in("bob")
    first, other = (
        bob.ask("/api/tokens", {"name": name, "scope": "admin"}).json() for name in "ab"
    )
    program = replace(bob, token=first["token"])
    for path, body, method in (
        ("/api/tokens", {"name": "c", "scope": "read"}, "POST"),
        ("/api/account/password", {"old": "x", "new": "another password"}, "PUT"),
        (f"/api/tokens/{other['id']}", None, "DELETE"),
    ):
        assert program.ask(path, body, method).status == 403
    assert program.ask(f"/api/tokens/{first['id']}", method="DELETE").status == 200
    assert program.ask("/api/sessions").status == 401
    assert replace(bob, token=other["token"]).ask("/api/sessions").status == 200


def test_a_token_ends_when_it_is_revoked_and_its_role_follows_that_of_its_account(
    people: Peopled,
) -> None:
    people.add("bob", "editor")
    bob = people.logged_in("bob")
    made = bob.ask("/api/tokens", {"name": "notebook", "scope": "edit", "days": 1}).json()
    program = replace(bob, token=made["token"])
    assert program.ask("/api/graphs/one/copy", {"source": "mango"}).status == 201
    assert bob.ask("/api/tokens").json()[-1]["used"] is not None
    people.as_account("ada").ask("/api/accounts/bob", {"role": "asker"}, "PATCH")
    assert program.ask("/api/graphs/two/copy", {"source": "mango"}).status == 403
    assert bob.ask(f"/api/tokens/{made['id']}", method="DELETE").status == 200
    assert program.ask("/api/sessions").status == 401
    assert bob.ask(f"/api/tokens/{made['id']}", method="DELETE").status == 404


def test_a_token_of_another_account_is_not_there(people: Peopled) -> None:
    people.add("bob")
    made = people.logged_in("bob").ask("/api/tokens", {"name": "one", "scope": "read"}).json()
    ada = people.logged_in("ada")
    assert ada.ask(f"/api/tokens/{made['id']}", method="DELETE").status == 404
    assert made["id"] not in {each["id"] for each in ada.ask("/api/tokens").json()}


def test_a_token_expires_and_none_is_kept_as_it_is(people: Peopled) -> None:
    people.add("bob")
    now = [1_000_000.0]
    clocked = Accounts(people.accounts.settings, lambda: now[0])
    id = people.accounts.named("bob").id
    _, value = clocked.create_token(id, "short", "read", days=1)
    assert clocked.find_token(value) is not None
    now[0] += DAY
    assert clocked.find_token(value) is None
    assert clocked.find_token(value.removeprefix("fgr_")) is None
    data = people.accounts.settings.data
    files = (path for path in data.rglob("*") if path.is_file())
    assert not [path for path in files if value.encode() in path.read_bytes()]


@IN_FILES
@pytest.mark.parametrize("stream", [True, False])
def test_a_chat_is_told_nothing_once_its_token_is_revoked(people: Peopled, stream: bool) -> None:
    people.add("bob")
    bob = people.logged_in("bob")
    made = bob.ask("/api/tokens", {"name": "chat", "scope": "ask"}).json()
    given = {"authorization": f"Bearer {made['token']}"}
    with Coast() as coast, ThreadPoolExecutor() as pool:
        asked = {"role": "user", "content": f"{ENGINEER} {coast.url()}"}
        chat = {"model": "forager", "messages": [asked], "stream": stream}
        told = pool.submit(lambda: bob.bare("/v1/chat/completions", chat, **given))
        assert coast.wanted.wait(60)
        assert bob.ask(f"/api/tokens/{made['id']}", method="DELETE").status == 200
        answer = told.result(60)
        coast.let_go.set()
    assert (answer.status, b"not accepted any more" in answer.body) == (
        200 if stream else 502,
        True,
    )
    assert b"Lindqvist" not in answer.body
    [session] = bob.ask("/api/sessions").json()["sessions"]
    bob.seen(session["id"], "answered")


def test_the_tokens_of_a_disabled_account_are_refused(people: Peopled) -> None:
    bob = people.add("bob")
    assert bob.ask("/api/sessions").status == 200
    people.accounts.set_disabled(people.accounts.named("bob").id, disabled=True)
    assert bob.ask("/api/sessions").status == 401
    assert bob.bare("/v1/models", authorization=f"Bearer {bob.token}").status == 401
