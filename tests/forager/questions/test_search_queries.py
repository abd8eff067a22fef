import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.questions.search_queries import (
    MAX_QUERY_LENGTH,
    MAX_WORDS,
    build_queries,
    distinctive_words,
    find_names,
    same_query,
    shorten_query,
)


@pytest.mark.parametrize(
    ("text", "context", "queries"),
    [
        ("Who founded the dome?", "", ("founded dome",)),
        (
            "Who founded the dome?",
            "in Weyer: Who founded the dome?",
            ("founded dome", "founded dome Weyer", '"Weyer"'),
        ),
        ("Which option of git-rebase keeps --onto?", "", ("option git-rebase keeps --onto",)),
        ("When did Ottilie Brandt arrive?", "", ("Ottilie Brandt arrive", '"Ottilie Brandt"')),
        ("谁建造了天文台？", "", ("谁建造了天文台",)),
        ("What is it?", "", ("What is it?",)),
        ("", "", ("",)),
    ],
)
def test_queries_of_a_sub_question(text: str, context: str, queries: tuple[str, ...]) -> None:
    assert build_queries(text, context) == queries


def test_a_query_is_no_longer_than_its_text() -> None:
    found = build_queries(
        f"Where is {'Donaudampfschifffahrt ' * 20}{'观' * 400}?", "observatorium " * 40
    )
    assert all(
        0 < len(query) <= MAX_QUERY_LENGTH and query == shorten_query(query) for query in found
    )


def test_names_are_quoted_or_capitalised() -> None:
    text = "Which page of “The Great Book” does Anna of Weyer quote in `max_turns`? Where is Jena?"
    assert find_names(text) == ("The Great Book", "max_turns", "Anna of Weyer")


def test_case_and_spaces_do_not_make_another_query() -> None:
    assert same_query(" The  dome", "the dome")
    assert not same_query("the dome", "the domes")


@given(st.text(max_size=300), st.text(max_size=300))
def test_queries_are_short_distinct_and_one_line(text: str, context: str) -> None:
    queries = build_queries(text, context)
    assert len(set(queries)) == len(queries) <= 5
    assert all(len(query.split()) <= max(MAX_WORDS, 30) for query in queries)
    assert len({word.lower() for word in distinctive_words(text)}) == len(distinctive_words(text))
