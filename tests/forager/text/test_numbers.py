"""Numbers are read in digits and words of several languages."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.text.numbers import decimal_comma, find_numerals


def read(text: str, *, comma: bool = False) -> list[tuple[str, str | None]]:
    return [
        (text[each.start : each.end], None if each.value is None else f"{each.value.normalize():f}")
        for each in find_numerals(text, comma=comma)
    ]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("65,535", "65535"),
        ("65 535", "65535"),
        ("65\u202f535", "65535"),
        ("1'234", "1234"),
        ("1_000_000", "1000000"),
        ("1,00,000", "100000"),
        ("1.234.567", "1234567"),
        ("1.234,5", "1234.5"),
        ("1,234.5", "1234.5"),
        ("2,5", "2.5"),
        ("0,125", "0.125"),
        ("1.234", "1.234"),
        (".5", "0.5"),
        ("3.5 million", "3500000"),
        ("3,5 Millionen", "3500000"),
        ("2 Milliarden", "2000000000"),
        ("3万", "30000"),
        ("1e6", "1000000"),
        ("2.5e-3", "0.0025"),
        ("2 × 10^6", "2000000"),
        ("2 × 10⁶", "2000000"),
        ("10⁶", "1000000"),
        ("2¹⁰", "1024"),
        ("2^10", "1024"),
        ("10⁻³", "0.001"),
        ("−5", "-5"),
        ("-5", "-5"),
        ("two thousand", "2000"),
        ("Twenty-two", "22"),
        ("nine hundred and five", "905"),
        ("two hundred thousand", "200000"),
        ("zwölf", "12"),
        ("douze", "12"),
        ("siebzehn", "17"),
        ("vingt", "20"),
        ("two dozen", "24"),
    ],
)
def test_a_number_and_its_value(text: str, value: str) -> None:
    assert read(text) == [(text, value)]
    assert read(f"About {text} of them.")[0][1] in {value, value.removeprefix("-")}


@pytest.mark.parametrize(
    "text", ["3.11.2", "12:30", "12th", "0x1F", "3D", "1,234,56", "1e999", "9" * 50, "012,345,678"]
)
def test_versions_times_and_lists_have_no_value(text: str) -> None:
    assert read(text)[0][1] is None


@pytest.mark.parametrize("text", ["v2", "x86", "none", "e.g. a", "lone"])
def test_texts_without_numbers(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("in 2012 300 people", ["2012", "300"]),
        ("pages 3-5", ["3", "5"]),
        ("level=9, or 8.", ["9", "8"]),
        ("约45公里", ["45"]),
        ("16MB and 4d", ["16", "4"]),
    ],
)
def test_adjacent_numbers(text: str, found: list[str]) -> None:
    assert [value for _, value in read(text)] == found


def test_with_a_decimal_comma_the_point_groups_digits() -> None:
    assert read("1.234", comma=True)[0][1] == "1234"
    assert read("1,234", comma=True)[0][1] == "1.234"
    assert decimal_comma("Die Stadt hat 1.234 Einwohner und ist alt.")
    assert decimal_comma("La ville a 1.234 habitants dans les murs.")
    assert not decimal_comma("The town has 1,234 people and is old.")


@given(st.integers(0, 10**12))
def test_digit_grouping_does_not_change_the_value(value: int) -> None:
    for spelling in (f"{value}", f"{value:,}", f"{value:,}".replace(",", "\u202f"), f"{value:_}"):
        assert [each.value for each in find_numerals(spelling)] == [Decimal(value)]
    if value >= 10**6:
        spelling = f"{value:,}".replace(",", ".")
        assert [each.value for each in find_numerals(spelling)] == [Decimal(value)]


@given(st.decimals(0, 10**6, places=2))
def test_decimals_with_point_or_comma(value: Decimal) -> None:
    spelling = f"{value:,.2f}"
    swapped = spelling.translate(str.maketrans(",.", ".,"))
    for each in (spelling, swapped):
        assert [number.value for number in find_numerals(each)] == [value]


@given(st.text(alphabet="0123456789.,:'-−e ×x^abM万 two million", max_size=40))
def test_any_text_is_read(text: str) -> None:
    ends = 0
    for each in find_numerals(text):
        assert ends <= each.start < each.end
        ends = each.end
