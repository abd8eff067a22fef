"""Units are found by tokens that mean nearly the same as those of the question."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from forager.adapters.memory.embeddings.embedder import MODEL_FOLDER
from forager.adapters.memory.embeddings.token_matcher import token_matcher
from forager.ports import TokenVectors
from forager.ranking import token_match
from forager.ranking.index import Index, Source, build_index, dump_index, load_index
from forager.ranking.token_match import MAX_QUESTION_TOKENS, UnitTokens, make_rows, match_units

SITE = "http://127.0.0.1"
KITCHEN = (
    "The oven is heated to two hundred degrees before the bread goes in, and a bowl of water "
    "stands below it.",
    "To remove a recipe, open the book and press the red button; it cannot be brought back "
    "afterwards by anybody.",
    "The book is printed on thick paper, which was made in a mill by the river until the year "
    "nineteen hundred.",
    "A recipe is shared with friends by its number, which stands at the foot of its page in "
    "small letters.",
)
WORDS = 8
VECTORS = TokenVectors(
    vectors=np.eye(WORDS, dtype=np.float32),
    weights=np.zeros(WORDS, np.float32),
    slope=12.0,
    middle=0.4,
    around=0.8,
)
NO_PLACE = [np.empty(0, np.uint16)]

texts = st.lists(st.lists(st.integers(1, WORDS - 1), max_size=6), min_size=1, max_size=6)
asked = st.lists(st.integers(1, WORDS - 1), max_size=5)


def of_ids(lists: Sequence[Sequence[int]]) -> UnitTokens:
    rows = make_rows([np.array(each, np.uint16) for each in lists])
    return UnitTokens(rows, make_rows(NO_PLACE), np.zeros(len(lists), np.int32))


def matches(
    lists: Sequence[Sequence[int]], question: Sequence[int], *, one_page: bool = False
) -> NDArray[np.float64]:
    follows = np.full(len(lists), one_page)
    return match_units(of_ids(lists), np.array(question, np.uint16), VECTORS, follows)


def kitchen() -> Index:
    pages = (Source(f"{SITE}/{n}", "Kitchen", text) for n, text in enumerate(KITCHEN))
    return build_index(pages, token_matcher(MODEL_FOLDER))


@pytest.mark.parametrize(
    ("question", "unit"),
    [
        ("How do I delete a dish?", 1),
        ("How hot must the stove be for baking?", 0),
    ],
)
def test_other_words_find_the_unit_that_answers(question: str, unit: int) -> None:
    index, matcher = kitchen(), token_matcher(MODEL_FOLDER)
    assert index.tokens
    [tokens] = matcher.tokenize([question])
    matched = match_units(index.tokens, tokens, matcher.vectors, index.same_page(1))
    assert int(matched.argmax()) == unit


def test_an_index_keeps_its_tokens_in_its_file() -> None:
    index = kitchen()
    loaded = load_index(dump_index(index))
    assert loaded.tokens
    assert index.tokens
    assert loaded.tokens.units.ids.tolist() == index.tokens.units.ids.tolist()
    assert loaded.tokens.place.tolist() == index.tokens.place.tolist()
    without = build_index([Source(SITE, "Kitchen", KITCHEN[0])])
    assert load_index(dump_index(without)).tokens is None


@given(texts, asked)
def test_a_unit_with_all_tokens_matches_best(lists: list[list[int]], question: list[int]) -> None:
    matched = matches([*lists, question], question)
    assert matched.max() == pytest.approx(matched[-1])
    assert (matched >= 0).all()
    assert (matched <= 1.3 + 1e-6).all()


@given(texts, asked, st.integers(1, WORDS - 1))
def test_a_token_that_is_not_asked_for_changes_nothing(
    lists: list[list[int]], question: list[int], more: int
) -> None:
    question = [each for each in question if each != more]
    longer = matches([[*lists[0], more], *lists[1:]], question)
    assert longer == pytest.approx(matches(lists, question))


def test_the_unit_before_counts_less_than_the_unit_itself() -> None:
    apart = matches([[1], [2], [3]], [1])
    beside = matches([[1], [2], [3]], [1], one_page=True)
    assert apart.tolist() == [1.0, 0.0, 0.0]
    assert beside[0] == 1.0
    assert beside[1] == pytest.approx(VECTORS.around)
    assert beside[2] == 0.0


def test_nothing_is_matched_where_there_is_nothing() -> None:
    assert matches([], [1]).tolist() == []
    assert matches([[], [1]], []).tolist() == [0.0, 0.0]


def test_a_very_long_question_is_cut() -> None:
    lists = [[1], [2]]
    many = [1] * 10_000 + [2] * MAX_QUESTION_TOKENS
    assert matches(lists, many).tolist() == matches(lists, [1, 2]).tolist()


def test_half_a_character_and_a_word_without_end_can_be_indexed() -> None:
    matcher = token_matcher(MODEL_FOLDER)
    index = build_index([Source(SITE, "A\ud800", f"Half \ud800 of it. {'x' * 100_000}")], matcher)
    assert index.tokens
    assert index.tokens.size == index.size > 0
    assert len(matcher.tokenize(["\udfff", ""])) == 2


@given(texts, st.integers(1, 7))
def test_units_are_counted_in_any_number_at_once(units: list[list[int]], at_once: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(token_match, "UNITS_AT_ONCE", at_once)
        rows = make_rows([np.array(each, np.uint16) for each in units])
        counts = UnitTokens(rows, make_rows(NO_PLACE), np.zeros(len(units), np.int32)).counts
    for id in range(1, WORDS):
        assert counts[id] == sum(id in each for each in units)
