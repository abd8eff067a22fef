"""Units of measure: spellings, quantities and conversion factors."""

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from forager.data.word_lists import ByLanguage, WordLists, all_words, read_word_lists


class Unit(NamedTuple):
    """A unit: its symbol, the quantity it measures, and its factor to the base unit."""

    symbol: str
    quantity: str
    factor: Fraction


class Spellings(WordLists):
    """A unit's factor to the base unit, and its names."""

    factor: int | str
    names: ByLanguage


class UnitWords(WordLists):
    """The lists of `data/units.toml`: units by quantity and symbol."""

    units: Mapping[str, Mapping[str, Spellings]]


WORD_LENGTH = 4
"""Spellings of at least this length are words, whose letter case does not matter."""


UNITS: Mapping[str, Unit] = {
    name: Unit(symbol, quantity, Fraction(spellings.factor))
    for quantity, units in read_word_lists("units", UnitWords).units.items()
    for symbol, spellings in units.items()
    for name in all_words(spellings.names)
}
PERCENT = UNITS["%"]
UNITS_BY_WORD: Mapping[str, Unit] = {
    name.lower(): unit for name, unit in UNITS.items() if len(name) >= WORD_LENGTH
}
_ANY = "|".join(sorted(map(re.escape, UNITS), key=len, reverse=True))
_WORD = "|".join(sorted(map(re.escape, UNITS_BY_WORD), key=len, reverse=True))
LETTERS = r"A-Za-zÀ-ɏ0-9_"
UNIT_BEHIND = re.compile(
    rf"[ \u00a0\u2009\u202f-]?(?P<unit>(?i:{_WORD})(?![{LETTERS}])"
    rf"|(?:{_ANY})(?![{LETTERS}/^²³*·’'-]))"
)
CURRENCY_AHEAD = re.compile(r"(?P<unit>US\$|[$€£¥])[ \u00a0]?$")


def unit_behind(text: str, place: int) -> tuple[Unit, int] | None:
    """The unit after a number that ends at `place`, and the offset of its end; None without one."""
    found = UNIT_BEHIND.match(text, place)
    return (unit_of_spelling(found["unit"]), found.end()) if found else None


def unit_ahead(text: str, place: int) -> tuple[Unit, int] | None:
    """The currency before a number that starts at `place`, and its offset; None without one."""
    found = CURRENCY_AHEAD.search(text[max(0, place - 5) : place])
    return (unit_of_spelling(found["unit"]), place - len(found[0])) if found else None


def unit_of_spelling(spelling: str) -> Unit:
    """The unit of a known spelling."""
    return UNITS.get(spelling) or UNITS_BY_WORD[spelling.lower()]
