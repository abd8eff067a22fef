"""Who did something is answered by a name, what it costs by an amount of money."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.text.needed_kinds import lacks_needed

ASKED = "Who was the last keeper of Harrow Light?"


@pytest.mark.parametrize(
    "text",
    [
        "The last keeper was Ann Moor.",
        "Moor kept it until 1984.",
        "It was kept by Moor to the end.",
        "Write to moor@example.org, its last keeper.",
        "最后一位看守人是李明。",
        "Ludwig van der Aa had it then.",
    ],
)
def test_a_name_may_answer(text: str) -> None:
    assert not lacks_needed(ASKED, text)


@pytest.mark.parametrize(
    "text",
    [
        "Harrow Light was automated on 12 June 1984, and its last three keepers left the rock.",
        "The last keeper left in June. He was 61.",
        "They kept it to the end.",
        "",
    ],
)
def test_dates_pronouns_and_what_the_question_names_are_no_names(text: str) -> None:
    assert lacks_needed(ASKED, text)


@pytest.mark.parametrize(
    "question",
    [
        "Who wrote it?",
        "who first built the tower",
        "By whom did it become known?",
        "Whose old idea was the tower?",
        "There was a painter. Who taught him?",
    ],
)
def test_what_somebody_did_asks_for_a_name(question: str) -> None:
    assert lacks_needed(question, "the committee")


@pytest.mark.parametrize(
    "question",
    [
        "Who is allowed to delete a user?",
        "Who reads the mail?",
        "Which option says who sent it?",
        "What do people who moved here need?",
        "Two files set it: whose value is used?",
    ],
)
def test_a_role_may_answer_other_questions(question: str) -> None:
    assert not lacks_needed(question, "the committee")


@given(question=st.text(), text=st.text())
def test_what_is_added_takes_no_name_away(question: str, text: str) -> None:
    if not lacks_needed(question, text):
        assert not lacks_needed(question, f"{text}\n\nIt is old.")


@pytest.mark.parametrize(
    ("question", "text", "lacks"),
    [
        ("How much does the lamp cost?", "It takes 12 litres a day.", True),
        ("How much does the lamp cost?", "It is sold at €45.", False),
        ("How much does the lamp cost?", "It is free for members.", False),
        ("What is the price of a filter?", "Wash it once a month.", True),
        ("How much did they pay for it?", "They gave 40 pounds.", False),
        ("How much does it cost in memory?", "It takes 12 bytes.", False),
        ("What does a check cost?", "A sendto of one packet.", False),
        ("How much water does it hold?", "It holds 2 litres.", False),
    ],
)
def test_what_something_costs_is_told_in_money(question: str, text: str, *, lacks: bool) -> None:
    assert lacks_needed(question, text) is lacks


def test_money_may_stand_in_the_columns_of_a_table() -> None:
    ask, row = "How much does a bed cost?", "Skarn | 31"
    assert lacks_needed(ask, row, "Huts")
    assert not lacks_needed(ask, row, "Huts › Hut | Bed (euros)")


@pytest.mark.parametrize(
    ("question", "text", "place", "lacks"),
    [
        ("How heavy is the lamp?", "The lamp weighs 2.5 tonnes.", "", False),
        ("How much does the lens weigh?", "Oil for the lens: 45 litres.", "", True),
        ("How heavy is the lamp?", "Lamp | 12", "Spare parts › Part | Weight in kg", False),
        ("How heavy is the lamp?", "The lamp is 3 m wide.", "Weight", False),
        ("How much oil does the lamp take?", "45 litres", "", False),
        ("What does the lens weigh?", "The lens has 8 panes.", "", True),
    ],
)
def test_what_something_weighs_asks_for_a_mass(
    question: str, text: str, place: str, lacks: bool
) -> None:
    assert lacks_needed(question, text, place) == lacks
