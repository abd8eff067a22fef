"""FanOutQA's loose and strict accuracy."""

import json
import statistics
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue, TypeAdapter

from bench.scorers.fanoutqa_metrics import (
    as_text,
    list_references,
    make_normalizer,
    score_answer,
)
from bench.scorers.lemmas import PACKAGED, Lemmatizer, open_lemmatizer
from bench.scorers.normal_form import stem_text
from bench.sets.fanoutqa import Answer, FanOutQuestion, Scalar, SubQuestion, load_questions
from forager.errors import UsageError

SCORED = Path("tests/data/scorers/fanoutqa.jsonl")
GOLD: TypeAdapter[Answer] = TypeAdapter(Answer)
LOOSE = 0.952
"""What the authors' code gives the public gold as answers to itself, with en_core_web_md."""

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
        ("It cost $1,027,000 to build.", "$1,027,000", 0),
        ("It cost 10,270,000.", 1027000, 0),
        ("It cost 1,027,000.", 1027000, 1),
        ("They are lighthouses", "Lighthouse", 1),
        ("Norse", "Nor", 0),
        ("the U.S. coast", "US", 1),
        ("Skarn’s keeper’s house", "keeper's houses", 1),
        ("Skarn is 41.5 m high, Holm unknown", {"Skarn": 41.5, "Holm": 1041}, 3 / 4),
        ("Holm: red", {"Holm": ("red", "white", "blue", "grey")}, -1 / 2),
        ("no, it is not", False, 1),
        ("it is not", {"lit": True}, 0),
        ("Oslo and Bergen", ("Oslo", "Bergen", "Oslo", "Bodø"), 3 / 4),
        ("5% of them", "5%", 0),
        ("15% of them", "5%", 0),
        ("", "x", 0),
        ("x", (), 0),
        ("Ａ ｗｉｄｅ  answer", "a wide\nanswer", 1),
    ],
)
def test_references_are_looked_for(answer: str, gold: Answer, loose: float) -> None:
    found = score_answer(answer, gold)
    assert found.loose == pytest.approx(loose)
    assert found.strict == (loose == 1)


def test_every_item_scores_as_the_authors_code() -> None:
    rows = [json.loads(line) for line in SCORED.read_text(encoding="utf-8").splitlines()]
    found = []
    for row in rows:
        normalize = make_normalizer(
            Lemmatizer("kept", *(row[name].__getitem__ for name in ("repaired", "lemmas")))
        )
        gold = GOLD.validate_python(row["gold"])
        found.append(score_answer(row["answer"], gold, normalize))
    assert [one.loose for one in found] == pytest.approx([row["loose"] for row in rows])
    assert [one.strict for one in found] == [row["strict"] for row in rows]
    assert statistics.mean(one.loose for one in found) == pytest.approx(0.450, abs=5e-4)
    assert statistics.mean(one.strict for one in found) == pytest.approx(0.433, abs=5e-4)


def test_lemmas_are_spacys_where_it_is_installed() -> None:
    pytest.importorskip("spacy", reason="the dependency group `scoring` is not installed")
    lemmatizer = open_lemmatizer()
    assert lemmatizer
    rows = [json.loads(line) for line in SCORED.read_text(encoding="utf-8").splitlines()]
    kept = {text: lemmas for row in rows for text, lemmas in row["lemmas"].items()}
    assert {text: lemmatizer.lemmatize(text) for text in kept} == kept


def test_a_model_that_is_not_there() -> None:
    assert open_lemmatizer("stems") is None
    with pytest.raises(UsageError, match="cannot be loaded"):
        open_lemmatizer("en_of_nobody")


def test_what_is_missing_is_named() -> None:
    found = score_answer("Skarn: 41", {"Skarn": 41, "Holm": ("red", "white")})
    assert found.missing == ("Holm", "red", "white")
    assert found.loose == pytest.approx(1 / 4)


def test_an_answer_becomes_a_text() -> None:
    answer: JsonValue = {"Skarn": True, "Holm": [1, 2.5]}
    assert as_text(answer) == "Skarn - yes\nHolm - 1\n2.5"
    assert as_text(None) == as_text([]) == ""


@given(st.text(max_size=40), ANSWER)
def test_no_score_is_above_one(answer: str, gold: Answer) -> None:
    found = score_answer(answer, gold)
    assert found.loose <= 1
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
    assert "  " not in normal
    assert not set(normal) & set(",.?!:;")


def test_public_answers_score_nearly_as_with_lemmas(public: Callable[[str], Path]) -> None:
    questions = load_questions(public("fanoutqa_dev.json"))
    assert len(questions) == 310
    assert sum(len(list(list_references(question.gold))) for question in questions) == 3079
    found = [score_answer(as_text(one.gold), one.gold) for one in questions]
    assert statistics.mean(one.loose for one in found) == pytest.approx(LOOSE, abs=0.035)


def test_public_decompositions_score_as_the_authors_code(public: Callable[[str], Path]) -> None:
    """The authors' figures with en_core_web_md, for question, page titles and answers as text."""
    pytest.importorskip("spacy", reason="the dependency group `scoring` is not installed")
    normalize = lru_cache(None)(make_normalizer(open_lemmatizer(PACKAGED)))
    found = [
        score_answer(decomposition_text(one), one.gold, normalize)
        for one in load_questions(public("fanoutqa_dev.json"))
    ]
    assert statistics.mean(one.loose for one in found) == pytest.approx(0.9309, abs=5e-5)
    assert statistics.mean(one.strict for one in found) == pytest.approx(0.7871, abs=5e-5)


def decomposition_text(question: FanOutQuestion) -> str:
    told = (
        f"{part.evidence.title if part.evidence else ''}: {flat_text(part.answer)}"
        for part in leaf_parts(question.parts)
    )
    return f"{question.text} {'; '.join(told)}"


def leaf_parts(parts: Sequence[SubQuestion]) -> Iterator[SubQuestion]:
    for part in parts:
        yield from leaf_parts(part.decomposition) if part.decomposition else (part,)


def flat_text(answer: Answer) -> str:
    if isinstance(answer, dict):
        return ", ".join(f"{key}: {flat_text(value)}" for key, value in answer.items())
    return ", ".join(map(flat_text, answer)) if isinstance(answer, tuple) else as_text(answer)
