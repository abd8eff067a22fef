"""How is a follow-up told as it was understood?"""

import pytest

from graphs.reports.turns import describe_reading


@pytest.mark.parametrize(
    ("meant", "told"),
    [
        ("", ""),
        ("Where is he buried (town Mercer born)?", "Read as a follow-up to “Who was Mercer?”."),
        ("Where is Mercer buried?", "Understood as “Where is Mercer buried?”."),
        ("And when — how long (town born)?", "Understood as “And when — how long?”."),
    ],
)
def test_the_words_of_the_conversation_are_not_told_as_keywords(meant: str, told: str) -> None:
    question = "And when?" if meant.startswith("And") else "Where is he buried?"
    assert describe_reading(meant, question, "Who was Mercer?") == told
