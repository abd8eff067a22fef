"""The numbers and names in a text, in spellings that can be compared."""

import operator
import re
from collections.abc import Callable, Mapping

NUMBER = re.compile(r"(?<![\w.])\d+(?:[.,]\d+)*(?!\w)|\d+(?:[.,]\d+)*")
THOUSANDS = re.compile(r"^\d{1,3}(?:,\d{3})+(?:\.\d+)?$|^\d{1,3}(?:\.\d{3}){2,}$")
ENUMERATOR = re.compile(r"(?m)^\s*\d{1,2}[.)]\s")
WORDS: Mapping[str, str] = {
    word: str(value)
    for value, word in enumerate(
        (
            "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
            "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen",
            "eighteen", "nineteen", "twenty",
        )
    )
}  # fmt: skip
ORDINALS: Mapping[str, str] = {"first": "1", "second": "2", "third": "3", "once": "1", "twice": "2"}
MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
)  # fmt: skip
MONTH: Mapping[str, str] = {
    spelling: str(number)
    for number, month in enumerate(MONTHS, start=1)
    for spelling in (month, month[:3])
}
WORD = re.compile(r"[^\W\d_]+")
IDENTIFIER = re.compile(
    r"(?<![\w.-])[\w.-]*(?:[a-z][A-Z]|_[A-Za-z]|[A-Za-z]\d|\d[A-Za-z])[\w.-]*"
    r"|\b[A-Z][A-Z0-9]+\b|--?[a-z][\w-]+"
)
CAPITALISED = re.compile(r"(?<![.!?:“\"(]\s)(?<![\w“\"(.-])[A-Z][a-z]\w+(?:\s+[A-Z][a-z]\w+)*")
GERMAN = frozenset(["der", "das", "und", "ist", "wurde", "eine", "nicht", "des", "dem", "für"])
"""In a text with these words every noun is capitalised: capitals are no names."""
SUM = re.compile(
    r"(\d+(?:[.,]\d+)*)\s*([-+*/−–×÷x])\s*(\d+(?:[.,]\d+)*)\s*(?:=|is|equals)\s*(\d+(?:[.,]\d+)*)"
)
OPERATIONS: Mapping[str, Callable[[float, float], float]] = {
    "+": operator.add,
    **dict.fromkeys("-−–", operator.sub),
    **dict.fromkeys("*×x", operator.mul),
    **dict.fromkeys("/÷", operator.truediv),
}
CLOSE = 0.01


def numbers(text: str) -> set[str]:
    """The numbers that a text writes in digits; those that begin the items of a list are none."""
    return {_plain(number) for number in NUMBER.findall(ENUMERATOR.sub(" ", text))}


def spoken(text: str) -> set[str]:
    """The numbers that a text gives in words: small ones, ordinals, months."""
    words = {word.lower() for word in WORD.findall(text)}
    return {table[word] for table in (WORDS, ORDINALS, MONTH) for word in words & table.keys()}


def names(text: str) -> set[str]:
    """What a text calls by name: identifiers, and capitalised words inside a sentence."""
    found = {match.strip(".") for match in IDENTIFIER.findall(text)}
    if GERMAN.isdisjoint(WORD.findall(text)):
        found |= {match[0] for match in CAPITALISED.finditer(text) if match.start() > 0}
    return {name for name in found if name}


def computed(text: str) -> set[str]:
    """The results that a text works out correctly before one's eyes: `45 - 24 = 21`."""
    results: set[str] = set()
    for left, sign, right, result in SUM.findall(text):
        one, other, said = (_value(number) for number in (left, right, result))
        if sign in "/÷" and not other:
            continue
        if abs(OPERATIONS[sign](one, other) - said) <= CLOSE * max(1.0, abs(said)):
            results.add(_plain(result))
    return results


def _plain(number: str) -> str:
    """`1,234` as 1234, `07` as 7, `2.50` as it stands."""
    if THOUSANDS.match(number):
        number = number.replace(",", "") if "," in number else number.replace(".", "")
    return number.lstrip("0") or "0" if number.isdigit() else number


def _value(number: str) -> float:
    plain = _plain(number).replace(",", ".")
    return float(plain) if plain.count(".") <= 1 else float(plain.replace(".", ""))
