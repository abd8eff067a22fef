"""Yes and No are said where the words of a sentence are clear, and not otherwise."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.answers.lead_words import answer_yes_or_no, asks_yes_or_no, find_condition


@pytest.mark.parametrize(
    ("question", "sentence", "answer", "said"),
    [
        ("Can macros be nested?", "Macros can be nested to any depth.", "Yes", "can"),
        ("Does the map have a key?", "The map does not have a key.", "No", "not"),
        ("May I tow a boat?", "You may tow a boat.", "Yes", "may"),
        ("Is it safe to tow a boat at night?", "Never tow a boat at night.", "No", "Never"),
        ("Can I tow a boat at night?", "Boats must NOT be towed at night.", "No", "NOT"),
        ("Can columns be NULL?", "NOT NULL columns can never be NULL.", "No", "never"),
        ("Should I still tow boats?", "Towing is deprecated and should not be done.", "No", "not"),
    ],
)
def test_the_side_and_the_words_that_say_it(
    question: str, sentence: str, answer: str, said: str
) -> None:
    found = answer_yes_or_no(question, sentence)
    assert found
    assert (found[0], sentence[slice(*found[1])]) == (answer, said)


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("Can macros be nested?", "Boats can be towed."),
        ("Can macros not be nested?", "Macros can be nested."),
        ("Does the map have a key?", "The map has a key on page 4."),
        (
            "Does towing lock the wheels?",
            "Towing requires a lock on the wheels, and therefore cannot be done on ice.",
        ),
        ("Does towing need a permit?", "Towing needs a permit."),
        ("Must a map have a key?", "Every map must include the key of its signs, on the back."),
        ("Is a column part of the index?", "A column of the index is declared NOT NULL."),
        ("Does the tool make the folder?", "The tool runs CREATE FOLDER IF NOT EXISTS first."),
    ],
)
def test_neither_is_said_of_other_things_or_where_it_is_not_clear(
    question: str, sentence: str
) -> None:
    assert answer_yes_or_no(question, sentence) is None


@pytest.mark.parametrize(
    ("sentence", "condition"),
    [
        ("A foal is entered if both parents are in the book.", "if both parents are in the book"),
        ("If you cancel by April, you get it back.", "If you cancel by April"),
        ("It runs only when the flag is set, and slowly.", "only when the flag is set"),
        ("It works even if it is closed.", ""),
        ("Check if the file exists.", ""),
        ("Never tow a boat at night.", ""),
    ],
)
def test_a_condition_is_told_in_the_words_of_its_sentence(sentence: str, condition: str) -> None:
    assert find_condition(sentence) == condition


def test_a_part_that_asks_for_yes_or_no_is_known_by_its_verb() -> None:
    assert asks_yes_or_no("With --fast, is the cache kept?")
    assert not asks_yes_or_no("Which cache is kept?")


@given(st.text(max_size=40), st.text(max_size=60))
def test_the_words_are_a_span_of_the_sentence(question: str, sentence: str) -> None:
    found = answer_yes_or_no(f"Is {question}", sentence)
    assert found is None or 0 <= found[1][0] <= found[1][1] <= len(sentence)
