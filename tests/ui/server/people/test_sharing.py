"""Sessions and graphs that are shared: with a person, with everyone, and by a link."""

import pytest

from tests.ui.server.people.conftest import ENTRY, Peopled, cookie_of, log_in

QUESTION = "Which engineer built the Skarn lighthouse?"


def ask_question(people: Peopled, site: str) -> None:
    """Bob has a session that has answered; cleo and eve are there."""
    bob = people.add("bob")
    people.add("cleo", "viewer")
    people.add("eve", "admin")
    bob.ask("/api/sessions", {"question": QUESTION, "sites": [site], "session": "q07"})
    bob.seen("q07", "answered")


def page_status(people: Peopled, name: str, path: str) -> int:
    """What a page answers in a browser in which an account is logged in."""
    cookie = cookie_of(log_in(people.caller, name))
    return people.caller.bare(path, cookie=f"{ENTRY}={cookie}").status


@pytest.mark.parametrize("recipient", ["cleo", ""])
def test_a_session_is_read_by_whom_it_is_shared_with_until_it_is_not(
    people: Peopled, site: str, recipient: str
) -> None:
    ask_question(people, site)
    bob, cleo, eve = (people.as_account(name) for name in ("bob", "cleo", "eve"))
    new = {"kind": "session", "thing": "q07", "account": recipient}
    share = bob.ask("/api/shares", new).json()["id"]
    assert bob.ask("/api/shares", new).json()["id"] == share
    path, page = f"/api/shares/{share}", f"/with-you/{share}"
    assert [line["title"] for line in cleo.ask("/api/shares").json()["received"]] == [QUESTION]
    assert "Lindqvist" in cleo.ask(f"{path}/session").json()["answer"]
    assert cleo.ask(f"{path}/graph").status == 404
    assert cleo.ask("/api/sessions/q07").status == 404
    others = 404 if recipient else 200
    assert eve.ask(f"{path}/session").status == others
    statuses = {name: page_status(people, name, page) for name in ("bob", "cleo", "eve", "ada")}
    assert statuses == {"bob": 200, "cleo": 200, "eve": others, "ada": others}
    assert people.caller.bare(page).status == 401
    assert cleo.ask(path, method="DELETE").status == 403
    assert eve.ask(path, method="DELETE").status == 404
    assert bob.ask(path, method="DELETE").status == 200
    assert cleo.ask(f"{path}/session").status == page_status(people, "cleo", page) == 404


def test_what_is_shared_goes_with_what_was_shared(people: Peopled, site: str) -> None:
    ask_question(people, site)
    bob, cleo = people.as_account("bob"), people.as_account("cleo")
    new = {"kind": "session", "thing": "q07", "account": "cleo"}
    share = bob.ask("/api/shares", new).json()["id"]
    assert bob.ask("/api/sessions/q07", method="DELETE").status == 200
    bob.ask("/api/sessions", {"question": QUESTION, "sites": [site], "session": "q07"})
    bob.seen("q07", "answered")
    assert cleo.ask(f"/api/shares/{share}/session").status == 404
    assert cleo.ask("/api/shares").json()["received"] == []


def test_nobody_shares_what_is_not_theirs(people: Peopled, site: str) -> None:
    ask_question(people, site)
    eve = people.as_account("eve")
    for kind, thing in (("session", "q07"), ("graph", "nothing"), ("graph", "mango")):
        new = {"kind": kind, "thing": thing, "account": "cleo"}
        assert eve.ask("/api/shares", new).status == 404
    mine = {"kind": "session", "thing": "q07", "account": "bob"}
    assert people.as_account("bob").ask("/api/shares", mine).status == 400
    nobody = {**mine, "account": "nobody"}
    assert people.as_account("bob").ask("/api/shares", nobody).status == 404


@pytest.mark.parametrize("owner", ["ada", "bob"])
def test_a_link_is_read_without_a_login_until_it_is_ended(
    people: Peopled, site: str, owner: str
) -> None:
    people.add("bob")
    caller = people.as_account(owner)
    caller.ask("/api/sessions", {"question": QUESTION, "sites": [site], "session": "q07"})
    caller.seen("q07", "answered")
    link = caller.ask("/api/sessions/q07/share", method="PUT").json()["path"]
    shown = people.caller.bare(link)
    assert shown.status == 200
    assert QUESTION in shown.body.decode()
    whose, dot, token = link.removeprefix("/shared/").rpartition(".")
    assert (whose, dot) == (("", "") if owner == "ada" else (whose, "."))
    other = "" if whose else f"{people.accounts.named('bob').id}."
    for wrong in (f"{other}{token}", f"{whose}{dot}{token[:-1]}", "../users", f"..{token}"):
        assert people.caller.bare(f"/shared/{wrong}").status in (401, 404)
    assert caller.ask("/api/sessions/q07/share", method="DELETE").status == 200
    assert people.caller.bare(link).status == 404
    link = caller.ask("/api/sessions/q07/share", method="PUT").json()["path"]
    assert people.caller.bare(link).status == 200
    people.add("eve", "admin")
    people.accounts.set_disabled(people.accounts.named(owner).id, disabled=True)
    assert people.caller.bare(link).status == 404


def test_a_shared_graph_is_shown_and_copied_until_it_is_not_shared(people: Peopled) -> None:
    bob, cleo, vera = people.add("bob", "editor"), people.add("cleo"), people.add("vera", "viewer")
    bob.ask("/api/graphs/ours/copy", {"source": "mango"})
    share = bob.ask("/api/shares", {"kind": "graph", "thing": "ours"}).json()
    assert (share["owner"], share["account"]) == ("bob", "")
    [line] = cleo.ask("/api/shares").json()["received"]
    assert (line["id"], line["title"], line["owner"]) == (share["id"], "ours", "bob")
    path = f"/api/shares/{share['id']}"
    assert vera.ask(f"{path}/graph").json()["name"] == "ours"
    assert vera.ask(f"{path}/copy", {"name": "mine"}).status == 403
    assert cleo.ask(f"{path}/session").status == 404
    assert cleo.ask(f"{path}/copy", {"name": "mine"}).status == 201
    assert cleo.ask("/api/graphs/mine").json()["author"] == "cleo"
    assert cleo.ask("/api/graphs/ours").status == 404
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
