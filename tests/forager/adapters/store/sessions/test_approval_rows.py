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
def pleas(tmp_path: Path) -> Iterator[ApprovalRows]:
    with closing(SessionStore(tmp_path / "sessions.sqlite")) as store:
        store.create(session("one"))
        yield store.approvals


def test_a_plea_waits_until_it_is_answered(pleas: ApprovalRows) -> None:
    pleas.lay("one", {"a": SAVE, "b": GATE})
    assert [each.plea for each in pleas.waiting("one")] == [SAVE, GATE]
    assert pleas.answer("one", "a") is None
    pleas.decide("one", "a", yes=True)
    pleas.decide("one", "b", yes=False)
    assert (pleas.answer("one", "a"), pleas.answer("one", "b")) == (True, False)
    assert pleas.waiting("one") == ()
    with pytest.raises(SessionError, match="not any more"):
        pleas.decide("one", "a", yes=False)


def test_an_answer_is_for_these_words_alone(pleas: ApprovalRows) -> None:
    pleas.lay("one", {"a": SAVE})
    pleas.decide("one", "a", yes=True)
    pleas.lay("one", {"a": SAVE.model_copy(update={"picture": "another"})})
    assert pleas.answer("one", "a")
    pleas.lay("one", {"a": SAVE.model_copy(update={"what": "click “Delete”"})})
    assert pleas.answer("one", "a") is None


def test_what_was_not_answered_can_be_withdrawn(pleas: ApprovalRows) -> None:
    pleas.lay("one", {"a": SAVE, "b": GATE})
    pleas.decide("one", "a", yes=False)
    pleas.withdraw("one")
    assert [each.id for each in pleas.all("one")] == ["a"]


def test_an_act_begins_once(pleas: ApprovalRows) -> None:
    assert pleas.let_go("one", "x")
    assert not pleas.let_go("one", "x")
    assert pleas.let_go("one", "y")
