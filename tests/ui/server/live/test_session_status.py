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


def test_an_answer_whose_first_sentence_is_probably_wrong_is_a_possible_one() -> None:
    assert display_status("answered", "In 1874.", uncertain=True, doubt="unlikely") == UNLIKELY
    assert display_status("partial", "In 1874.", doubt="unlikely") == "partial"
    assert display_status("partial", "In 1874.", uncertain=True, doubt="unlikely") == STOPPED
    assert display_status("abstained", "In 1874.", doubt="unlikely") == "abstained"
