"""Finds values in texts: numbers with their units, dates, versions, names; compares them."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Literal, NamedTuple

from forager.data.word_lists import match_any, spaced_words, unspaced_words
from forager.errors import UsageError
from forager.text.answer_types import DEFAULT, expected_types
from forager.text.dates import PartialDate, find_dates
from forager.text.numbers import (
    CAPITALISED,
    GERMAN_WORDS,
    NUMBER_WORDS,
    WORD,
    Numeral,
    decimal_comma,
    find_numerals,
)
from forager.text.quotes import find_quote
from forager.text.units import Unit, unit_ahead, unit_behind

MAX_VALUE_LENGTH = 60
MAX_DECIMALS = 30
SIGNIFICANT_DIGITS = 6
PLURALS = frozenset(["bytes", "days", "weeks", "months", "years", "yards", "miles"])
ONLY_VALUE = "Take the value alone, word for word."


ValueType = Literal["quantity", "number", "date", "version", "name"]
VALUE_TYPES: dict[str, tuple[ValueType, ...]] = {
    "year": ("date",),
    "date": ("date",),
    "duration": ("quantity",),
    "share": ("quantity",),
    "measure": ("quantity",),
    "count": ("number", "quantity"),
    "version": ("version",),
    "person": ("name",),
    "place": ("name",),
}
NUMERIC_TYPES: tuple[ValueType, ...] = ("quantity", "number", "date", "version")
VERSION = re.compile(
    r"(?<![\w.-])v?(\d+(?:\.\d+)+)(?:[-+.]?(?:alpha|beta|rc|a|b)\d*)?(?![\w.]\d|\w)"
)
APPROXIMATE = re.compile(
    rf"(?:\b(?:{match_any(spaced_words(NUMBER_WORDS.approximate))})|[~≈]"
    rf"|{match_any(unspaced_words(NUMBER_WORDS.approximate))})\s*$",
    re.IGNORECASE,
)
APPROXIMATE_WITHIN = 16
"""How many characters before a number are searched for such a word."""
ROUNDED, LOOSE, CONVERTED = Fraction(1, 200), Fraction(1, 10), Fraction(8, 100)
"""The relative difference up to which two values agree: by default, if one is called approximate,
and in different units (a kilobyte may be 1000 or 1024 bytes)."""


class Value(NamedTuple):
    """A value and its offsets in a text: a number with unit or label, a date, a version, a name.

    A value found in a quote may be both a number and a date.
    """

    type: ValueType
    start: int
    end: int
    text: str
    decimal: Decimal | None = None
    unit: Unit | None = None
    label: str = ""
    day: PartialDate | None = None
    approximate: bool = False

    @property
    def is_number(self) -> bool:
        """Can it be used in a calculation?"""
        return self.decimal is not None

    @property
    def quantity(self) -> str:
        """What its unit measures; empty without a unit."""
        return self.unit.quantity if self.unit else ""

    @property
    def decimals(self) -> int:
        """How many decimals its number is written with."""
        exponent = self.decimal.as_tuple().exponent if self.decimal is not None else 0
        return max(0, -exponent) if isinstance(exponent, int) else 0

    @property
    def amount(self) -> Fraction:
        """The number in base units of its quantity."""
        return Fraction(self.decimal or 0) * (self.unit.factor if self.unit else 1)

    def to_fraction(self) -> Fraction:
        """The number. Raises UsageError if it is none."""
        if self.decimal is None:
            raise UsageError(f"{self.text!r} is not one number.", "Take a value that is one.")
        return Fraction(self.decimal)

    def to_date(self) -> PartialDate:
        """The date. Raises UsageError if it is none."""
        if self.day is None:
            raise UsageError(f"{self.text!r} is not one date.", "Take a value that is one.")
        return self.day


class MeasuredNumber(NamedTuple):
    """A number in a text with its unit, and the offsets of both together."""

    number: Numeral
    unit: Unit | None
    start: int
    end: int


def scan_numbers(text: str) -> Iterator[MeasuredNumber]:
    """All numbers of a text, each with the unit before or after it."""
    for number in find_numerals(text, comma=decimal_comma(text)):
        start, end = number.start, number.end
        unit = None
        if found := unit_behind(text, end):
            unit, end = found[0], max(end, found[1])
        elif found := unit_ahead(text, start):
            unit, start = found[0], min(start, found[1])
        yield MeasuredNumber(number, unit, start, end)


def find_value(value: str, quote: str) -> Value:
    """Find a value in a quote, with its unit there. Raises UsageError if it is not in the quote."""
    wanted, text = " ".join(value.split()), " ".join(quote.split())
    if not wanted or len(wanted) > MAX_VALUE_LENGTH or set(wanted) & set("[]{}"):
        raise UsageError(f"{wanted[:MAX_VALUE_LENGTH]!r} is not a value.", ONLY_VALUE)
    numbers = list(scan_numbers(text))
    span = find_quote(text, wanted)
    while span is not None:
        start, end = span
        if not _cuts_word(text, start, end, numbers):
            return _value_at(text, start, end, numbers)
        rest = find_quote(text[end:], wanted)
        span = (rest[0] + end, rest[1] + end) if rest else None
    raise UsageError(f"The quote does not say {wanted!r}.", "Copy a value that stands in it.")


def in_common_unit(values: Sequence[Value]) -> tuple[list[Fraction], str]:
    """The numbers in the unit of the first, and that unit or common label. Raises UsageError."""
    numbers = [value.to_fraction() for value in values]
    first = values[0].unit
    if first is None:
        if any(value.unit for value in values):
            raise UsageError(_unlike_message(values), "Take values of one quantity.")
        labels = {value.label.casefold() for value in values}
        return numbers, values[0].label if len(labels) == 1 else ""
    factors = [
        value.unit.factor / first.factor
        for value in values
        if value.unit and value.unit.quantity == first.quantity
    ]
    if len(factors) < len(values):
        raise UsageError(_unlike_message(values), "Take values of one quantity.")
    return [n * factor for n, factor in zip(numbers, factors, strict=True)], first.symbol


def describe_conversions(values: Sequence[Value]) -> str:
    """Conversions to the unit of the first value, such as ` (1 h = 60 min)`; empty without any."""
    units = dict.fromkeys(value.unit for value in values if value.unit)
    conversions: list[str] = []
    for unit in list(units)[1:]:
        large, small = sorted((next(iter(units)), unit), key=lambda each: -each.factor)
        if large.quantity == small.quantity and large.factor != small.factor:
            number, exact = format_number(large.factor / small.factor)
            singular = large.symbol[:-1] if large.symbol in PLURALS else large.symbol
            conversions.append(f"1 {singular} {'=' if exact else '≈'} {number} {small.symbol}")
    return f" ({', '.join(conversions)})" if conversions else ""


def format_number(value: Fraction, least: int = 0) -> tuple[str, bool]:
    """A number as a decimal, and whether it is exact; if not, it has six significant digits.

    An exact one has `least` decimals or more.
    """
    remainder = value.denominator
    for prime in (2, 5):
        while remainder % prime == 0:
            remainder //= prime
    decimals = 0
    while remainder == 1 and value.denominator != 1 and (value * 10**decimals).denominator != 1:
        decimals += 1
    exact = remainder == 1 and decimals <= MAX_DECIMALS
    decimals = max(decimals, least)
    if exact:
        text = f"{abs(int(value * 10**decimals)):0{decimals + 1}d}"
        text = f"{text[:-decimals]}.{text[-decimals:]}" if decimals else text
    else:
        rounded = Decimal(value.numerator) / Decimal(value.denominator)
        text = f"{Decimal(f'{abs(rounded):.{SIGNIFICANT_DIGITS}g}'):f}"
    return ("−" if value < 0 else "") + text, exact


def expected_value_types(ask: str) -> tuple[ValueType, ...]:
    """The types of value that an ask allows; all numeric types if it names none."""
    types = [kind for kind in expected_types(ask) if kind.name != DEFAULT]
    asked = tuple(dict.fromkeys(each for kind in types for each in VALUE_TYPES.get(kind.name, ())))
    return asked if types else NUMERIC_TYPES


def find_values(text: str, type: ValueType, known: str) -> list[Value]:
    """Find the values of one type in a sentence, without names that are in `known` (lower case)."""
    if type == "date":
        return _date_values(text)
    if type == "version":
        found = VERSION.finditer(text)
        return [Value(type, *each.span(), each[1].rstrip(".")) for each in found]
    if type == "name":
        return _name_values(text, known)
    return [each for each in _number_values(text) if each.type == type]


def same_value(one: Value, other: Value) -> bool:
    """Do two values of one type agree, as far as both are specified?"""
    if one.type == "date":
        return all(
            not (a and b) or a == b for a, b in zip(one.to_date(), other.to_date(), strict=True)
        )
    if one.type == "version":
        left, right = one.text.split("."), other.text.split(".")
        return all(a == b for a, b in zip(left, right, strict=False))
    if one.type == "name":
        return bool(_name_words(one) & _name_words(other))
    if one.quantity != other.quantity:
        return False
    return _is_close(one, other)


def are_comparable(one: Value, other: Value) -> bool:
    """Do two values have the same type and quantity?"""
    return one.type == other.type and one.quantity == other.quantity


def without_values(text: str, found: Sequence[Value]) -> str:
    """The text without these values."""
    for value in sorted(found, reverse=True, key=lambda each: each.start):
        text = f"{text[: value.start]} {text[value.end :]}"
    return text


def _unlike_message(values: Sequence[Value]) -> str:
    texts = " and ".join(repr(value.text) for value in values)
    return f"{texts} do not measure the same."


def _cuts_word(text: str, start: int, end: int, numbers: Sequence[MeasuredNumber]) -> bool:
    """Do these offsets cut through a longer number or a word?"""
    inside = text[start:end]
    for left, right in ((start - 1, start), (end - 1, end)):
        if left >= 0 and right < len(text) and _same_word(text[left], text[right]):
            return True
    if any(date.start == 0 and date.end == len(inside) for date in find_dates(inside)):
        return False
    return any(
        number.start < end and start < number.end and not start <= number.start <= number.end <= end
        for number, *_ in numbers
    )


def _same_word(left: str, right: str) -> bool:
    """Do two adjacent characters belong to one word or number?"""
    if left.isdigit() != right.isdigit():  # a unit may follow its number without a space
        return left.isascii() and left.isalpha()
    return left.isascii() and right.isascii() and left.isalnum() and right.isalnum()


def _value_at(text: str, start: int, end: int, numbers: Sequence[MeasuredNumber]) -> Value:
    """The value at these offsets, extended by the unit before or after its number."""
    dates = [each.day for each in find_dates(text[start:end])]
    day = dates[0] if len(dates) == 1 else None
    inside = [each for each in numbers if start <= each.number.start and each.number.end <= end]
    if len(inside) != 1 or inside[0].number.value is None:
        return Value("date" if day else "name", start, end, text[start:end], day=day)
    number, unit, left, right = inside[0]
    label = "" if unit else text[number.end : end].strip(" -")
    start, end = min(start, left), max(end, right)
    type: ValueType = "date" if day else "quantity" if unit else "number"
    return Value(type, start, end, text[start:end], number.value, unit, label, day)


def _date_values(text: str) -> list[Value]:
    return [
        Value("date", each.start, each.end, text[each.start : each.end], day=each.day)
        for each in find_dates(text)
    ]


def _number_values(text: str) -> Iterator[Value]:
    """Numbers with and without a unit that belong to no date or version."""
    taken = [(each.start, each.end) for each in _date_values(text)]
    taken += [each.span() for each in VERSION.finditer(text) if each[1].count(".") > 1]
    for number, unit, start, end in scan_numbers(text):
        if number.value is None or any(
            left < number.end and number.start < right for left, right in taken
        ):
            continue
        before = text[max(0, number.start - APPROXIMATE_WITHIN) : number.start]
        yield Value(
            "quantity" if unit else "number",
            start,
            end,
            text[start:end],
            number.value,
            unit,
            approximate=APPROXIMATE.search(before) is not None,
        )


def _name_values(text: str, known: str) -> list[Value]:
    """Capitalised words inside a sentence; none in German, which capitalises every noun."""
    if not GERMAN_WORDS.isdisjoint(WORD.findall(text)):
        return []
    return [
        Value("name", *found.span(), found[0])
        for found in CAPITALISED.finditer(text)
        if found.start() > 0 and found[0].lower() not in known
    ]


def _name_words(name: Value) -> set[str]:
    return set(name.text.lower().split())


def _is_close(one: Value, other: Value) -> bool:
    """Are two numbers equal within the tolerance of rounding, approximation or unit conversion?"""
    difference = abs(one.amount - other.amount)
    largest = max(abs(one.amount), abs(other.amount))
    if one.approximate or other.approximate:
        return difference <= LOOSE * largest
    if one.unit != other.unit:
        return difference <= CONVERTED * largest
    return difference <= ROUNDED * largest or _is_rounded(one, other) or _is_rounded(other, one)


def _is_rounded(exact: Value, rounded: Value) -> bool:
    """Is the second number the first one, rounded to fewer decimals?"""
    decimals = [len(each.text.partition(".")[2].rstrip(" %")) for each in (exact, rounded)]
    if decimals[0] <= decimals[1] or exact.unit != rounded.unit:
        return False
    factor = 10 ** decimals[1]
    return bool(round(exact.amount * factor) == rounded.amount * factor)
