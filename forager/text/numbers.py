"""Finds numbers and their values in a text, written in digits or words of several languages."""

import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal
from itertools import permutations
from typing import Final, NamedTuple

from forager.data.word_lists import (
    ByLanguage,
    WordLists,
    read_word_lists,
    spaced_words,
    unspaced_words,
)
from forager.text.dates import WORDS as DATE_WORDS
from forager.text.languages import FREQUENT
from forager.text.unicode import RAISED_DIGITS
from forager.text.units import unit_behind

NUMBER = re.compile(r"(?<![\w.])\d+(?:[.,]\d+)*(?!\w)|\d+(?:[.,]\d+)*")
RAISED = re.compile(f"[{RAISED_DIGITS}]+")
PLAIN_DIGITS = {ord(raised): str(digit) for digit, raised in enumerate(RAISED_DIGITS)}
PLAIN_POWER = PLAIN_DIGITS | {ord("⁻"): "-", ord("−"): "-"}
THOUSANDS = re.compile(r"^\d{1,3}(?:,\d{3})+(?:\.\d+)?$|^\d{1,3}(?:\.\d{3}){2,}$")
ENUMERATOR = re.compile(r"(?m)^\s*\d{1,2}[.)]\s")
MAX_SPOKEN = 20


class NumberWords(WordLists):
    """The lists of `data/numbers.toml`, where each is explained."""

    cardinals: Mapping[int, ByLanguage]
    scales: Mapping[int, ByLanguage]
    ordinals: Mapping[int, ByLanguage]
    approximate: ByLanguage
    more: ByLanguage
    less: ByLanguage
    multiples: Mapping[str, ByLanguage]
    parts: Mapping[int, ByLanguage]
    one: ByLanguage
    and_half: ByLanguage
    times: ByLanguage
    folds: ByLanguage
    again: ByLanguage


NUMBER_WORDS: Final = read_word_lists("numbers", NumberWords)


def _english_words(lists: Mapping[int, ByLanguage]) -> dict[str, str]:
    return {word: str(number) for number, words in lists.items() for word in words.get("en", ())}


NUMBERS_BY_WORD: Mapping[str, str] = {
    word: number
    for word, number in _english_words(NUMBER_WORDS.cardinals).items()
    if int(number) <= MAX_SPOKEN
}
ORDINALS: Mapping[str, str] = _english_words(NUMBER_WORDS.ordinals)
MONTH_NUMBERS: Mapping[str, str] = _english_words(DATE_WORDS.months)
WORD = re.compile(r"[^\W\d_]+")
IDENTIFIER = re.compile(
    r"(?<![\w.-])[\w.-]*(?:[a-z][A-Z]|_[A-Za-z]|[A-Za-z]\d|\d[A-Za-z])[\w.-]*"
    r"|\b[A-Z][A-Z0-9]+\b|--?[a-z][\w-]+"
)
CAPITALISED = re.compile(r"(?<![.!?:“\"(]\s)(?<![\w“\"(.-])[A-Z][a-z]\w+(?:\s+[A-Z][a-z]\w+)*")
GERMAN_WORDS = FREQUENT["de"]
"""In a text with these words every noun is capitalised, so capitals do not mark names."""
CALCULATION = re.compile(
    r"(\d+(?:[.,]\d+)*)\s*([-+*/−–×÷x])\s*(\d+(?:[.,]\d+)*)\s*(?:=|is|equals)\s*(\d+(?:[.,]\d+)*)"
)
OPERATIONS: Mapping[str, Callable[[float, float], float]] = {
    "+": operator.add,
    **dict.fromkeys("-−–", operator.sub),
    **dict.fromkeys("*×x", operator.mul),
    **dict.fromkeys("/÷", operator.truediv),
}
TOLERANCE = 0.01


def digit_numbers(text: str) -> set[str]:
    """The numbers that a text writes in digits, without the numbering of list items."""
    written = RAISED.sub(lambda found: f" {found[0].translate(PLAIN_DIGITS)}", text)
    return {_plain_number(number) for number in NUMBER.findall(ENUMERATOR.sub(" ", written))}


def spelled_numbers(text: str) -> set[str]:
    """The numbers that a text writes in words: small numbers, ordinals, months."""
    words = {word.lower() for word in WORD.findall(text)}
    return {
        table[word]
        for table in (NUMBERS_BY_WORD, ORDINALS, MONTH_NUMBERS)
        for word in words & table.keys()
    }


def proper_names(text: str) -> set[str]:
    """The names in a text: identifiers, and capitalised words inside a sentence."""
    found = {match.strip(".") for match in IDENTIFIER.findall(text)}
    if GERMAN_WORDS.isdisjoint(WORD.findall(text)):
        found |= {match[0] for match in CAPITALISED.finditer(text) if match.start() > 0}
    return {name for name in found if name}


def computed_results(text: str) -> set[str]:
    """The results of correct calculations that a text shows, such as `45 - 24 = 21`."""
    results: set[str] = set()
    for left, sign, right, result in CALCULATION.findall(text):
        left_value, right_value, stated = (_to_float(number) for number in (left, right, result))
        if sign in "/÷" and not right_value:
            continue
        if abs(OPERATIONS[sign](left_value, right_value) - stated) <= TOLERANCE * max(
            1.0, abs(stated)
        ):
            results.add(_plain_number(result))
    return results


def derived_numbers(wanted: Iterable[str], operands: Iterable[str]) -> set[str]:
    """Those of the wanted numbers that follow from two operands, rounded as they are written.

    One step counts: sum, difference, product, ratio, share in percent, or change in percent.
    """
    results: set[Decimal] = set()
    for one, other in permutations(map(_to_decimal, operands), 2):
        results |= {one + other, one - other, one * other}
        if other:
            results |= {one / other, 100 * one / other, 100 * (one - other) / other}
    return {
        number
        for number in wanted
        if any(abs(result - _to_decimal(number)) <= _half_digit(number) for result in results)
    }


def _half_digit(number: str) -> Decimal:
    """Half a unit of a number's last digit."""
    exponent = _to_decimal(number).as_tuple().exponent
    return Decimal(5).scaleb(int(exponent) - 1) if int(exponent) < 0 else Decimal(0)


def _to_decimal(number: str) -> Decimal:
    plain = _plain_number(number).replace(",", ".")
    return Decimal(plain if plain.count(".") <= 1 else plain.replace(".", ""))


def _plain_number(number: str) -> str:
    """Normalise a number: `1,234` to 1234, `07` to 7; `2.50` is kept."""
    if THOUSANDS.match(number):
        number = number.replace(",", "") if "," in number else number.replace(".", "")
    return number.lstrip("0") or "0" if number.isdigit() else number


def _to_float(number: str) -> float:
    return float(_to_decimal(number))


DIGIT_GAP = " \u00a0\u2007\u2009\u202f"
LETTER = "A-Za-zÀ-ɏ"
CARDINALS: Mapping[str, int] = {
    word: number for number, lists in NUMBER_WORDS.cardinals.items() for word in spaced_words(lists)
}
SCALES: Mapping[str, int] = {
    word: number for number, lists in NUMBER_WORDS.scales.items() for word in spaced_words(lists)
}
HAN_SCALES: Mapping[str, int] = {
    word: number for number, lists in NUMBER_WORDS.scales.items() for word in unspaced_words(lists)
}
FRENCH_WORDS = FREQUENT["fr"]
LETTER_BEHIND = re.compile(f"[{LETTER}_]")
MIN_LANGUAGE_WORDS = 2
MAX_DIGITS = 40
GROUP_DIGITS = 3

POWER = rf"(?:\^[-−]?[0-9]{{1,4}}|⁻?[{RAISED_DIGITS}]{{1,4}})"
POWERS_OF = frozenset({2, 10})
"""The numbers whose powers are read; a raised digit behind another may be the mark of a note."""
MAX_POWER = 128

_SMALL = "|".join(sorted(CARDINALS, key=len, reverse=True))
_SCALE = "|".join(sorted(SCALES, key=len, reverse=True))
NUMERAL = re.compile(
    rf"(?P<sign>(?<![^\s(\[=:\"“'])[-−–])?"
    rf"(?<![{LETTER}0-9_.])(?<![0-9][,:'’])"
    rf"(?P<body>[0-9]{{1,3}}(?:[{DIGIT_GAP}][0-9]{{3}})+(?![0-9])(?:[.,][0-9]+)?"
    rf"|[0-9]+(?:[.,:'’_][0-9]+)*|\.[0-9]+)"
    rf"(?P<exponent>[eE][+-]?[0-9]{{1,4}}(?![{LETTER}0-9_])|\s?[×x]\s?10{POWER})?"
    rf"(?P<power>{POWER})?"
    rf"(?P<han>[{''.join(HAN_SCALES)}])?(?:[{DIGIT_GAP}-]?(?P<scale>{_SCALE})\b)?"
    rf"|\b(?P<words>(?:{_SMALL}|hundred|thousand|million|dozen)"
    rf"(?:(?:[ -]|[ ]and[ ])(?:{_SMALL}|{_SCALE}))*)\b",
    re.IGNORECASE,
)


class Numeral(NamedTuple):
    """A number and its offsets in a text; without a value it is a version, a time or a list."""

    start: int
    end: int
    value: Decimal | None


def find_numerals(text: str, *, comma: bool = False) -> Iterator[Numeral]:
    """Find all numbers of a text; `comma` tells that it uses a decimal comma."""
    for found in NUMERAL.finditer(text):
        value = _words_value(found["words"]) if found["words"] else _digits_value(found, comma)
        if LETTER_BEHIND.match(text, found.end()) and not unit_behind(text, found.end()):
            value = None  # 12th, 0x1F
        yield Numeral(found.start(), found.end(), value)


def decimal_comma(text: str) -> bool:
    """Is the text in a language with a decimal comma (1.234,5)?"""
    words = [word.lower() for word in WORD.findall(text)]
    return any(
        sum(word in frequent for word in words) >= MIN_LANGUAGE_WORDS
        for frequent in (GERMAN_WORDS, FRENCH_WORDS)
    )


def _digits_value(found: re.Match[str], comma: bool) -> Decimal | None:
    digits = _plain_digits(found["body"], comma)
    if digits is None or len(digits) > MAX_DIGITS:
        return None
    written = (found["exponent"] or "e0").translate(PLAIN_POWER)
    exponent = int(re.sub(r"^.*?[×x]\s?10\^?|^[eE]", "", written))
    if abs(exponent) > MAX_DIGITS:
        return None
    value = Decimal(digits).scaleb(exponent)
    if found["power"]:
        power = int(found["power"].translate(PLAIN_POWER).lstrip("^"))
        if value not in POWERS_OF or abs(power) > MAX_POWER:
            return None
        value **= power
    value *= HAN_SCALES.get(found["han"] or "", 1) * SCALES.get((found["scale"] or "").lower(), 1)
    return -value if found["sign"] else value


def _plain_digits(body: str, comma: bool) -> str | None:
    """A number without digit grouping and with a decimal point; None if it is no number."""
    body = re.sub(rf"(?<=[0-9])[{DIGIT_GAP}'’_](?=[0-9]{{3}})", "", body)
    if not re.fullmatch(r"[0-9]*(?:[.,][0-9]+)*", body):
        return None
    marks = re.sub("[0-9]", "", body)
    if not marks or body[0] == ".":
        return body if marks in ("", ".") else None
    last, others = marks[-1], set(marks[:-1])
    head, _, tail = body.rpartition(last)
    if others and last not in others:  # 1.234,5
        return f"{plain}.{tail}" if (plain := _without_grouping(head)) else None
    grouping = "." if comma else ","
    if others or (last == grouping and head[0] != "0" and len(tail) == GROUP_DIGITS):
        return _without_grouping(body)
    return f"{head}.{tail}"


def _without_grouping(body: str) -> str | None:
    grouped = re.fullmatch(r"[0-9]{1,3}(?:([.,])[0-9]{2,3}(?:\1[0-9]{2,3})*)?", body)
    whole = grouped and (not grouped[1] or len(body.rpartition(grouped[1])[2]) == GROUP_DIGITS)
    return re.sub("[.,]", "", body) if whole and body[0] != "0" else None


def _words_value(words: str) -> Decimal:
    """The value of a spelled number (`two hundred and five`): scales multiply, other words add."""
    total = current = 0
    for word in re.split(r"[ -]+", words.lower()):
        large = SCALES.get(word, 0)
        if large > 10**2:
            total, current = total + (current or 1) * large, 0
        elif large:
            current = (current or 1) * large
        else:
            current += CARDINALS.get(word, 0)
    return Decimal(total + current)
