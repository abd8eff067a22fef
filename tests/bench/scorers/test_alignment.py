"""The best alignment, beside all there are."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.scorers.alignment import best_total

SCORE = st.one_of(st.sampled_from([0.0, 0.5, 1.0]), st.floats(0, 1))
Matrix = list[list[float]]


@st.composite
def matrices(draw: st.DrawFn) -> Matrix:
    rows, columns = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    row = st.lists(SCORE, min_size=columns, max_size=columns)
    return draw(st.lists(row, min_size=rows, max_size=rows))


@given(matrices())
def test_no_alignment_is_better(scores: Matrix) -> None:
    wide = scores if len(scores) <= len(scores[0]) else [list(row) for row in zip(*scores)]  # noqa: B905
    totals = [
        sum(row[column] for row, column in zip(wide, order, strict=True))
        for order in permutations(range(len(wide[0])), len(wide))
    ]
    assert best_total(scores) == pytest.approx(max(totals), abs=1e-12)


def test_rows_move_for_each_other() -> None:
    assert best_total([[0.9, 0.8], [0.9, 0.1]]) == pytest.approx(1.7)
    assert best_total([]) == best_total([[]]) == 0


def test_a_long_list_is_aligned() -> None:
    size = 150
    scores = [
        [1.0 if row + column == size - 1 else 0.99 for row in range(size)] for column in range(size)
    ]
    assert best_total(scores) == pytest.approx(size)
