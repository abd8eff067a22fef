"""What each role may do: every call of the API by every role, and changes of a role."""

import pytest

from forager.accounts import ROLES
from forager.errors import SessionError, UsageError
from graphs.system.accounts.account_spaces import space_settings
from tests.coast import ENGINEER, Coast
from tests.postgres import IN_FILES
from tests.ui.server.api.contract import Operation, operations
from tests.ui.server.api_client import Caller
from tests.ui.server.people.conftest import Peopled
from ui.server.access.route_roles import OPEN, ROUTE_ROLES

QUESTION = "Which engineer built the Skarn lighthouse?"
OF_ONESELF = {"change_own_password", "create_token", "revoke_token"}
"""All that a viewer may change."""
READ_BY_POST = {"check_graph", "draw_graph", "diff_graphs", "preview_move"}


def name_of(operation: Operation) -> str:
    """Its name in the table of roles."""
    return str(operation.about["operationId"])


def running_of(caller: Caller) -> int:
    """How many sessions run, as the server tells a caller."""
    return int(caller.ask("/api/health").json()["running"])


def ask_for_nothing(caller: Caller, operation: Operation) -> int:
    """The status of a call that names nothing that is there, with a body that is none."""
    path = operation.path.replace("{", "").replace("}", "")
    body = b"no JSON" if "requestBody" in operation.about else None
    headers = {"authorization": f"Bearer {caller.token}"}
    return caller.bare(path, body, operation.method, **headers).status


def test_every_call_has_a_role() -> None:
    assert {*map(name_of, operations())} == {*ROUTE_ROLES, *OPEN}
    assert set(ROUTE_ROLES.values()) == set(ROLES)


def test_a_viewer_changes_nothing_but_their_own_account() -> None:
    viewed = [each for each in operations() if ROUTE_ROLES.get(name_of(each)) == "viewer"]
    assert {name_of(each) for each in viewed if each.method != "GET"} == OF_ONESELF
    admin = {name_of(each) for each in operations() if each.path.startswith("/api/accounts")}
    assert {ROUTE_ROLES[each] for each in admin} == {"admin"}


@IN_FILES
def test_every_role_makes_its_calls_and_no_others(people: Peopled) -> None:
    made, wrong = 0, []
    for role in ROLES:
        people.add(f"eve-{role}", role)
        caller = people.logged_in(f"eve-{role}")
        for operation in operations():
            needed = ROUTE_ROLES.get(name_of(operation), "viewer")
            allowed = ROLES.index(role) >= ROLES.index(needed)
            status = ask_for_nothing(caller, operation)
            made += 1
            if (status == 403) == allowed or status == 401:
                wrong.append((role, name_of(operation), status))
    assert not wrong
    assert made == len(ROLES) * len(list(operations()))


def test_nobody_makes_a_call_without_a_token(people: Peopled) -> None:
    nobody = Caller(people.caller.port, "fgr_of-nobody")
    statuses = {name_of(each): ask_for_nothing(nobody, each) for each in operations()}
    assert {name for name, status in statuses.items() if status != 401} == set(OPEN)


def test_the_last_admin_stays_and_the_first_account_is_not_removed(people: Peopled) -> None:
    ada = people.as_account("ada")
    for change in ({"role": "asker"}, {"disabled": True}):
        assert ada.ask("/api/accounts/ada", change, "PATCH").status == 400
    people.add("eve", "admin")
    assert ada.ask("/api/accounts/ada", method="DELETE").status == 400
    assert ada.ask("/api/accounts/ada", {"role": "asker"}, "PATCH").status == 200
    with pytest.raises(UsageError, match="only admin"):
        people.accounts.remove(people.accounts.named("eve").id)
    assert ada.ask("/api/accounts").status == 403


def test_an_account_is_made_that_somebody_can_log_in_to(people: Peopled) -> None:
    ada = people.as_account("ada")
    assert ada.ask("/api/accounts", {"name": "bob", "role": "admin"}).status == 400
    for name in ("../x", "a b", "", "x" * 41):
        new = {"name": name, "role": "asker", "password": "long enough"}
        assert ada.ask("/api/accounts", new).status == 400
    short = {"name": "bob", "role": "asker", "password": "short"}
    assert ada.ask("/api/accounts", short).status == 400
    assert ada.ask("/api/accounts", {**short, "password": "long enough"}).status == 201
    assert ada.ask("/api/accounts", {**short, "password": "long enough"}).status == 400
    both = {"role": "viewer", "password": "short"}
    assert ada.ask("/api/accounts/bob", both, "PATCH").status == 400
    assert people.accounts.named("bob").role == "asker"


def test_a_removed_account_leaves_nothing(people: Peopled, site: str) -> None:
    bob = people.add("bob")
    bob.ask("/api/sessions", {"question": QUESTION, "sites": [site], "session": "q07"})
    bob.seen("q07", "answered")
    account = people.accounts.named("bob")
    folder = space_settings(people.accounts.settings, account).data
    assert folder.stat().st_mode & 0o077 == folder.parent.stat().st_mode & 0o077 == 0
    ada = people.as_account("ada")
    assert ada.ask("/api/accounts/bob", method="DELETE").status == 200
    assert not folder.exists()
    assert bob.ask("/api/sessions").status == 401
    again = people.add("bob")
    assert again.ask("/api/sessions").json()["count"] == 0


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
    assert eve.ask("/api/sessions", {**asked, "graph": spec, "session": "own"}).status == 201
    eve.seen("own", "answered", "partial", "abstained")


@IN_FILES
def test_what_runs_ends_when_its_account_becomes_a_viewer_and_nothing_else_starts(
    people: Peopled,
) -> None:
    bob, ada = people.add("bob"), people.as_account("ada")
    with Coast() as coast:
        asked = {"question": ENGINEER, "sites": [coast.url()], "session": "one"}
        assert bob.ask("/api/sessions", asked).status == 201
        assert coast.wanted.wait(60)
        assert ada.ask("/api/accounts/bob", {"role": "viewer"}, "PATCH").status == 200
        assert bob.ask("/api/sessions", {**asked, "session": "two"}).status == 403
        assert bob.ask("/api/sessions/one/pause", {}).status == 403
        coast.let_go.set()
        bob.seen("one", "answered")
    assert bob.ask("/api/sessions/one/export?format=html").status == 200


@IN_FILES
def test_what_runs_is_interrupted_when_its_account_is_disabled(people: Peopled) -> None:
    bob, ada = people.add("bob"), people.as_account("ada")
    with Coast() as coast:
        asked = {"question": ENGINEER, "sites": [coast.url()], "session": "one"}
        assert bob.ask("/api/sessions", asked).status == 201
        assert coast.wanted.wait(60)
        assert running_of(bob) == 1
        assert running_of(ada) == 0, "the sessions of others"
        assert running_of(people.caller) == 0
        assert "running" not in people.caller.bare("/api/health").json()
        stranger = people.caller.bare("/api/health", authorization="Bearer wrong")
        assert "running" not in stranger.json()
        with pytest.raises(SessionError, match="bob runs a session"):
            people.accounts.remove(people.accounts.named("bob").id)
        assert ada.ask("/api/accounts/bob", {"disabled": True}, "PATCH").status == 200
        assert "running" not in bob.ask("/api/health").json()
        coast.let_go.set()
        assert ada.ask("/api/accounts/bob", {"disabled": False}, "PATCH").status == 200
        assert running_of(bob) == 0
        assert bob.ask("/api/sessions/one").json()["status"] == "interrupted"
        assert bob.ask("/api/sessions/one/resume", {}).status == 202
        bob.seen("one", "answered")
