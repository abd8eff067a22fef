"""A question is split into the things it asks and their common context."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.questions.split import MAX_PARTS, split_question
from forager.text.tokens import keywords


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Which emperor invented the calendar?", ["Which emperor invented the calendar?"]),
        (
            "Which emperor invented the calendar, and in which year was he born?",
            ["Which emperor invented the calendar", "in which year was he born?"],
        ),
        (
            "When was the guide first published and who wrote it?",
            ["When was the guide first published", "who wrote it?"],
        ),
        (
            "Wer schrieb das Buch und wann wurde es veröffentlicht?",
            ["Wer schrieb das Buch", "wann wurde es veröffentlicht?"],
        ),
        ("Qui a écrit le livre et quand ?", ["Qui a écrit le livre", "quand ?"]),
        ("黄帝发明了什么？他活了多少岁？", ["黄帝发明了什么？", "他活了多少岁？"]),
        ("谁发明了历法，他活了多少岁？", ["谁发明了历法", "他活了多少岁？"]),
        ("How do salt and pepper taste?", ["How do salt and pepper taste?"]),
        ("cache size", ["cache size"]),
        ("Name the author.", ["Name the author."]),
    ],
)
def test_a_question_is_split_into_its_parts(question: str, asked: list[str]) -> None:
    assert list(split_question(question).asked) == asked


@pytest.mark.parametrize(
    ("question", "context"),
    [
        ("The guide describes a cache. How large is it?", "The guide describes a cache."),
        ("While the engine is running, what is its speed?", "While the engine is running,"),
        ("How large is the cache?", ""),
    ],
)
def test_clauses_that_ask_nothing_are_context(question: str, context: str) -> None:
    found = split_question(question)
    assert found.context == context
    assert len(found.asked) == 1


def test_a_question_with_too_many_parts_is_not_split() -> None:
    question = ", ".join(f"what is the {letter}" for letter in "abcdefgh") + "?"
    assert split_question(question).asked == (question,)


def test_an_empty_question_has_no_parts() -> None:
    assert split_question("").asked == ()
    assert split_question("  ").asked == ()


WORDS = st.lists(
    st.sampled_from(
        ["what", "which", "how many", "is", "Ada", "黄帝", "15", "and", "or,", "where;", "to."]
    ),
    max_size=20,
).map(" ".join)


@given(WORDS | st.text(max_size=60))
def test_the_parts_only_have_words_of_the_question(question: str) -> None:
    found = split_question(question)
    assert len(found.asked) <= MAX_PARTS
    assert all(ask.strip() == ask != "" for ask in found.asked)
    assert all(" ".join(ask.split()) in " ".join(question.split()) for ask in found.asked)


@given(WORDS)
def test_no_word_of_the_question_gets_lost(question: str) -> None:
    found = split_question(question)
    assert set(keywords(" ".join([*found.asked, found.context]))) == set(keywords(question))
