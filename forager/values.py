"""Values as quotes say them: numbers with their units, and dates, found word for word."""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from forager.dates import Day, dates
from forager.errors import UsageError
from forager.numerals import Numeral, decimal_comma, numerals
from forager.quotes import locate
from forager.units import Unit, ahead, behind

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
