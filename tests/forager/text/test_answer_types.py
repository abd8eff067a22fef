"""Which answer types questions ask for, and which texts contain them."""

import pytest

from forager.text.answer_types import answer_worth, expected_types


@pytest.mark.parametrize(
    ("ask", "kind"),
    [
        ("In which year was it released?", "year"),
        ("Wann wurde es veröffentlicht?", "year"),
        ("When does the boat leave?", "time"),
        ("Um wie viel Uhr beginnt es?", "time"),
        ("How long does it wait?", "duration"),
        ("Which version brought it?", "version"),
        ("How many pages has the tutorial?", "count"),
        ("黄帝活了多少岁？", "count"),
        ("Who wrote the guide?", "person"),
        ("谁发明了历法？", "person"),
        ("In which town does she live?", "place"),
        ("Which file holds the index?", "code"),
    ],
)
def test_the_answer_types_of_a_question(ask: str, kind: str) -> None:
    assert kind in {found.name for found in expected_types(ask)}


def test_a_question_without_a_type_expects_none() -> None:
    assert expected_types("Why does it rain?") == ()
    assert answer_worth("It has 42 pages.", (), "why?") == 0.0


@pytest.mark.parametrize(
    ("ask", "holding", "empty"),
    [
        ("How many pages has it?", "It has 42 pages.", "It has pages."),
        ("How many pages has it?", "It has twelve pages.", "It has pages."),
        ("In which year?", "It came out in 1998.", "It came out late."),
        ("When does it leave?", "13:30 | Boat trip", "Boat trip 1.30.2"),
        ("What time is it?", "It begins at 9 a.m. sharp.", "It begins at 9 places."),
        ("Who wrote it?", "It was written by Ada Lovelace.", "It was written by somebody."),
        ("Which file is it?", "Edit ~/.config/tool first.", "Edit that first."),
    ],
)
def test_a_text_contains_the_asked_type(ask: str, holding: str, empty: str) -> None:
    kinds = expected_types(ask)
    assert 0 < answer_worth(holding, kinds, ask.lower()) <= 1
    assert answer_worth(empty, kinds, ask.lower()) == 0


def test_a_possessive_asks_for_no_seconds() -> None:
    names = {kind.name for kind in expected_types("Which option sets the engine's cache?")}
    assert "duration" not in names
    timed = expected_types("How long does it wait?")
    assert answer_worth("It waits 10s.", timed, "") > 0 < answer_worth("It waits 5 s.", timed, "")
    assert answer_worth("It waits, two engine's worth.", timed, "") == 0


def test_words_of_the_question_itself_do_not_count() -> None:
    kinds = expected_types("In which year after 1998 was it changed?")
    asked = "in which year after 1998 was it changed?"
    assert answer_worth("Since 1998 it is there.", kinds, asked) == 0
    assert answer_worth("From 1998 to 2003 it was there.", kinds, asked) > 0
