"""Words for how many times as much are read as the factor that they mean."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.answers.multiples import read_multiple, read_percentage


@pytest.mark.parametrize(
    ("text", "factor"),
    [
        ("twice", "2"),
        ("Twice as many", "2"),
        ("double the number", "2"),
        ("half", "1/2"),
        ("half of the", "1/2"),
        ("half as many again", "3/2"),
        ("a third", "1/3"),
        ("one-third of it", "1/3"),
        ("two thirds", "2/3"),
        ("three quarters", "3/4"),
        ("a quarter more", "5/4"),
        ("a third less", "2/3"),
        ("three times as many", "3"),
        ("3 times as many", "3"),
        ("three times more", "3"),
        ("three times less", "1/3"),
        ("two and a half times", "5/2"),
        ("threefold", "3"),
        ("a 10-fold rise", "10"),
        ("triple", "3"),
        ("doppelt so viele", "2"),
        ("die Hälfte", "1/2"),
        ("zwei Drittel", "2/3"),
        ("dreimal so hoch", "3"),
        ("anderthalb", "3/2"),
        ("la moitié", "1/2"),
        ("trois fois plus", "3"),
        ("un tiers", "1/3"),
        ("la mitad", "1/2"),
        ("el doble", "2"),
    ],
)
def test_a_multiple_in_words(text: str, factor: str) -> None:
    assert read_multiple(text) == Fraction(factor)


@pytest.mark.parametrize(
    "text",
    [
        "", "7", "third", "the third lighthouse", "the first quarter", "one million", "halfway",
        "half of 40", "twice, then half", "a lamp", "45 rooms", "manifold", "the 3rd time",
    ],
)  # fmt: skip
def test_no_multiple(text: str) -> None:
    assert read_multiple(text) is None


@given(st.integers(1, 400))
def test_times_in_digits(number: int) -> None:
    assert read_multiple(f"{number} times as many") == number


@given(st.integers(0, 400))
def test_percentages(number: int) -> None:
    share = Fraction(number, 100)
    assert read_percentage(f"{number} %") == share
    assert read_percentage(f"{number} % more plates") == 1 + share
    assert read_percentage(f"{number} percent less than before") == 1 - share
    assert read_percentage(f"{number} % or less") == share
