"""Every call of the API, made by another account with real names: nothing but 404."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from forager.accounts import ROLES, Role
from tests.ui.server.api.contract import Operation, document, operations
from tests.ui.server.api_client import Answer, Caller
from tests.ui.server.people.conftest import Peopled
from ui.server.access.route_roles import ROUTE_ROLES

MARK = "Skarn"
QUESTION = f"Which engineer built the {MARK} lighthouse, and when?"
OWN = {"check_health", "show_own_account", "change_own_password", "list_accounts", "add_account"}
"""Calls that are about whoever asks or, for an admin, about all accounts."""
OF_ACCOUNTS = {"change_account", "remove_account"}
"""Calls by which an admin changes other accounts."""
GRAPH = (
    "name: mine\nnodes: {answer: {type: answerer}}\nedges: [start -> answer, answer.end -> end]\n"
)
BODIES: dict[str, object] = {
    "try_node": {},
    "save_version": {"text": GRAPH, "base": 1},
    "copy_graph": {"source": "skarn-graph"},
}
"""Bodies that name what the other account has; others are the document's examples."""
OF_NAMES = {"save_version": 409, "copy_graph": 400}
"""Calls that make what they name: one's own library has no such graph, as for any unknown name."""
Names = dict[str, str]


def fill_space(caller: Caller, site: str) -> Names:
    """Leave one of everything in the space of an account; their names, by parameter and prefix."""
    asked = {"question": QUESTION, "sites": [site], "session": "q07", "seed": 3}
    assert caller.ask("/api/sessions", asked).status == 201
    caller.seen("q07", "answered")
    report = caller.ask("/api/sessions/q07").json()
    assert caller.ask("/api/graphs/skarn-graph/copy", {"source": "mango"}).status == 201
    rows = f'question,sites\n"{QUESTION}",{site}\n'.encode()
    batch = caller.ask("/api/batches?file=skarn.csv", rows).json()["batch"]
    assert caller.ask(f"/api/batches/{batch}/start", {}).status == 202
    tried = {
        "graph": "forager",
        "other": "webwalker",
        "questions": [{"question": QUESTION, "sites": [site], "answer": "Lindqvist"}],
    }
    trial = caller.ask("/api/graphs/try", tried).json()["file"]
    assert not caller.ask(f"/api/graphs/try/{trial}?wait=60").json()["going"]
    share = caller.ask("/api/shares", {"kind": "session", "thing": "q07", "account": "cleo"})
    token = caller.ask("/api/tokens", {"name": MARK, "scope": "read"}).json()
    link = caller.ask("/api/sessions/q07/share", method="PUT").json()["path"]
    return {
        "/api/sessions": "q07",
        "/api/batches": batch,
        "/api/shares": share.json()["id"],
        "/api/tokens": token["id"],
        "name": "skarn-graph",
        "file": trial,
        "model": "skarn-graph",
        "number": "1",
        "checkpoint": "2",
        "node": "extract",
        "quote": report["evidence"][0]["id"],
        "plea": "one",
        "link": link,
    }


def path_of(operation: Operation, names: Names) -> str:
    """The path with the real names of somebody else's things."""

    def value(match: re.Match[str]) -> str:
        prefix = "/".join(operation.path.split("/")[:3])
        return names[prefix if match[1] == "id" else match[1]]

    return re.sub(r"\{([^}]+)\}", value, operation.path)


def body_of(operation: Operation) -> Any:
    """A body that the call takes."""
    if operation.about["operationId"] in BODIES:
        return BODIES[operation.about["operationId"]]
    if operation.body is None:
        return b"x" if "requestBody" in operation.about else None
    schema = document()["components"]["schemas"][operation.body["$ref"].rpartition("/")[2]]
    return next(iter(schema.get("examples", ({},))))


def asked_by(caller: Caller, operation: Operation, names: Names) -> Answer:
    body = body_of(operation)
    return caller.bare(
        path_of(operation, names),
        json.dumps(body).encode() if body is not None and body != b"x" else body,
        operation.method,
        authorization=f"Bearer {caller.token}",
    )


def things() -> Iterator[Operation]:
    """The calls that name something of a space."""
    for operation in operations():
        name = operation.about["operationId"]
        if "{" in operation.path and name not in OF_ACCOUNTS:
            yield operation


@pytest.mark.parametrize("owner", ["ada", "bob"])
def test_no_call_finds_what_another_account_has(people: Peopled, site: str, owner: str) -> None:
    people.add("cleo", "asker")
    people.add("bob", "admin")
    whose = people.logged_in(owner)
    names = fill_space(whose, site)
    for role in ROLES:
        people.add(f"eve-{role}", role)
    asking = {role: people.logged_in(f"eve-{role}") for role in ROLES}
    counted, wrong = 0, []
    for role, caller in asking.items():
        for operation in things():
            answer = asked_by(caller, operation, names)
            allowed = _is_allowed(role, operation)
            counted += 1
            missing = OF_NAMES.get(operation.about["operationId"], 404)
            if (
                answer.status != (missing if allowed else 403)
                or "Lindqvist" in answer.body.decode()
            ):
                wrong.append((role, operation.method, operation.path, answer.status, answer.body))
    assert not wrong, "\n".join(map(str, wrong))
    assert counted == len(ROLES) * len(list(things())) > 200
    assert whose.ask("/api/sessions/q07").status == 200
    assert whose.ask("/api/graphs/skarn-graph").status == 200
    assert [each["name"] for each in whose.ask("/api/tokens").json()][-1] == MARK


def test_a_graph_of_another_account_is_as_one_that_nobody_has(people: Peopled, site: str) -> None:
    assert people.as_account("ada").ask("/api/graphs/skarn-graph/copy", {"source": "mango"})
    eve = people.add("eve", "editor")
    for method, path, body in (
        ("PUT", "/api/graphs/NAME", {"text": GRAPH, "base": 1}),
        ("POST", "/api/graphs/mine/copy", {"source": "NAME"}),
        ("POST", "/api/graphs/diff", {"old": "NAME", "new": "mango"}),
        ("POST", "/api/sessions", {"question": QUESTION, "sites": [site], "graph": "NAME"}),
    ):
        told = []
        for name in ("skarn-graph", "other-graph"):
            named = json.loads(json.dumps(body).replace("NAME", name))
            answer = eve.ask(path.replace("NAME", name), named, method)
            told.append((answer.status, answer.body.decode().replace(name, "NAME")))
        assert told[0] == told[1]
        assert told[0][0] in (400, 409)


def test_lists_hold_nothing_of_other_accounts(people: Peopled, site: str) -> None:
    people.add("cleo", "asker")
    fill_space(people.logged_in("ada"), site)
    eve = people.add("eve", "admin")
    for operation in operations():
        name = operation.about["operationId"]
        if operation.method == "GET" and "{" not in operation.path and name not in OWN:
            answer = asked_by(eve, operation, {})
            assert answer.status == (400 if name == "search_pages" else 200), answer.body
            assert MARK.lower() not in answer.body.decode().lower(), operation.path
    found = eve.ask(f"/api/search?query=lighthouse&provider=sites&site={site}")
    assert b"Lindqvist" not in found.body
    assert eve.ask("/api/sessions").json() == {"sessions": [], "count": 0}
    assert eve.ask("/api/shares").json() == {"given": [], "received": []}


def _is_allowed(role: Role, operation: Operation) -> bool:
    return ROLES.index(role) >= ROLES.index(ROUTE_ROLES[operation.about["operationId"]])
