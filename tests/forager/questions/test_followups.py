"""The own words of a follow-up."""

import pytest

from forager.questions.followups import asks_of_another, is_elliptic, own_clause, without_context


def test_the_context_in_brackets_is_removed() -> None:
    assert without_context("And spelt (bakery Linden)?", "bakery Linden") == "And spelt?"
    assert without_context("Which oven (the old one)?", "") == "Which oven (the old one)?"


@pytest.mark.parametrize("question", ["And the mill?", "What about spelt?", "Und der Ofen?"])
def test_a_question_without_a_predicate_is_elliptic(question: str) -> None:
    assert is_elliptic(question)
    assert asks_of_another(question)


def test_a_complete_question_asks_about_another_thing_only_with_such_a_phrase() -> None:
    assert not asks_of_another("Which oven burns oak?")
    assert asks_of_another("Does the spelt one need more water?")
    assert not asks_of_another("Does the same one need more water?")


def test_inherited_words_of_an_elliptic_question_follow_the_dash() -> None:
    assert own_clause("And the mill — how long") == "And the mill"
    assert own_clause("Which mill — the old one — burned?") == "Which mill — the old one — burned?"
