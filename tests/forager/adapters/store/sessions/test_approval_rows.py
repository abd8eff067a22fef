from collections.abc import Callable, Iterator
from contextlib import closing

import pytest

from forager.adapters.store.sessions.approval_rows import ApprovalRows
from forager.adapters.store.sessions.session_store import SessionStore
from forager.domain.approvals import ApprovalRequest
from forager.errors import SessionError
from forager.util.place import Place, Tables
from tests.forager.adapters.store.sessions.test_session_store import session

SAVE = ApprovalRequest(kind="approve", what="click “Save”", why="The form posts.")
GATE = ApprovalRequest(kind="take over", what="A CAPTCHA.")


@pytest.fixture
def approvals(table_place: Callable[[Tables], Place]) -> Iterator[ApprovalRows]:
    with closing(SessionStore(table_place("sessions"))) as store:
        store.create(session("one"))
        yield store.approvals


def test_a_request_waits_until_it_is_answered(approvals: ApprovalRows) -> None:
    approvals.add_requests("one", {"a": SAVE, "b": GATE})
    assert [each.plea for each in approvals.list_waiting("one")] == [SAVE, GATE]
    assert approvals.get_answer("one", "a") is None
    approvals.set_answer("one", "a", yes=True)
    approvals.set_answer("one", "b", yes=False)
    assert (approvals.get_answer("one", "a"), approvals.get_answer("one", "b")) == (True, False)
    assert approvals.list_waiting("one") == ()
    with pytest.raises(SessionError, match="or no longer does"):
        approvals.set_answer("one", "a", yes=False)


def test_an_answer_is_for_these_words_alone(approvals: ApprovalRows) -> None:
    approvals.add_requests("one", {"a": SAVE})
    approvals.set_answer("one", "a", yes=True)
    approvals.add_requests("one", {"a": SAVE.model_copy(update={"picture": "another"})})
    assert approvals.get_answer("one", "a")
    approvals.add_requests("one", {"a": SAVE.model_copy(update={"what": "click “Delete”"})})
    assert approvals.get_answer("one", "a") is None


def test_what_was_not_answered_can_be_withdrawn(approvals: ApprovalRows) -> None:
    approvals.add_requests("one", {"a": SAVE, "b": GATE})
    approvals.set_answer("one", "a", yes=False)
    approvals.delete_waiting("one")
    assert [each.id for each in approvals.list_requests("one")] == ["a"]


def test_an_act_begins_once(approvals: ApprovalRows) -> None:
    assert approvals.begin_action("one", "x")
    assert not approvals.begin_action("one", "x")
    assert approvals.begin_action("one", "y")
