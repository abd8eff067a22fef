"""Values as quotes say them: numbers with their units, and dates, found word for word."""

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

MOST_CHARACTERS = 60
MOST_DECIMALS = 30
SIGNIFICANT_DIGITS = 6
PLURALS = frozenset(["bytes", "days", "weeks", "months", "years", "yards", "miles"])
ONLY_VALUE = "Take the value alone, word for word."


class QuotedValue(NamedTuple):
    """A value as a quote says it, and what it is: a number with unit or label, a date, both."""

    text: str
    decimal: Decimal | None
    unit: Unit | None
    label: str
    day: PartialDate | None

    @property
    def is_number(self) -> bool:
        """Can it be reckoned with?"""
        return self.decimal is not None

    def to_fraction(self) -> Fraction:
        """The number. Raises UsageError where it is none."""
        if self.decimal is None:
            raise UsageError(f"{self.text!r} is not one number.", "Take a value that is one.")
        return Fraction(self.decimal)

    def to_date(self) -> PartialDate:
        """The date. Raises UsageError where it is none."""
        if self.day is None:
            raise UsageError(f"{self.text!r} is not one date.", "Take a value that is one.")
        return self.day


def find_value(value: str, quote: str) -> QuotedValue:
    """A value that stands in a quote, with the unit that stands there. Raises UsageError."""
    wanted, said = " ".join(value.split()), " ".join(quote.split())
    if not wanted or len(wanted) > MOST_CHARACTERS or set(wanted) & set("[]{}"):
        raise UsageError(f"{wanted[:MOST_CHARACTERS]!r} is not a value.", ONLY_VALUE)
    comma = decimal_comma(said)
    known = list(find_numerals(said, comma=comma))
    place = find_quote(said, wanted)
    while place is not None:
        start, end = place
        if not _cuts_word(said, start, end, known):
            return _value_at(said, start, end, known)
        rest = find_quote(said[end:], wanted)
        place = (rest[0] + end, rest[1] + end) if rest else None
    raise UsageError(f"The quote does not say {wanted!r}.", "Copy a value that stands in it.")


def in_common_unit(values: Sequence[QuotedValue]) -> tuple[list[Fraction], str]:
    """The numbers in the unit, or with the label, of the first. Raises UsageError."""
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


def describe_conversions(values: Sequence[QuotedValue]) -> str:
    """What the units of some values are in that of the first, where they differ."""
    units = dict.fromkeys(value.unit for value in values if value.unit)
    told: list[str] = []
    for unit in list(units)[1:]:
        large, small = sorted((next(iter(units)), unit), key=lambda each: -each.factor)
        if large.quantity == small.quantity and large.factor != small.factor:
            number, exact = format_number(large.factor / small.factor)
            one = large.symbol[:-1] if large.symbol in PLURALS else large.symbol
            told.append(f"1 {one} {'=' if exact else '≈'} {number} {small.symbol}")
    return f" ({', '.join(told)})" if told else ""


def format_number(value: Fraction) -> tuple[str, bool]:
    """A number in decimals, and whether that is exact; else it has six significant digits."""
    whole = value.denominator
    for prime in (2, 5):
        while whole % prime == 0:
            whole //= prime
    decimals = 0
    while whole == 1 and value.denominator != 1 and (value * 10**decimals).denominator != 1:
        decimals += 1
    exact = whole == 1 and decimals <= MOST_DECIMALS
    if exact:
        text = f"{abs(int(value * 10**decimals)):0{decimals + 1}d}"
        text = f"{text[:-decimals]}.{text[-decimals:]}" if decimals else text
    else:
        rounded = Decimal(value.numerator) / Decimal(value.denominator)
        text = f"{Decimal(f'{abs(rounded):.{SIGNIFICANT_DIGITS}g}'):f}"
    return ("−" if value < 0 else "") + text, exact


def _unlike_message(values: Sequence[QuotedValue]) -> str:
    said = " and ".join(repr(value.text) for value in values)
    return f"{said} do not measure the same."


def _cuts_word(said: str, start: int, end: int, known: Sequence[Numeral]) -> bool:
    """Is a longer number, or a word, cut at these offsets?"""
    inside = said[start:end]
    for left, right in ((start - 1, start), (end - 1, end)):
        if left >= 0 and right < len(said) and _same_word(said[left], said[right]):
            return True
    if any(date.start == 0 and date.end == len(inside) for date in find_dates(inside)):
        return False
    return any(
        number.start < end and start < number.end and not start <= number.start <= number.end <= end
        for number in known
    )


def _same_word(left: str, right: str) -> bool:
    """Do two neighbouring characters belong to one word or number?"""
    if left.isdigit() != right.isdigit():  # a unit may be written right behind its number
        return left.isascii() and left.isalpha()
    return left.isascii() and right.isascii() and left.isalnum() and right.isalnum()


def _value_at(said: str, start: int, end: int, known: Sequence[Numeral]) -> QuotedValue:
    """What stands at these offsets, with the unit before or behind its number."""
    inside = [number for number in known if start <= number.start and number.end <= end]
    dated = [each.day for each in find_dates(said[start:end])]
    day = dated[0] if len(dated) == 1 else None
    if len(inside) != 1 or inside[0].value is None:
        return QuotedValue(said[start:end], None, None, "", day)
    number = inside[0]
    unit, label = None, said[number.end : end].strip(" -")
    if found := unit_behind(said, number.end):
        unit, end = found[0], max(end, found[1])
        label = ""
    elif found := unit_ahead(said, number.start):
        unit, start = found[0], min(start, found[1])
        label = ""
    return QuotedValue(said[start:end], number.value, unit, label, day)


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
"""Characters before a number in which it may be called approximate."""
ROUNDED, LOOSE, CONVERTED = Fraction(1, 200), Fraction(1, 10), Fraction(8, 100)
"""How far apart, as a share, values are that say the same: as written, if one is called
approximate, in different units (where a kilobyte may be one or the other)."""


class ComparableValue(NamedTuple):
    """A value at its offsets; `amount` is in base units of `measure`, `text` as it is written."""

    type: ValueType
    start: int
    end: int
    text: str
    amount: Fraction = Fraction(0)
    measure: str = ""
    unit: str = ""
    about: bool = False
    day: PartialDate = PartialDate(0)


def expected_value_types(ask: str) -> tuple[ValueType, ...]:
    """The types of value that would answer an ask; numbers of all sorts where it does not say."""
    kinds = [kind for kind in expected_types(ask) if kind.name != DEFAULT]
    asked = tuple(dict.fromkeys(each for kind in kinds for each in VALUE_TYPES.get(kind.name, ())))
    return asked if kinds else NUMERIC_TYPES


def find_values(text: str, type: ValueType, known: str) -> list[ComparableValue]:
    """The values of one type in a sentence; names that `known` (lower case) holds are left out."""
    if type == "date":
        return _date_values(text)
    if type == "version":
        found = VERSION.finditer(text)
        return [ComparableValue(type, *each.span(), each[1].rstrip(".")) for each in found]
    if type == "name":
        return _name_values(text, known)
    return [each for each in _number_values(text) if each.type == type]


def same_value(one: ComparableValue, other: ComparableValue) -> bool:
    """Do two values of a type say the same, as far as they say it?"""
    if one.type == "date":
        return all(not (a and b) or a == b for a, b in zip(one.day, other.day, strict=True))
    if one.type == "version":
        left, right = one.text.split("."), other.text.split(".")
        return all(a == b for a, b in zip(left, right, strict=False))
    if one.type == "name":
        return bool(_name_words(one) & _name_words(other))
    if one.measure != other.measure:
        return False
    return _is_close(one, other)


def are_comparable(one: ComparableValue, other: ComparableValue) -> bool:
    """Could one value stand where the other does?"""
    return one.type == other.type and one.measure == other.measure


def without_values(text: str, found: Sequence[ComparableValue]) -> str:
    """The text without these values."""
    for value in sorted(found, reverse=True, key=lambda each: each.start):
        text = f"{text[: value.start]} {text[value.end :]}"
    return text


def _date_values(text: str) -> list[ComparableValue]:
    return [
        ComparableValue("date", each.start, each.end, text[each.start : each.end], day=each.day)
        for each in find_dates(text)
    ]


def _number_values(text: str) -> Iterator[ComparableValue]:
    """Numbers with and without a unit, which are no dates and no versions."""
    taken = [(each.start, each.end) for each in _date_values(text)]
    taken += [each.span() for each in VERSION.finditer(text) if each[1].count(".") > 1]
    for found in find_numerals(text, comma=decimal_comma(text)):
        start, end = found.start, found.end
        if found.value is None or any(left < end and start < right for left, right in taken):
            continue
        about = APPROXIMATE.search(text[max(0, start - APPROXIMATE_WITHIN) : start]) is not None
        unit = unit_behind(text, end) or unit_ahead(text, start)
        if unit is None:
            yield ComparableValue(
                "number", start, end, text[start:end], Fraction(found.value), about=about
            )
            continue
        measure, place = unit
        start, end = min(start, place), max(end, place)
        amount = Fraction(found.value) * measure.factor
        said = text[start:end]
        yield ComparableValue(
            "quantity", start, end, said, amount, measure.quantity, measure.symbol, about
        )


def _name_values(text: str, known: str) -> list[ComparableValue]:
    """Capitalised words within a sentence, where not every noun is."""
    if not GERMAN_WORDS.isdisjoint(WORD.findall(text)):
        return []
    return [
        ComparableValue("name", *found.span(), found[0])
        for found in CAPITALISED.finditer(text)
        if found.start() > 0 and found[0].lower() not in known
    ]


def _name_words(name: ComparableValue) -> set[str]:
    return set(name.text.lower().split())


def _is_close(one: ComparableValue, other: ComparableValue) -> bool:
    """Equal, or as near as rounding, an "about" or the conversion of units leaves it."""
    apart = abs(one.amount - other.amount)
    largest = max(abs(one.amount), abs(other.amount))
    if one.about or other.about:
        return apart <= LOOSE * largest
    if one.unit != other.unit:
        return apart <= CONVERTED * largest
    return apart <= ROUNDED * largest or _is_rounded(one, other) or _is_rounded(other, one)


def _is_rounded(exact: ComparableValue, rounded: ComparableValue) -> bool:
    """Is one number the other one, written with fewer decimals?"""
    decimals = [len(each.text.partition(".")[2].rstrip(" %")) for each in (exact, rounded)]
    if decimals[0] <= decimals[1] or exact.unit != rounded.unit:
        return False
    factor = 10 ** decimals[1]
    return bool(round(exact.amount * factor) == rounded.amount * factor)
