"""The values in quotes of a kind that is wanted, and how near words for what is measured stand."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from forager.comparatives import COUNTED, DATE, UP
from forager.domain.state import Evidence
from forager.sums import Wanted
from forager.text.dates import dates
from forager.text.numbers import decimal_comma, numerals
from forager.text.quotes import sentences
from forager.text.tokens import WORD, keywords, terms_of, tokenize
from forager.text.units import ahead, behind

NOUN_WITHIN = 3
"""A counted noun stands so few words behind its number."""
AROUND = 40
QUALIFIERS = tuple(
    re.compile(rf"\b(?:{words})\b", re.IGNORECASE)
    for words in (
        "defaults?|unless (?:told|set|specified|given)|if (?:omitted|not given|nothing)",
        "max|maximum|at (?:the )?most|up to|upper limit|largest possible|cannot exceed",
        "min|minimum|at (?:the )?least|lower limit|smallest possible",
        "averages?|mean|on average",
        "standard|vorgabe|défaut|默认",
    )
)
"""What a question says of its values must be said of each: a default is no maximum."""


class Candidate(NamedTuple):
    """A value in a sentence of an entry, and where in the sentence it stands.

    It is `cued` if no other value stands nearer to a word for what is measured, and `alone` if
    its passage has no other value of the kind.
    """

    entry: Evidence
    sentence: str
    text: str
    start: int
    cued: bool
    alone: bool = False


def candidates(item: Evidence, asked: Wanted, question: str) -> list[Candidate]:
    """The values in an entry of the kind that is wanted, the default where that is asked for."""
    found = [
        each
        for each in _candidates(item, asked)
        if all(
            qualifier.search(each.sentence)
            for qualifier in QUALIFIERS
            if qualifier.search(question)
        )
    ]
    alone = len({candidate.text for candidate in found}) == 1
    return [candidate._replace(alone=alone) for candidate in found]


def _candidates(item: Evidence, asked: Wanted) -> Iterator[Candidate]:
    text = item.passage.text
    for start, end in sentences(text):
        sentence = " ".join(text[start:end].split())
        own, foreign = _cues(asked)
        places = [
            (left, right, away)
            for left, right in _places(sentence, asked, comma=decimal_comma(text))
            if (away := _away(sentence, left, right, own)) <= _away(sentence, left, right, foreign)
        ]
        nearest = min((away for _, _, away in places), default=0)
        for left, right, away in places:
            cued = away == nearest < len(sentence)
            yield Candidate(item, sentence, sentence[left:right], left, cued)


def _places(sentence: str, asked: Wanted, *, comma: bool) -> Iterator[tuple[int, int]]:
    quantities, days = asked.measure.quantities, list(dates(sentence))
    if "date" in quantities:
        needed = {"days": 3, "months": 2}.get(asked.operation, 1)
        yield from ((each.start, each.end) for each in days if sum(map(bool, each.day)) >= needed)
        return
    for number in numerals(sentence, comma=comma):
        said = sentence[number.start : number.end]
        if number.value is None or said.lower() == "one" or said[0] == "-":
            continue
        after, before = behind(sentence, number.end), ahead(sentence, number.start)
        unit = after or before
        if unit and unit[0].quantity in quantities:
            start = before[1] if before and not after else number.start
            yield start, after[1] if after else number.end
        elif not quantities and not (unit and not counted(asked)):
            days_here = [each.day for each in days if each.start <= number.start < each.end]
            if any(day.month for day in days_here):
                continue
            around = AROUND // 2 if days_here else AROUND  # 1314 may be a year, and may be a port
            if _named(sentence, number.start, number.end, asked, around):
                yield number.start, after[1] if after else number.end


def _cues(asked: Wanted) -> tuple[frozenset[str], frozenset[str]]:
    """Terms for what is measured, and for what else is measured in such units."""
    words = asked.measure.cues + (asked.nouns if counted(asked) else ())
    own = frozenset(term for word in words for term in terms_of(word))
    if asked.measure.quantities == DATE:
        return own, frozenset()
    other = (each for each in UP if each.quantities & asked.measure.quantities)
    foreign = frozenset(term for each in other for cue in each.cues for term in terms_of(cue))
    return own, foreign - own


def _away(sentence: str, start: int, end: int, terms: frozenset[str]) -> int:
    """How many characters a value is away from one of these terms; the most where none is."""
    away = [
        max(word.start() - end, start - word.end())
        for word in WORD.finditer(sentence)
        if not terms.isdisjoint(terms_of(word[0]))
    ]
    return min(away, default=len(sentence))


def counted(asked: Wanted) -> bool:
    return any(noun in COUNTED for noun in asked.nouns)


def _named(sentence: str, start: int, end: int, asked: Wanted, within: int) -> bool:
    """Does the noun of what is counted stand with a number?"""
    nouns = {term for noun in asked.nouns for term in keywords(noun)}
    following = tokenize(sentence[end : end + AROUND])[:NOUN_WITHIN]
    if nouns & set(following):
        return True
    if not counted(asked):
        return False
    around = WORD.findall(sentence[max(0, start - within) : end + within])
    return any(word.lower().endswith(noun) for word in around for noun in asked.nouns)
