"""Values as quotes say them: numbers with their units, and dates, found word for word."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Literal, NamedTuple

from forager.data.word_lists import match_any, spaced_words, unspaced_words
from forager.errors import UsageError
from forager.text.answer_types import DEFAULT, wanted
from forager.text.dates import Day, dates
from forager.text.numbers import (
    CAPITALISED,
    GERMAN,
    NUMBER_WORDS,
    WORD,
    Numeral,
    decimal_comma,
    numerals,
)
from forager.text.quotes import locate
from forager.text.units import Unit, ahead, behind

MOST_CHARACTERS = 60
MOST_DECIMALS = 30
SIGNIFICANT = 6
PLURALS = frozenset(["bytes", "days", "weeks", "months", "years", "yards", "miles"])
ONLY_VALUE = "Take the value alone, word for word."


class Value(NamedTuple):
    """A value as a quote says it, and what it is: a number with unit or label, a date, both."""

    text: str
    decimal: Decimal | None
    unit: Unit | None
    label: str
    day: Day | None

    @property
    def is_number(self) -> bool:
        """Can it be reckoned with?"""
        return self.decimal is not None

    def number(self) -> Fraction:
        """The number. Raises UsageError where it is none."""
        if self.decimal is None:
            raise UsageError(f"{self.text!r} is not one number.", "Take a value that is one.")
        return Fraction(self.decimal)

    def date(self) -> Day:
        """The date. Raises UsageError where it is none."""
        if self.day is None:
            raise UsageError(f"{self.text!r} is not one date.", "Take a value that is one.")
        return self.day


def quoted(value: str, quote: str) -> Value:
    """A value that stands in a quote, with the unit that stands there. Raises UsageError."""
    wanted, said = " ".join(value.split()), " ".join(quote.split())
    if not wanted or len(wanted) > MOST_CHARACTERS or set(wanted) & set("[]{}"):
        raise UsageError(f"{wanted[:MOST_CHARACTERS]!r} is not a value.", ONLY_VALUE)
    comma = decimal_comma(said)
    known = list(numerals(said, comma=comma))
    place = locate(said, wanted)
    while place is not None:
        start, end = place
        if not _cut(said, start, end, known):
            return _value(said, start, end, known)
        rest = locate(said[end:], wanted)
        place = (rest[0] + end, rest[1] + end) if rest else None
    raise UsageError(f"The quote does not say {wanted!r}.", "Copy a value that stands in it.")


def united(values: Sequence[Value]) -> tuple[list[Fraction], str]:
    """The numbers in the unit, or with the label, of the first. Raises UsageError."""
    numbers = [value.number() for value in values]
    first = values[0].unit
    if first is None:
        if any(value.unit for value in values):
            raise UsageError(_unlike(values), "Take values of one quantity.")
        labels = {value.label.casefold() for value in values}
        return numbers, values[0].label if len(labels) == 1 else ""
    factors = [
        value.unit.factor / first.factor
        for value in values
        if value.unit and value.unit.quantity == first.quantity
    ]
    if len(factors) < len(values):
        raise UsageError(_unlike(values), "Take values of one quantity.")
    return [n * factor for n, factor in zip(numbers, factors, strict=True)], first.symbol


def conversions(values: Sequence[Value]) -> str:
    """What the units of some values are in that of the first, where they differ."""
    units = dict.fromkeys(value.unit for value in values if value.unit)
    told: list[str] = []
    for unit in list(units)[1:]:
        large, small = sorted((next(iter(units)), unit), key=lambda each: -each.factor)
        if large.quantity == small.quantity and large.factor != small.factor:
            number, exact = shown(large.factor / small.factor)
            one = large.symbol[:-1] if large.symbol in PLURALS else large.symbol
            told.append(f"1 {one} {'=' if exact else '≈'} {number} {small.symbol}")
    return f" ({', '.join(told)})" if told else ""


def shown(value: Fraction) -> tuple[str, bool]:
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
        text = f"{Decimal(f'{abs(rounded):.{SIGNIFICANT}g}'):f}"
    return ("−" if value < 0 else "") + text, exact


def _unlike(values: Sequence[Value]) -> str:
    said = " and ".join(repr(value.text) for value in values)
    return f"{said} do not measure the same."


def _cut(said: str, start: int, end: int, known: Sequence[Numeral]) -> bool:
    """Is a longer number, or a word, cut at these offsets?"""
    inside = said[start:end]
    for left, right in ((start - 1, start), (end - 1, end)):
        if left >= 0 and right < len(said) and _joined(said[left], said[right]):
            return True
    if any(date.start == 0 and date.end == len(inside) for date in dates(inside)):
        return False
    return any(
        number.start < end and start < number.end and not start <= number.start <= number.end <= end
        for number in known
    )


def _joined(left: str, right: str) -> bool:
    """Do two neighbouring characters belong to one word or number?"""
    if left.isdigit() != right.isdigit():  # a unit may be written right behind its number
        return left.isascii() and left.isalpha()
    return left.isascii() and right.isascii() and left.isalnum() and right.isalnum()


def _value(said: str, start: int, end: int, known: Sequence[Numeral]) -> Value:
    """What stands at these offsets, with the unit before or behind its number."""
    inside = [number for number in known if start <= number.start and number.end <= end]
    dated = [each.day for each in dates(said[start:end])]
    day = dated[0] if len(dated) == 1 else None
    if len(inside) != 1 or inside[0].value is None:
        return Value(said[start:end], None, None, "", day)
    number = inside[0]
    unit, label = None, said[number.end : end].strip(" -")
    if found := behind(said, number.end):
        unit, end = found[0], max(end, found[1])
        label = ""
    elif found := ahead(said, number.start):
        unit, start = found[0], min(start, found[1])
        label = ""
    return Value(said[start:end], number.value, unit, label, day)


Type = Literal["quantity", "number", "date", "version", "name"]
TYPES: dict[str, tuple[Type, ...]] = {
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
NUMERIC: tuple[Type, ...] = ("quantity", "number", "date", "version")
VERSION = re.compile(
    r"(?<![\w.-])v?(\d+(?:\.\d+)+)(?:[-+.]?(?:alpha|beta|rc|a|b)\d*)?(?![\w.]\d|\w)"
)
ABOUT = re.compile(
    rf"(?:\b(?:{match_any(spaced_words(NUMBER_WORDS.approximate))})|[~≈]"
    rf"|{match_any(unspaced_words(NUMBER_WORDS.approximate))})\s*$",
    re.IGNORECASE,
)
NEAR = 16
"""Characters before a number in which it may be called approximate."""
ROUNDED, LOOSE, CONVERTED = Fraction(1, 200), Fraction(1, 10), Fraction(8, 100)
"""How far apart, as a share, values are that say the same: as written, if one is called
approximate, in different units (where a kilobyte may be one or the other)."""


class ComparableValue(NamedTuple):
    """A value at its offsets; `amount` is in base units of `measure`, `text` as it is written."""

    type: Type
    start: int
    end: int
    text: str
    amount: Fraction = Fraction(0)
    measure: str = ""
    unit: str = ""
    about: bool = False
    day: Day = Day(0)


def types(ask: str) -> tuple[Type, ...]:
    """The types of value that would answer an ask; numbers of all sorts where it does not say."""
    kinds = [kind for kind in wanted(ask) if kind.name != DEFAULT]
    asked = tuple(dict.fromkeys(each for kind in kinds for each in TYPES.get(kind.name, ())))
    return asked if kinds else NUMERIC


def values(text: str, type: Type, known: str) -> list[ComparableValue]:
    """The values of one type in a sentence; names that `known` (lower case) holds are left out."""
    if type == "date":
        return _dates(text)
    if type == "version":
        found = VERSION.finditer(text)
        return [ComparableValue(type, *each.span(), each[1].rstrip(".")) for each in found]
    if type == "name":
        return _names(text, known)
    return [each for each in _numbers(text) if each.type == type]


def same(one: ComparableValue, other: ComparableValue) -> bool:
    """Do two values of a type say the same, as far as they say it?"""
    if one.type == "date":
        return all(not (a and b) or a == b for a, b in zip(one.day, other.day, strict=True))
    if one.type == "version":
        left, right = one.text.split("."), other.text.split(".")
        return all(a == b for a, b in zip(left, right, strict=False))
    if one.type == "name":
        return bool(_parts(one) & _parts(other))
    if one.measure != other.measure:
        return False
    return _close(one, other)


def comparable(one: ComparableValue, other: ComparableValue) -> bool:
    """Could one value stand where the other does?"""
    return one.type == other.type and one.measure == other.measure


def masked(text: str, found: Sequence[ComparableValue]) -> str:
    """The text without these values."""
    for value in sorted(found, reverse=True, key=lambda each: each.start):
        text = f"{text[: value.start]} {text[value.end :]}"
    return text


def _dates(text: str) -> list[ComparableValue]:
    return [
        ComparableValue("date", each.start, each.end, text[each.start : each.end], day=each.day)
        for each in dates(text)
    ]


def _numbers(text: str) -> Iterator[ComparableValue]:
    """Numbers with and without a unit, which are no dates and no versions."""
    taken = [(each.start, each.end) for each in _dates(text)]
    taken += [each.span() for each in VERSION.finditer(text) if each[1].count(".") > 1]
    for found in numerals(text, comma=decimal_comma(text)):
        start, end = found.start, found.end
        if found.value is None or any(left < end and start < right for left, right in taken):
            continue
        about = ABOUT.search(text[max(0, start - NEAR) : start]) is not None
        unit = behind(text, end) or ahead(text, start)
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


def _names(text: str, known: str) -> list[ComparableValue]:
    """Capitalised words within a sentence, where not every noun is."""
    if not GERMAN.isdisjoint(WORD.findall(text)):
        return []
    return [
        ComparableValue("name", *found.span(), found[0])
        for found in CAPITALISED.finditer(text)
        if found.start() > 0 and found[0].lower() not in known
    ]


def _parts(name: ComparableValue) -> set[str]:
    return set(name.text.lower().split())


def _close(one: ComparableValue, other: ComparableValue) -> bool:
    """Equal, or as near as rounding, an "about" or the conversion of units leaves it."""
    apart = abs(one.amount - other.amount)
    largest = max(abs(one.amount), abs(other.amount))
    if one.about or other.about:
        return apart <= LOOSE * largest
    if one.unit != other.unit:
        return apart <= CONVERTED * largest
    return apart <= ROUNDED * largest or _rounds(one, other) or _rounds(other, one)


def _rounds(exact: ComparableValue, rounded: ComparableValue) -> bool:
    """Is one number the other one, written with fewer decimals?"""
    decimals = [len(each.text.partition(".")[2].rstrip(" %")) for each in (exact, rounded)]
    if decimals[0] <= decimals[1] or exact.unit != rounded.unit:
        return False
    factor = 10 ** decimals[1]
    return bool(round(exact.amount * factor) == rounded.amount * factor)
