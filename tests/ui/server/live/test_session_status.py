import pytest

from ui.server.live.session_status import EMPTY, display_status


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
