"""Partial dates are read, and compared as far as they are specified."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.text.dates import (
    PartialDate,
    days_between,
    find_dates,
    is_before,
    months_between,
    years_between,
)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2004-07-01", PartialDate(2004, 7, 1)),
        ("1 July 2004", PartialDate(2004, 7, 1)),
        ("1st of July 2004", PartialDate(2004, 7, 1)),
        ("July 1, 2004", PartialDate(2004, 7, 1)),
        ("Jul 1st, 2004", PartialDate(2004, 7, 1)),
        ("Sept. 3, 2004", PartialDate(2004, 9, 3)),
        ("1. Juli 2004", PartialDate(2004, 7, 1)),
        ("1er juillet 2004", PartialDate(2004, 7, 1)),
        ("2020年12月25日", PartialDate(2020, 12, 25)),
        ("2020年", PartialDate(2020)),
        ("July 2004", PartialDate(2004, 7)),
        ("1887", PartialDate(1887)),
        ("44 BC", PartialDate(-44)),
    ],
)
def test_a_date_is_found(text: str, day: PartialDate) -> None:
    [found] = find_dates(f"It was {text}.")
    assert found.day == day


@pytest.mark.parametrize("text", ["31 February 2004", "1900.5", "12,1900", "3000", "v1900", "July"])
def test_texts_without_dates(text: str) -> None:
    assert list(find_dates(text)) == []


def test_the_time_between_two_dates() -> None:
    assert years_between(PartialDate(1887), PartialDate(1911)) == 24
    assert years_between(PartialDate(1911), PartialDate(1887)) == -24
    assert years_between(PartialDate(-44), PartialDate(14)) == 57
    assert years_between(PartialDate(1990, 5, 20), PartialDate(2000, 5, 19)) == 9
    assert months_between(PartialDate(1990, 5), PartialDate(1991, 4)) == 11
    assert months_between(PartialDate(1990, 5, 31), PartialDate(1990, 6, 30)) == 0
    assert months_between(PartialDate(1990), PartialDate(1991, 4)) is None
    assert days_between(PartialDate(2000, 2, 28), PartialDate(2000, 3, 1)) == 2
    assert days_between(PartialDate(2000, 2), PartialDate(2000, 3, 1)) is None


def test_the_earlier_date_is_known_or_undecidable() -> None:
    assert is_before(PartialDate(1887, 5, 4), PartialDate(1911)) is True
    assert is_before(PartialDate(1911), PartialDate(1887, 5)) is False
    assert is_before(PartialDate(1887), PartialDate(1887)) is False
    assert is_before(PartialDate(1887), PartialDate(1887, 5)) is None


@given(st.dates(date(100, 1, 1)), st.integers(0, 10**5))
def test_days_between_dates_agree_with_the_calendar(first: date, days: int) -> None:
    try:
        second = first + timedelta(days)
    except OverflowError:
        return
    one = PartialDate(first.year, first.month, first.day)
    other = PartialDate(second.year, second.month, second.day)
    assert days_between(one, other) == days
    months, years = months_between(one, other), years_between(one, other)
    assert months is not None
    assert years == months // 12
    assert abs(days - months * 30.44) < 33


@given(st.dates(date(1000, 1, 1)))
def test_spellings_of_the_same_day(day: date) -> None:
    for spelling in (f"{day:%Y-%m-%d}", f"{day.day} {day:%B} {day.year:04}"):
        [found] = find_dates(spelling)
        assert date(*found.day) == day


@given(st.text(alphabet="0123456789-. ,年月日JulyMaiBC", max_size=30))
def test_any_text_is_read(text: str) -> None:
    assert all(found.start < found.end for found in find_dates(text))
