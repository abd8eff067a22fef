import pytest

from ui.server.live.session_status import EMPTY, STOPPED, UNCERTAIN, UNLIKELY, display_status


@pytest.mark.parametrize(
    ("status", "answer", "stood"),
    [
        ("partial", "", EMPTY),
        ("partial", "In 1874.", "partial"),
        ("answered", "In 1874.", "answered"),
        ("running", "", "running"),
    ],
)
def test_nothing_is_no_part_of_an_answer(status: str, answer: str, stood: str) -> None:
    assert display_status(status, answer) == stood


def test_an_answer_with_a_weak_part_is_not_shown_as_answered() -> None:
    assert display_status("answered", "In 1874.", uncertain=True) == UNCERTAIN


def test_what_a_stopped_run_has_not_judged_is_not_shown_as_part_of_an_answer() -> None:
    assert display_status("partial", "In 1874.", uncertain=True) == STOPPED
    assert display_status("partial", "In 1874.") == "partial"


def test_an_answer_that_is_probably_wrong_does_not_count_as_one() -> None:
    for status in ("answered", "partial"):
        assert display_status(status, "In 1874.", doubt="unlikely") == UNLIKELY
    assert display_status("answered", "In 1874.", uncertain=True, doubt="partial") == "partial"
    assert display_status("partial", "In 1874.", uncertain=True, doubt="unlikely") == STOPPED
    assert display_status("abstained", "In 1874.", doubt="unlikely") == "abstained"
