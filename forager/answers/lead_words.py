"""The words of a sentence that answer a question: a value, a date, a name, yes or no."""

import re
from typing import Final, NamedTuple

from forager.domain.answers import LeadKind
from forager.text.answer_types import DEFAULT, MONTH, expected_types

POSSESSIVE: Final = re.compile(r"['’]s\b")
OTHER_MONTH: Final = (
    r"januar|februar|märz|mai|juni|juli|oktober|dezember|janvier|février|mars|avril|juin|juillet|"
    r"août|septembre|octobre|novembre|décembre|enero|febrero|marzo|abril|mayo|junio|julio|agosto|"
    r"septiembre|octubre|noviembre|diciembre"
)
IN_WORDS: Final = rf"(?:{MONTH}|{OTHER_MONTH})\b"
DATED: Final = re.compile(
    rf"\b\d{{4}}-\d\d-\d\d\b|\b\d{{1,2}}(?:st|nd|rd|th)?[-. ]+(?:de |of )?{IN_WORDS}"
    r"(?:[-., ]*\d{4})?|"
    rf"\b{IN_WORDS}\.?(?: \d{{1,2}}\b)?(?:,? \d{{4}})?|\b1\d{{3}}\b|\b20\d\d\b|"
    r"\d+年(?:\d+月)?(?:\d+日)?",
    re.IGNORECASE,
)
NUMBERED: Final = re.compile(
    r"(?<![\w.])[-+]?\d+(?:[.,:]\d+)*(?:[ -]?(?:%|°C?|[kKMGTµm]?i?[bBsmg]\b|[kMG]?Hz|[a-z]{3,}\b))?"
)
CODED: Final = re.compile(
    r"(?<![\w/])(?:--?[A-Za-z][\w-]*|[~.]?/[\w./-]+\w|<[\w/.]+>|"
    r"[\w$]+(?:(?:::|[._:/#-])[\w$]+)*(?:::|[._:/#])[\w$]+(?:-[\w$]+)*(?:\(\))?|\w+\(\)|"
    r"[a-z]+[A-Z]\w+|[A-Z][A-Z_\d]{2,})(?!\w)"
)
HOW: Final = re.compile(
    r"\bhow (?:do|does|can|could|to|should|would|must|might|may)\b|\bwie (?:kann|mache?|lässt)\b|"
    r"\bcomment\b|\bcómo\b|怎么|如何",
    re.IGNORECASE,
)


class FoundWords(NamedTuple):
    """Characters `start` to `end` of a sentence, or the Yes or No that they mean."""

    kind: LeadKind
    text: str
    start: int
    end: int


def asks_how(question: str) -> bool:
    """Does a question ask how something is done?"""
    return HOW.search(question) is not None


def find_words(question: str, sentence: str) -> FoundWords | None:
    """The value, date or name that a question asks for, if the sentence has a single new one."""
    kind = _asked_kind(question)
    if kind is None:
        return None
    form = {"date": DATED, "value": NUMBERED, "name": CODED}[kind]
    said = question.lower()
    found = [match for match in form.finditer(sentence) if match[0].lower() not in said]
    if len({match[0] for match in found}) != 1:
        return None
    return FoundWords(kind, found[0][0], *found[0].span())


def _asked_kind(question: str) -> LeadKind | None:
    asked = {kind.name for kind in expected_types(POSSESSIVE.sub("", question))}
    if asked & {"date", "year"}:
        return "date"
    if asked & {"duration", "share", "version", "measure", "count", DEFAULT}:
        return "value"
    return "name" if asked & {"name", "code"} else None
