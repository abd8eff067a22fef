"""Roles, tokens, limits, shares and logins of accounts, over HTTP."""

from dataclasses import replace
from pathlib import Path
from urllib.parse import urlencode

import pytest

from forager.accounts import SCOPES
from forager.errors import UsageError
from forager.settings import Settings
from graphs.system.accounts.account_spaces import space_settings
from graphs.system.accounts.accounts import Accounts
from tests.ui.server.api_client import Answer, Caller, called
from tests.ui.server.people.conftest import PASSWORD, Peopled
from ui.server.access.account_visitors import AccountVisitors
from ui.server.access.password_hash import hash_password
from ui.server.access.visitors import ANYBODY
from ui.server.backend import get_installation

QUESTION = "Which engineer built the Skarn lighthouse?"
ENTRY = "forager_entry"


def log_in(caller: Caller, name: str, password: str = PASSWORD) -> Answer:
    """What the login page answers."""
    form = urlencode({"name": name, "password": password}).encode()
    kind = "application/x-www-form-urlencoded"
    return caller.bare("/login", form, "POST", **{"content-type": kind})


def cookie_of(answer: Answer) -> str:
    """The login's cookie."""
    pairs = answer.headers["set-cookie"].replace(",", ";").split(";")
    return next(pair.strip() for pair in pairs if pair.strip().startswith(f"{ENTRY}="))


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
    assert log_in(people.caller, "bob", "wrong password").status == 401
    assert log_in(people.caller, "nobody").status == 401
    for name in ("bob", "Bob ", "bob@example.org"):
        assert log_in(people.caller, name).status == 303
    cookie = cookie_of(log_in(people.caller, "bob"))
    assert people.caller.bare("/", cookie=cookie).status == 200
    ada = people.as_account("ada")
    assert ada.ask("/api/accounts/bob", {"disabled": True}, "PATCH").status == 200
    assert people.caller.bare("/", cookie=cookie).status == 401
    assert log_in(people.caller, "bob").status == 401
    assert ada.ask("/api/accounts/bob", {"disabled": False}, "PATCH").status == 200
    assert people.caller.bare("/", cookie=cookie).status == 401
    assert log_in(people.caller, "bob").status == 303


def test_guesses_at_one_account_must_wait_but_not_who_knew_its_password(people: Peopled) -> None:
    people.add("bob")
    known = log_in(people.caller, "bob").headers["set-cookie"]
    device = next(part.strip() for part in known.split(",") if "forager_device" in part)
    for _ in range(5):
        assert log_in(people.caller, "bob", "wrong password").status == 401
    assert log_in(people.caller, "bob").status == 429
    form = urlencode({"name": "bob", "password": PASSWORD}).encode()
    kind = "application/x-www-form-urlencoded"
    again = {"content-type": kind, "cookie": device.partition(";")[0]}
    assert people.caller.bare("/login", form, "POST", **again).status == 303


def test_a_new_password_ends_logins_and_leaves_tokens(people: Peopled) -> None:
    bob = people.add("bob")
    cookie = cookie_of(log_in(people.caller, "bob"))
    wrong = bob.ask("/api/account/password", {"old": "no", "new": "another password"}, "PUT")
    assert wrong.status == 400
    right = {"old": PASSWORD, "new": "another password"}
    assert bob.ask("/api/account/password", right, "PUT").status == 200
    assert people.caller.bare("/", cookie=cookie).status == 401
    assert bob.ask("/api/account").json()["name"] == "bob"
    assert log_in(people.caller, "bob").status == 401
    assert log_in(people.caller, "bob", "another password").status == 303


@pytest.mark.parametrize("scope", SCOPES)
def test_a_token_does_no_more_than_its_scope(people: Peopled, site: str, scope: str) -> None:
    people.add("bob", "admin")
    token = people.as_account("bob", scope)  # type: ignore[arg-type]  # one of the scopes
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
    for each in SCOPES:
        made = token.ask("/api/tokens", {"name": "more", "scope": each})
        assert made.status == (201 if SCOPES.index(each) <= level else 403)


def test_a_token_ends_when_it_is_revoked_or_expires_and_its_role_follows(people: Peopled) -> None:
    bob = people.add("bob", "editor")
    made = bob.ask("/api/tokens", {"name": "notebook", "scope": "edit", "days": 1}).json()
    other = replace(bob, token=made["token"])
    assert other.ask("/api/graphs/one/copy", {"source": "mango"}).status == 201
    people.as_account("ada").ask("/api/accounts/bob", {"role": "asker"}, "PATCH")
    assert other.ask("/api/graphs/two/copy", {"source": "mango"}).status == 403
    assert bob.ask(f"/api/tokens/{made['id']}", method="DELETE").status == 200
    assert other.ask("/api/sessions").status == 401
    now = [1_000_000.0]
    clocked = Accounts(people.accounts.settings, lambda: now[0])
    id = people.accounts.named("bob").id
    _, value = clocked.create_token(id, "short", "read", days=1)
    assert clocked.find_token(value) is not None
    now[0] += 24 * 3600
    assert clocked.find_token(value) is None


def test_the_last_admin_stays_and_the_first_account_is_not_removed(people: Peopled) -> None:
    ada = people.as_account("ada")
    for change in ({"role": "asker"}, {"disabled": True}):
        assert ada.ask("/api/accounts/ada", change, "PATCH").status == 400
    people.add("eve", "admin")
    assert ada.ask("/api/accounts/ada", method="DELETE").status == 400
    assert ada.ask("/api/accounts/ada", {"role": "asker"}, "PATCH").status == 200
    with pytest.raises(UsageError, match="only admin"):
        people.accounts.remove(people.accounts.named("eve").id)


def test_a_removed_account_leaves_nothing(people: Peopled, site: str) -> None:
    bob = people.add("bob")
    bob.ask("/api/sessions", {"question": QUESTION, "sites": [site], "session": "q07"})
    bob.seen("q07", "answered")
    account = people.accounts.named("bob")
    folder = space_settings(people.accounts.settings, account).data
    assert folder.exists()
    ada = people.as_account("ada")
    assert ada.ask("/api/accounts/bob", method="DELETE").status == 200
    assert not folder.exists()
    assert bob.ask("/api/sessions").status == 401
    again = people.add("bob")
    assert again.ask("/api/sessions").json()["count"] == 0


def test_who_has_spent_the_month_starts_and_resumes_nothing(people: Peopled, site: str) -> None:
    bob, ada = people.add("bob"), people.as_account("ada")
    limits = {"usd_per_month": 2, "sessions_at_once": None}
    assert ada.ask("/api/accounts/bob", limits, "PATCH").json()["usd_per_month"] == 2
    account = people.accounts.named("bob")
    asked = {"question": QUESTION, "sites": [site], "session": "one", "step": True}
    assert bob.ask("/api/sessions", asked).status == 201
    bob.seen("one", "paused", "unfinished", "interrupted")
    people.accounts.book(account.id, 1.5)
    assert bob.ask("/api/account").json()["spent"] == 1.5
    people.accounts.book(account.id, 0.5)
    for path, body in (
        ("/api/sessions", {**asked, "session": "two"}),
        ("/api/sessions/one/resume", {}),
    ):
        refused = bob.ask(path, body)
        assert refused.status == 403, refused.body
        assert "is spent" in refused.json()["error"]
    assert bob.ask("/api/sessions").json()["count"] == 1
    assert [each["spent"] for each in ada.ask("/api/accounts").json()] == [0, 2]
    ada.ask("/api/accounts/bob", {"usd_per_month": 5}, "PATCH")
    assert bob.ask("/api/sessions/one/resume", {}).status == 202
    bob.seen("one", "answered")


def test_no_more_sessions_run_at_once_than_an_account_may(people: Peopled, site: str) -> None:
    bob = people.add("bob")
    people.accounts.set_limits(people.accounts.named("bob").id, None, 1)
    backend = get_installation().space_of(people.accounts.named("bob"))
    backend._active["another"] = None  # type: ignore[assignment]
    refused = bob.ask("/api/sessions", {"question": QUESTION, "sites": [site]})
    assert refused.status == 403
    assert "1 sessions at once" in refused.json()["error"]
    del backend._active["another"]
    assert bob.ask("/api/sessions", {"question": QUESTION, "sites": [site]}).status == 201


def test_a_shared_graph_is_shown_and_copied_until_it_is_not_shared(people: Peopled) -> None:
    bob, cleo = people.add("bob", "editor"), people.add("cleo")
    bob.ask("/api/graphs/ours/copy", {"source": "mango"})
    assert bob.ask("/api/shares", {"kind": "graph", "thing": "mango"}).status == 404
    assert bob.ask("/api/shares", {"kind": "graph", "thing": "nothing"}).status == 404
    share = bob.ask("/api/shares", {"kind": "graph", "thing": "ours"}).json()
    assert (share["owner"], share["account"]) == ("bob", "")
    [line] = cleo.ask("/api/shares").json()["received"]
    assert (line["id"], line["title"], line["owner"]) == (share["id"], "ours", "bob")
    path = f"/api/shares/{share['id']}"
    assert cleo.ask(f"{path}/graph").json()["name"] == "ours"
    assert cleo.ask(f"{path}/session").status == 404
    assert cleo.ask(f"{path}/copy", {"name": "mine"}).status == 201
    assert cleo.ask("/api/graphs/mine").json()["author"] == "cleo"
    assert cleo.ask(path, method="DELETE").status == 404
    assert bob.ask(path, method="DELETE").status == 200
    assert cleo.ask(f"{path}/graph").status == 404
    assert cleo.ask("/api/graphs/mine").status == 200


def test_a_graph_of_the_same_name_is_not_shared_with_the_one_that_was(people: Peopled) -> None:
    bob, cleo = people.add("bob", "editor"), people.add("cleo")
    bob.ask("/api/graphs/ours/copy", {"source": "mango"})
    share = bob.ask("/api/shares", {"kind": "graph", "thing": "ours", "account": "cleo"}).json()
    assert bob.ask("/api/graphs/ours", method="DELETE").status == 200
    assert cleo.ask(f"/api/shares/{share['id']}/graph").status == 404
    bob.ask("/api/graphs/ours/copy", {"source": "webwalker"})
    assert cleo.ask(f"/api/shares/{share['id']}/graph").status == 404
    assert cleo.ask("/api/shares").json()["received"] == []


def test_an_asker_names_no_address_of_a_model_no_recording_and_no_graph_of_its_own(
    people: Peopled, site: str
) -> None:
    bob, eve = people.add("bob"), people.add("eve", "editor")
    asked = {"question": QUESTION, "sites": [site]}
    for model in ("openai:x,base_url=http://127.0.0.1:9/v1", "replay:/tmp"):
        for caller in (bob, eve):
            assert caller.ask("/api/sessions", {**asked, "model": model}).status == 403
    spec = bob.ask("/api/graphs/mango").json()["spec"]
    assert bob.ask("/api/sessions", {**asked, "graph": spec}).status == 403
    assert eve.ask("/api/sessions", {**asked, "graph": spec}).status == 201


def test_a_page_of_a_shared_session_is_for_whom_it_is_shared_with(
    people: Peopled, site: str
) -> None:
    bob = people.add("bob")
    people.add("cleo")
    people.add("eve", "admin")
    bob.ask("/api/sessions", {"question": QUESTION, "sites": [site], "session": "q07"})
    bob.seen("q07", "answered")
    share = bob.ask("/api/shares", {"kind": "session", "thing": "q07", "account": "cleo"}).json()
    page = f"/with-you/{share['id']}"
    statuses = {
        name: people.caller.bare(page, cookie=cookie_of(log_in(people.caller, name))).status
        for name in ("bob", "cleo", "eve", "ada")
    }
    assert statuses == {"bob": 200, "cleo": 200, "eve": 404, "ada": 404}
    assert people.caller.bare(page).status == 401
