"""FanOutQA's loose and strict accuracy."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from bench.scorers.fanoutqa_metrics import as_text, list_references, score_answer
from bench.scorers.normal_form import stem_text
from bench.sets.fanoutqa import Answer, Scalar, load_questions

SCALAR: st.SearchStrategy[Scalar] = st.one_of(
    st.text(min_size=1, max_size=12).filter(str.strip),
    st.integers(),
    st.floats(allow_nan=False),
    st.booleans(),
)
ITEMS = st.lists(SCALAR, min_size=1, max_size=4).map(tuple)
KEY = st.text(min_size=1, max_size=8).filter(str.strip)
MAPPING = st.dictionaries(KEY, st.one_of(SCALAR, ITEMS), min_size=1, max_size=4)
ANSWER: st.SearchStrategy[Answer] = st.one_of(SCALAR, ITEMS, MAPPING)


@pytest.mark.parametrize(
    ("answer", "gold", "loose"),
    [
        ("It cost $1,027,000 to build.", "$1,027,000", 1),
        ("It cost 10,270,000.", 1027000, 0),
        ("They are lighthouses", "Lighthouse", 1),
        ("Norse", "Nor", 0),
        ("the U.S. coast", "US", 1),
        ("Skarn’s keeper’s house", "keeper's houses", 1),
        ("Skarn is 41.5 m high, Holm unknown", {"Skarn": 41.5, "Holm": 1041}, 3 / 4),
        ("no, it is not", False, 1),
        ("it is not", {"lit": True}, 0),
        ("Oslo and Bergen", ("Oslo", "Bergen", "Oslo", "Bodø"), 3 / 4),
        ("5% of them", "5%", 1),
        ("15% of them", "5%", 0),
        ("what? nothing", "?", 1),
        ("nothing", "?", 0),
        ("", "x", 0),
        ("x", (), 0),
        ("Ａ ｗｉｄｅ  answer", "a wide\nanswer", 1),
    ],
)
def test_references_are_looked_for(answer: str, gold: Answer, loose: float) -> None:
    found = score_answer(answer, gold)
    assert found.loose == pytest.approx(loose)
    assert found.strict == (loose == 1)


def test_what_is_missing_is_named() -> None:
    found = score_answer("Skarn: 41", {"Skarn": 41, "Holm": ("red", "white")})
    assert found.missing == ("Holm", "red", "white")
    assert found.loose == pytest.approx(2 / 5)


def test_an_answer_becomes_a_text() -> None:
    answer: JsonValue = {"Skarn": True, "Holm": [1, 2.5]}
    assert as_text(answer) == "Skarn - yes\nHolm - 1\n2.5"
    assert as_text(None) == as_text([]) == ""


@given(ANSWER)
def test_gold_is_found_in_itself(gold: Answer) -> None:
    found = score_answer(as_text(gold), gold)
    assert (found.loose, found.strict, found.missing) == (1, True, ())


@given(st.text(max_size=40), ANSWER)
def test_every_score_is_a_share(answer: str, gold: Answer) -> None:
    found = score_answer(answer, gold)
    assert 0 <= found.loose <= 1
    assert found.strict == (found.loose == 1)


@given(ITEMS, ITEMS, st.data())
def test_the_order_of_items_is_irrelevant(
    answer: tuple[Scalar, ...], gold: tuple[Scalar, ...], data: st.DataObject
) -> None:
    moved = as_text(list(data.draw(st.permutations(answer))))
    other = tuple(data.draw(st.permutations(gold)))
    assert score_answer(moved, other).loose == pytest.approx(
        score_answer(as_text(list(answer)), gold).loose
    )


@given(st.text(max_size=30))
def test_a_normal_text_is_plain(text: str) -> None:
    normal = stem_text(text)
    assert normal == " ".join(normal.split())
    assert not set(normal) & set(",.?!:;")


def test_public_gold_is_found_in_itself(public: Callable[[str], Path]) -> None:
    questions = load_questions(public("fanoutqa_dev.json"))
    assert len(questions) == 310
    assert sum(len(list(list_references(question.gold))) for question in questions) == 3079
    wrong = [one.id for one in questions if not score_answer(as_text(one.gold), one.gold).strict]
    assert wrong == []
