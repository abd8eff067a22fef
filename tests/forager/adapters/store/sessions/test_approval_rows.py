from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from forager.adapters.store.sessions.approval_rows import ApprovalRows
from forager.adapters.store.sessions.session_store import SessionStore
from forager.domain.approvals import ApprovalRequest
from forager.errors import SessionError
from tests.forager.adapters.store.sessions.test_session_store import session

SAVE = ApprovalRequest(kind="approve", what="click “Save”", why="The form posts.")
GATE = ApprovalRequest(kind="take over", what="A CAPTCHA.")


@pytest.fixture
def approvals(tmp_path: Path) -> Iterator[ApprovalRows]:
    with closing(SessionStore(tmp_path / "sessions.sqlite")) as store:
        store.create(session("one"))
        yield store.approvals


def test_a_request_waits_until_it_is_answered(approvals: ApprovalRows) -> None:
    approvals.add_requests("one", {"a": SAVE, "b": GATE})
    assert [each.plea for each in approvals.waiting("one")] == [SAVE, GATE]
    assert approvals.answer("one", "a") is None
    approvals.decide("one", "a", yes=True)
    approvals.decide("one", "b", yes=False)
    assert (approvals.answer("one", "a"), approvals.answer("one", "b")) == (True, False)
    assert approvals.waiting("one") == ()
    with pytest.raises(SessionError, match="no longer asks"):
        approvals.decide("one", "a", yes=False)


def test_an_answer_is_for_these_words_alone(approvals: ApprovalRows) -> None:
    approvals.add_requests("one", {"a": SAVE})
    approvals.decide("one", "a", yes=True)
    approvals.add_requests("one", {"a": SAVE.model_copy(update={"picture": "another"})})
    assert approvals.answer("one", "a")
    approvals.add_requests("one", {"a": SAVE.model_copy(update={"what": "click “Delete”"})})
    assert approvals.answer("one", "a") is None


def test_what_was_not_answered_can_be_withdrawn(approvals: ApprovalRows) -> None:
    approvals.add_requests("one", {"a": SAVE, "b": GATE})
    approvals.decide("one", "a", yes=False)
    approvals.withdraw("one")
    assert [each.id for each in approvals.all("one")] == ["a"]


def test_an_act_begins_once(approvals: ApprovalRows) -> None:
    assert approvals.let_go("one", "x")
    assert not approvals.let_go("one", "x")
    assert approvals.let_go("one", "y")
