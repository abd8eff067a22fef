"""Integers that SQLite cannot hold are refused, wherever they are given."""

import pytest

from forager.domain.state import Question
from tests.ui.server.api_client import Caller

HUGE = 10**30


@pytest.fixture(scope="module")
def one(server: Caller, site: str) -> str:
    """A session that does not run."""
    assert server.backend
    question = Question(text="Which engineer?", sites=(site,))
    server.backend.sessions.call(lambda to: to.start(question, "forager", "offline", "one"))
    return "one"


CALLS = (
    ("GET", f"/api/sessions/one/events?after={HUGE}", None),
    ("GET", f"/api/sessions?page={HUGE}&size={HUGE}", None),
    ("GET", f"/api/sessions/one/history/{HUGE}", None),
    ("GET", f"/api/sessions/one/history?turn={HUGE}", None),
    ("DELETE", f"/api/recipes/{HUGE}", None),
    ("POST", "/api/sessions/one/fork", {"checkpoint": HUGE}),
    ("POST", "/api/sessions/one/fork", {"checkpoint": 1, "turn": HUGE}),
    ("POST", "/api/sessions/one/continue", {"checkpoint": HUGE}),
    ("GET", f"/api/graphs/forager?version={HUGE}", None),
    ("POST", "/api/sessions", {"question": "Who?", "seed": HUGE}),
    ("POST", "/api/sessions", {"question": "Who?", "budget": {"rounds": HUGE}}),
    ("POST", "/api/sessions/one/steer", {"budget": {"pages": HUGE}}),
)


@pytest.mark.parametrize(("method", "path", "body"), CALLS)
def test_a_huge_integer_is_refused(
    server: Caller, one: str, method: str, path: str, body: object
) -> None:
    answer = server.ask(path, body, method)
    assert answer.status in {404, 422}, answer.body
    assert len(answer.json()["error"].splitlines()) == 1
