"""Parses multiples in quotes: twice, a third, threefold, 50 % more."""

import re
from fractions import Fraction
from typing import Final

from forager.data.word_lists import match_any, match_words, spaced_words
from forager.text.numbers import CARDINALS, NUMBER_WORDS, find_numerals
from forager.text.units import unit_behind

MULTIPLES: Final = {
    word: Fraction(factor)
    for factor, lists in NUMBER_WORDS.multiples.items()
    for word in spaced_words(lists)
}
PARTS: Final = {
    word: Fraction(1, number)
    for number, lists in NUMBER_WORDS.parts.items()
    for word in spaced_words(lists)
}
_COUNT = rf"(?P<count>{match_any(CARDINALS)}|\d+|{match_any(spaced_words(NUMBER_WORDS.one))})"
_AND_HALF = rf"(?P<half>\s+(?:{match_words(NUMBER_WORDS.and_half)}))"
_TIMES = match_words(NUMBER_WORDS.times)
PHRASE: Final = re.compile(
    rf"\b(?:{_COUNT}(?:[\s-]+(?P<part>{match_any(PARTS)})\b|{_AND_HALF}"
    rf"|-?(?:{match_any(spaced_words(NUMBER_WORDS.folds))})\b|\s+(?P<times>{_TIMES}))"
    rf"|(?P<word>{match_any(MULTIPLES)})\b)",
    re.IGNORECASE,
)
AGAIN: Final = re.compile(match_words(NUMBER_WORDS.again), re.IGNORECASE)
MORE: Final = re.compile(rf"\s*(?:{match_words(NUMBER_WORDS.more)})", re.IGNORECASE)
LESS: Final = re.compile(rf"\s*(?:{match_words(NUMBER_WORDS.less)})", re.IGNORECASE)


def read_multiple(text: str) -> Fraction | None:
    """The factor that a text names in words; None if it names none, or another number besides.

    "A third more" is 4/3, "a third less" 2/3, "three times less" 1/3; "three times more" is taken
    for three times as much.
    """
    found = list(PHRASE.finditer(text))
    if len(found) != 1:
        return None
    start, end = found[0].span()
    if any(number.end <= start or end <= number.start for number in find_numerals(text)):
        return None
    factor, behind = _named_factor(found[0]), text[end:]
    if AGAIN.search(behind) or (factor < 1 and MORE.match(behind)):
        return 1 + factor
    if LESS.match(behind):
        return 1 - factor if factor < 1 else 1 / factor
    return factor


def read_percentage(text: str) -> Fraction:
    """The factor of a percentage: its share, of "50 % more" 1.5, of "50 % less" 0.5."""
    number = next(find_numerals(text))
    found = unit_behind(text, number.end)
    behind = text[found[1] :] if found else ""
    share = Fraction(number.value or 0) / 100
    if MORE.match(behind):
        return 1 + share
    return 1 - share if LESS.match(behind) else share


def _named_factor(found: re.Match[str]) -> Fraction:
    if found["word"]:
        return MULTIPLES[found["word"].lower()]
    count = found["count"].lower()
    number = Fraction(count if count.isdigit() else CARDINALS.get(count, 1))
    if found["part"]:
        return number * PARTS[found["part"].lower()]
    return number + Fraction(1, 2) if found["half"] else number
