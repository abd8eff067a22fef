"""Requests of strangers meet the served API; it refuses them in one line and goes on."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from forager.domain.state import Question
from forager.settings import Settings
from tests.attack.case_reader import case_name, read_cases
from tests.ui.server.api_client import Answer, Caller, called
from ui.server.handbook.handbook_site import HOST

TELLTALE = (b"Traceback", b'File "', b"sqlite3.", b"pydantic", b"root:")
MANY = 101


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Caller]:
    """A server with a session that does not run."""
    folder = tmp_path_factory.mktemp("data")
    with called(Settings(data=folder, allow_private=(HOST,))) as caller:
        assert caller.backend
        question = Question(text="Which engineer?", sites=("http://127.0.0.1:1/",))
        caller.backend.sessions.call(lambda to: to.start(question, "forager", "offline", "one"))
        yield caller


def make_body(case: dict[str, Any]) -> bytes | None:
    """The body of a request; None if it has none."""
    if "raw" in case:
        raw = str(case["raw"]).replace("{}", "0" * case.get("digits", 0) or "{}")
        return raw.encode("latin-1") * int(case.get("times", 1))
    if "body" not in case:
        return None
    body = dict(case["body"])
    if name := case.get("repeated"):
        body[name] = list(body[name]) * MANY
    return json.dumps(body).encode()


def send(server: Caller, case: dict[str, Any]) -> Answer:
    """The answer to the request of a case."""
    call = server.ask if case.get("token", True) else server.bare
    headers: dict[str, str] = case.get("headers", {})
    path = case["path"].replace("{}", "1" * case.get("digits", 0))
    return call(path, make_body(case), case.get("method", ""), **headers)


@pytest.mark.parametrize("case", read_cases("api"), ids=case_name)
def test_a_request_is_refused_in_one_line(server: Caller, case: dict[str, Any]) -> None:
    answer = send(server, case)
    seen = case["seen"]
    assert answer.status in (seen if isinstance(seen, list) else [seen]), answer.body[:500]
    assert server.backend
    folder = str(server.backend.settings.data).encode()
    assert not any(word in answer.body for word in (*TELLTALE, folder, server.token.encode()))
    if answer.status >= 400:
        told = answer.json()
        assert len(told["error"].splitlines()) == 1
        assert len(told["error"]) < 1000
        assert case.get("says", "") in told["error"]
    listed = server.ask("/api/sessions").json()
    assert [(each["id"], each["status"]) for each in listed["sessions"]] == [("one", "interrupted")]
