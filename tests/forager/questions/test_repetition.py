"""Text that asks what the question asks."""

import pytest

from forager.questions.repetition import names_subject, repeats_question

QUESTION = "Who built the tower of Skarn?"


@pytest.mark.parametrize(
    ("text", "question"),
    [
        (QUESTION, QUESTION),
        ("Who built the tower of Skarn", QUESTION),
        ("The tower of Skarn: who built the tower", QUESTION),
        ("who built Skarn", QUESTION),
        ("Wer hat den Turm gebaut?", "Wer hat den Turm von Skarn gebaut?"),
    ],
)
def test_a_text_that_asks_the_same_repeats(text: str, question: str) -> None:
    assert repeats_question(text, question)


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("The tower of Skarn", QUESTION),
        ("Who built the tower of Holm?", QUESTION),
        ("Brandt, who built the tower of Skarn", QUESTION),
        ("Who?", QUESTION),
        ("", QUESTION),
        ("The tower was built of stone.", "Was the tower built of stone?"),
        ("Skarn is higher than Holm", "Which is higher, Skarn or Holm?"),
    ],
)
def test_a_text_that_says_something_does_not(text: str, question: str) -> None:
    assert not repeats_question(text, question)


@pytest.mark.parametrize(
    ("text", "question", "names"),
    [
        ("The tower of Skarn", "Who built the tower of Skarn?", True),
        ("Turm von Skarn", "Wer hat den Turm von Skarn gebaut?", True),
        ("The tower of Skarn, by Brandt", "Who built the tower of Skarn?", False),
        ("The keeper of the Skarn lamp", "Who keeps the Skarn lamp?", True),
        ("Kept by the keepers of Skarn", "Who keeps the Skarn lamp?", False),
        ("Holm", "Which is higher, Skarn or Holm?", False),
        ("The tower was built of stone", "Was the tower built of stone?", False),
        ("", "Who built the tower of Skarn?", False),
    ],
)
def test_a_text_of_the_question_s_words_names_its_subject(
    text: str, question: str, names: bool
) -> None:
    assert names_subject(text, question) is names
