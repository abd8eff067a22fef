"""Numbers and names are comparable, however they are written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.text.numbers import computed_results, digit_numbers, proper_names, spelled_numbers


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It has 1,234 pages.", {"1234"}),
        ("1.234.567 Euro", {"1234567"}),
        ("on 2004-07-01", {"2004", "7", "1"}),
        ("Python 3.11.2", {"3.11.2"}),
        ("007 and 0", {"7", "0"}),
        ("1. Open it\n2. Close it", set()),
        ("page 9 of 1997", {"9", "1997"}),
        ("about 2.5 or 2,5", {"2.5", "2,5"}),
        ("a 64-bit x86", {"64", "86"}),
        ("10⁶ or 2^8", {"10", "6", "2", "8"}),
        ("none", set()),
    ],
)
def test_numbers(text: str, found: set[str]) -> None:
    assert digit_numbers(text) == found


def test_words_and_months_give_numbers() -> None:
    assert spelled_numbers("Twelve apostles met on the first of July") == {"12", "1", "7"}
    assert spelled_numbers("Often.") == set()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The founder was Ottilie Brandt of Skarn.", {"Ottilie Brandt", "Skarn"}),
        ("Set max_connections before --verbose is read.", {"max_connections", "--verbose"}),
        ("The default is BTREE in PostgreSQL.", {"BTREE", "PostgreSQL"}),
        ("Nothing here has a name.", set()),
        ("Die Hauptstadt des Landes war Berlin.", set()),
    ],
)
def test_names(text: str, found: set[str]) -> None:
    assert proper_names(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("45 - 24 = 21", {"21"}),
        ("1,000 + 234 = 1,234 in all", {"1234"}),
        ("7 / 2 = 3.5", {"3.5"}),
        ("6 × 7 is 42", {"42"}),
        ("45 - 24 = 22", set()),
        ("1 / 0 = 5", set()),
    ],
)
def test_only_correct_calculations_count_as_computed(text: str, found: set[str]) -> None:
    assert computed_results(text) == found


@given(st.integers(0, 10**9))
def test_thousands_are_the_same_number(value: int) -> None:
    assert digit_numbers(f"about {value:,} of them") == digit_numbers(f"{value}") == {str(value)}


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_any_correct_sum_is_computed(one: int, other: int) -> None:
    assert computed_results(f"{one} + {other} = {one + other}") == {str(one + other)}


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    assert all(number[0].isdigit() for number in digit_numbers(text))
    assert all(proper_names(text))
    computed_results(text)
