"""The values of the kinds that are asked for, as a sentence tells them: comparable, with offsets.

Quantities in their base unit, numbers without one, dates, versions and names, each kind apart.
"""

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Literal, NamedTuple

from forager.dates import Day, dates
from forager.defaults import DEFAULT
from forager.facts import CAPITALISED, GERMAN, WORD
from forager.kinds import wanted
from forager.numerals import decimal_comma, numerals
from forager.units import ahead, behind

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
    r"\b(?:about|approximately|approx\.?|around|roughly|circa|ca\.?|c\.|some|nearly|almost|"
    r"etwa|rund|ungefähr|environ)\s*$|[~≈约]\s*$",
    re.IGNORECASE,
)
NEAR = 16
"""Characters before a number in which it may be called approximate."""
ROUNDED, LOOSE, CONVERTED = Fraction(1, 200), Fraction(1, 10), Fraction(8, 100)
"""How far apart, as a share, values are that say the same: as written, if one is called
approximate, in different units (where a kilobyte may be one or the other)."""


class Value(NamedTuple):
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


def values(text: str, type: Type, known: str) -> list[Value]:
    """The values of one type in a sentence; names that `known` (lower case) holds are left out."""
    if type == "date":
        return _dates(text)
    if type == "version":
        found = VERSION.finditer(text)
        return [Value(type, *each.span(), each[1].rstrip(".")) for each in found]
    if type == "name":
        return _names(text, known)
    return [each for each in _numbers(text) if each.type == type]


def same(one: Value, other: Value) -> bool:
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


def comparable(one: Value, other: Value) -> bool:
    """Could one value stand where the other does?"""
    return one.type == other.type and one.measure == other.measure


def masked(text: str, found: Sequence[Value]) -> str:
    """The text without these values."""
    for value in sorted(found, reverse=True, key=lambda each: each.start):
        text = f"{text[: value.start]} {text[value.end :]}"
    return text


def _dates(text: str) -> list[Value]:
    return [
        Value("date", each.start, each.end, text[each.start : each.end], day=each.day)
        for each in dates(text)
    ]


def _numbers(text: str) -> Iterator[Value]:
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
            yield Value("number", start, end, text[start:end], Fraction(found.value), about=about)
            continue
        measure, place = unit
        start, end = min(start, place), max(end, place)
        amount = Fraction(found.value) * measure.factor
        said = text[start:end]
        yield Value("quantity", start, end, said, amount, measure.quantity, measure.symbol, about)


def _names(text: str, known: str) -> list[Value]:
    """Capitalised words within a sentence, where not every noun is."""
    if not GERMAN.isdisjoint(WORD.findall(text)):
        return []
    return [
        Value("name", *found.span(), found[0])
        for found in CAPITALISED.finditer(text)
        if found.start() > 0 and found[0].lower() not in known
    ]


def _parts(name: Value) -> set[str]:
    return set(name.text.lower().split())


def _close(one: Value, other: Value) -> bool:
    """Equal, or as near as rounding, an "about" or the conversion of units leaves it."""
    apart = abs(one.amount - other.amount)
    largest = max(abs(one.amount), abs(other.amount))
    if one.about or other.about:
        return apart <= LOOSE * largest
    if one.unit != other.unit:
        return apart <= CONVERTED * largest
    return apart <= ROUNDED * largest or _rounds(one, other) or _rounds(other, one)


def _rounds(exact: Value, rounded: Value) -> bool:
    """Is one number the other one, written with fewer decimals?"""
    decimals = [len(each.text.partition(".")[2].rstrip(" %")) for each in (exact, rounded)]
    if decimals[0] <= decimals[1] or exact.unit != rounded.unit:
        return False
    factor = 10 ** decimals[1]
    return bool(round(exact.amount * factor) == rounded.amount * factor)
