"""The string metrics of FRAMES and WebWalkerQA, and the buckets of the latter."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.scorers.webwalkerqa_metrics import Bucket, Graded, grade_answer, group_answers
from bench.scorers.word_overlap import Overlap, compare_words
from bench.sets import frames, webwalkerqa
from tests.bench.samples import FRAMES_ROW, WALKER, frames_file, json_file

WHOLE = Overlap(contained=True, exact=True, f1=1)
TEXT = st.text(min_size=1, max_size=30).filter(str.strip)
WORDS = st.lists(st.sampled_from(["skarn", "holm", "9", "1,997", "第", "灯塔"]), min_size=1)


@pytest.mark.parametrize(
    ("answer", "gold", "contained", "exact", "f1"),
    [
        ("The Skarn lighthouse.", "Skarn Lighthouse", True, True, 1),
        ("It is the Skarn lighthouse", "Skarn lighthouse", True, False, 2 / 3),
        ("built in 1997", "9", False, False, 0),
        ("it takes 1,997 steps", "1997", True, False, 2 / 5),
        ("0.9", "9", False, False, 0),
        ("U.S. coast", "US coast", True, True, 1),
        ("Lindqvist, Marta", "Marta Lindqvist", False, False, 1),
        ("由林德奎斯特建造，1874年", "1874年", True, False, 1 / 3),
        ("the A", "A", True, False, 2 / 3),
        ("a ★★ hotel", "★★", True, False, 1 / 2),
        ("", "Skarn", False, False, 0),
    ],
)
def test_words_are_compared(
    answer: str, gold: str, contained: bool, exact: bool, f1: float
) -> None:
    found = compare_words(answer, gold)
    assert (found.contained, found.exact) == (contained, exact)
    assert found.f1 == pytest.approx(f1)


@given(TEXT)
def test_gold_is_right(gold: str) -> None:
    assert compare_words(gold, gold) == WHOLE


@given(st.text(max_size=30), st.text(max_size=30))
def test_every_score_is_a_share(answer: str, gold: str) -> None:
    found = compare_words(answer, gold)
    assert 0 <= found.f1 <= 1
    assert found.contained or not found.exact or not gold.strip()


@given(WORDS, WORDS, st.data())
def test_f1_knows_no_order_and_no_side(
    answer: list[str], gold: list[str], data: st.DataObject
) -> None:
    first = compare_words(" ".join(answer), " ".join(gold)).f1
    moved = " ".join(data.draw(st.permutations(gold)))
    assert compare_words(" ".join(answer), moved).f1 == pytest.approx(first)
    assert compare_words(moved, " ".join(answer)).f1 == pytest.approx(first)


def test_frames(tmp_path: Path) -> None:
    [question] = frames.load_questions(frames_file(tmp_path, FRAMES_ROW))
    assert compare_words("a lighthouse", question.gold) == WHOLE


def test_a_verdict_counts_before_the_words(tmp_path: Path) -> None:
    [question] = webwalkerqa.load_questions(json_file(tmp_path, WALKER))
    assert grade_answer(question, "It was Marta Lindqvist, in 1874.").right
    assert not grade_answer(question, "Lindqvist").right
    assert grade_answer(question, "Lindqvist", verdict=True).right
    assert not grade_answer(question, question.gold, verdict=False).right
    graded = grade_answer(question, "", actions=4)
    assert (graded.kind, graded.difficulty, graded.actions) == ("multi_source", "hard", 4)


def test_buckets() -> None:
    right = Graded(kind="single_source", difficulty="easy", overlap=WHOLE, right=True, actions=4)
    wrong = right.model_copy(update={"overlap": Overlap(), "right": False, "actions": 9})
    uncounted = right.model_copy(update={"kind": "multi_source", "actions": None})
    single, multi, overall = group_answers([uncounted, right, wrong])
    assert single == Bucket(
        kind="single_source",
        difficulty="easy",
        n=2,
        right=0.5,
        contained=0.5,
        exact=0.5,
        f1=0.5,
        actions=4,
    )
    assert (multi.kind, multi.n, multi.right, multi.actions) == ("multi_source", 1, 1, None)
    assert (overall.kind, overall.n, overall.actions) == ("overall", 3, 4)
    assert overall.right == pytest.approx(2 / 3)
    assert group_answers([]) == ()


def test_public_gold_is_right(public: Callable[[str], Path]) -> None:
    walker = webwalkerqa.load_questions(public("webwalkerqa_test.json"))
    table = frames.load_questions(public("frames_test.tsv"))
    found = [compare_words(one.gold, one.gold) for one in (*walker, *table)]
    assert found == [WHOLE] * (680 + 824)
    sizes = {
        (of.kind, of.difficulty): of.n
        for of in group_answers([grade_answer(one, "") for one in walker])
    }
    parts = {"easy": 80, "medium": 140, "hard": 120}
    assert sizes == {
        **{
            (kind, part): n
            for kind in ("single_source", "multi_source")
            for part, n in parts.items()
        },
        ("overall", ""): 680,
    }
