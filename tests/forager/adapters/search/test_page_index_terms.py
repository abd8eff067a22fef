import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.adapters.search.page_index import (
    MAX_TERMS,
    match_expression,
    remove_separators,
    separate_ideograms,
)

SYNTAX = ['"', "AND", "OR", "NOT", "NEAR(", ")", "*", "^", ":", "-", "+", "text:", "{", "}", "''"]
QUERIES = st.one_of(
    st.text(max_size=60),
    st.lists(st.sampled_from([*SYNTAX, "lamp", "灯塔", "41,5", "\0", "naïve"])).map(" ".join),
)


@pytest.fixture(scope="module")
def index() -> sqlite3.Connection:
    made = sqlite3.connect(":memory:")
    tokenizer = "porter unicode61 remove_diacritics 2"
    made.execute(f"CREATE VIRTUAL TABLE pages USING fts5(text, tokenize='{tokenizer}')")
    texts = [
        "The lamps burned oil.",
        "霍尔姆灯塔高四十一米。",
        "Höhe: 41,5 m",
        "서울의 등대는 높다",
    ]
    made.executemany(
        "INSERT INTO pages VALUES (?)", [(separate_ideograms(text),) for text in texts]
    )
    return made


def matches(index: sqlite3.Connection, query: str) -> list[int]:
    wanted = match_expression(query)
    sql = "SELECT rowid FROM pages WHERE pages MATCH ? ORDER BY rowid"
    return [row for (row,) in index.execute(sql, (wanted,))] if wanted else []


@given(query=QUERIES)
def test_no_query_is_syntax(index: sqlite3.Connection, query: str) -> None:
    query = query.encode("utf-8", "ignore").decode()
    matches(index, query)
    assert match_expression(query).count('"') % 2 == 0


@given(text=st.text(alphabet=st.characters(exclude_characters="\0\u200b", codec="utf-8")))
def test_separators_leave_no_trace(text: str) -> None:
    assert remove_separators(separate_ideograms(text)) == text


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("lamp", [1]),
        ("burning LAMP", [1]),
        ("灯塔", [2]),
        ("灯塔有多高", [2]),
        ("塔灯", []),
        ("高", [2]),
        ("41,5", [3]),
        ("hohe", [3]),
        ("등대", [4]),
        ("oil 灯塔", [1, 2]),
        ("the", [1]),
        ("the sea", []),
        ("???", []),
        ("", []),
    ],
)
def test_queries_find_matching_pages(
    index: sqlite3.Connection, query: str, found: list[int]
) -> None:
    assert matches(index, query) == found


def test_an_endless_query_is_cut() -> None:
    assert match_expression(" ".join(f"word{n}" for n in range(9999))).count("OR") == MAX_TERMS - 1
