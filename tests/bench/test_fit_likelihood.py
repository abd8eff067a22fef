"""The logistic regression that says how likely a question is answered."""

import hashlib
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.ranker.fit_likelihood import (
    area_under_curve,
    calibration,
    chances,
    fit,
    predict_by_site,
)
from forager.data.word_lists import FOLDER


def drawn(weights: list[float], count: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows, and outcomes that follow these weights."""
    random = np.random.default_rng(7)
    rows = random.normal(size=(count, len(weights) - 1))
    return rows, random.random(count) < chances(rows, np.array(weights))


def test_the_weights_that_made_the_outcomes_are_found_again() -> None:
    rows, right = drawn([1.5, -0.7, 0.3], 20_000)
    np.testing.assert_allclose(fit(rows, right), [1.5, -0.7, 0.3], atol=0.1)


def test_probabilities_are_calibrated_on_sites_that_were_left_out() -> None:
    rows, right = drawn([2.0, 0.5, -1.0], 8_000)
    found = predict_by_site(rows, right, ["a", "b", "c", "d"] * 2_000)
    bins = calibration(found, right)
    assert sum(count for _, _, count in bins) == len(rows)
    assert sum(abs(said - share) * count for said, share, count in bins) / len(rows) < 0.03


def test_a_site_is_predicted_without_its_own_outcomes() -> None:
    rows, right = drawn([3.0, 0.0], 400)
    sites = ["known"] * 200 + ["new"] * 200
    turned = np.concatenate([right[:200], ~right[200:]])
    one, other = (predict_by_site(rows, each, sites) for each in (right, turned))
    np.testing.assert_array_equal(one[200:], other[200:])
    assert area_under_curve(one[200:], right[200:]) > 0.8


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=2, max_size=40))
def test_the_area_is_the_share_of_pairs_in_order(scored: list[tuple[float, bool]]) -> None:
    chance = np.array([value for value, _ in scored])
    positive = np.array([good for _, good in scored])
    if positive.all() or not positive.any():
        return
    pairs = [(one, two) for one in chance[positive] for two in chance[~positive]]
    expected = sum((one > two) + (one == two) / 2 for one, two in pairs) / len(pairs)
    assert area_under_curve(chance, positive) == pytest.approx(expected)


def test_the_weights_in_use_are_those_that_were_written() -> None:
    body = json.loads((FOLDER / "likelihood.json").read_text(encoding="utf-8"))
    told = body.pop("sha256")
    assert told == hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
