"""Sums that a question asks for: what is to be worked out, and a quoted value for each thing.

Only questions of a few plain forms are read, and only if they name each thing: no formula is better
than a wrong one. A value belongs to a thing whose own words stand in its sentence, heading or
title, nearer to it than the words of the other things. It is taken if no other value comes close.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from forager.answers.arithmetic import Operand, Operation, Sum, sum_reference, work_out
from forager.data.word_lists import all_words, match_any
from forager.domain.state import Evidence, SubQuestion
from forager.errors import UsageError
from forager.offline.comparatives import (
    COMPARED,
    COUNTED,
    DATE,
    FEWER,
    FORMS,
    MEASURED,
    MEASURES,
    MORE,
    PLAIN,
    WORDS,
    Form,
    Measure,
)
from forager.ports import Embedder
from forager.questions.qualifiers import WORDS as QUALIFIER_WORDS
from forager.questions.subquestions import merge_weights, weighted_share
from forager.text.dates import find_dates
from forager.text.numbers import decimal_comma, digit_numbers, find_numerals
from forager.text.quotes import split_sentences
from forager.text.tokens import WORD, keywords, terms_of, tokenize, word_terms
from forager.text.units import find_unit, unit_ahead, unit_behind

MAX_SIDE = 200
LISTS: frozenset[Operation] = frozenset(["sum", "greatest"])
LISTED = re.compile(r",\s+(?!\d)|、")
COMPOUND = re.compile(
    r"\b(?:combined|multiplied|divided|sum|on the days?|respective|or|it|they"
    r"|(?:when|als|wenn|quand) (?:he|she|it|they|er|sie|il|elle))\b"
)
"""Things with these words have no value of their own: they would take more than one step."""
NOUN_WITHIN = 3
"""A counted noun stands at most this many words after its number."""
NOUN_AROUND = 40
"""Characters around a number in which its noun may stand."""
QUALIFIERS = tuple(
    re.compile(rf"\b(?:{match_any(all_words(words))})\b", re.IGNORECASE)
    for words in QUALIFIER_WORDS.asked.values()
)
"""What a question has of these, the sentence of each value must have: a default is no maximum."""
MIN_SCORE = 0.5
MIN_WORD_SHARE = 0.34
"""The share of a thing's own words that must be present, whatever embeddings say."""
CLEAR_MARGIN = 0.15
BESIDE_WEIGHT = 0.5
"""What a word outside the value's sentence counts if the passage has other values too."""
NEARER_TO_OTHER = 0.4
"""What a value keeps of its score if the words of another thing are nearer to it."""
CUE_BONUS = 0.2


class WantedSum(NamedTuple):
    """The operation, a text for each thing that has a value, and the measure they share.

    `nouns` name what is counted. `turned` subtracts the first thing from the second, `sorted` the
    smaller from the greater. `lead` begins the line of the formula, `yes` or `no` the one of a
    comparison.
    """

    operation: Operation
    sides: tuple[str, ...]
    measure: Measure
    nouns: tuple[str, ...] = ()
    turned: bool = False
    sorted: bool = False
    lead: str = "Worked out"
    yes: str = "Yes"
    no: str = "No"


class CandidateValue(NamedTuple):
    """A value in a sentence of an entry, and its offset there.

    It is `cued` if no other value stands nearer to a word for the measure, and `alone` if its
    passage has no other value of the kind.
    """

    entry: Evidence
    sentence: str
    text: str
    start: int
    cued: bool
    alone: bool = False


class SumLine(NamedTuple):
    """The first line of an answer, with a place for its sum."""

    text: str
    sum: Sum


def answer_with_sum(
    question: str, parts: Sequence[SubQuestion], ledger: Sequence[Evidence], embedder: Embedder
) -> SumLine | None:
    """The sum that a question asks for; None if there is none, or no clear values for it."""
    asked = parse_sum_question(question)
    found = asked and _pick_operands(asked, question, parts, ledger, embedder)
    if not asked or not found:
        return None
    quotes = {item.id: item.passage.text for item in ledger}
    try:
        worked = work_out(found, quotes)
    except UsageError:
        return None
    if asked.sorted and worked.result.startswith("−"):
        found = found.model_copy(update={"operands": found.operands[::-1]})
    lead = {"yes": asked.yes, "no": asked.no}.get(worked.result, asked.lead)
    return SumLine(f"{lead}: {sum_reference(1)}", found)


def parse_sum_question(question: str) -> WantedSum | None:
    """The sum that a question asks for; None if it asks for none or does not name the things."""
    plain = " ".join(question.split())
    for form in FORMS:
        found = form.pattern.search(plain)
        read = _read_form(form, found) if found else None
        if read:
            said = {name: words[form.language] for name, words in WORDS.leads.items()}
            return read._replace(lead=said["worked_out"], yes=said["yes"], no=said["no"])
    return None


def _read_form(form: Form, found: re.Match[str]) -> WantedSum | None:
    """What a matching form asks for; None if it names nothing that is measured or counted."""
    given = {name: (value or "").strip() for name, value in found.groupdict().items()}
    sides = _sides_of(form.operation, given["a"], given["b"])
    unit, noun, word = (given.get(name, "").lower() for name in ("unit", "noun", "cmp"))
    compared = COMPARED.get(word.removeprefix("more ").strip())
    if not sides or unit == "times" or (word and not compared):
        return None
    if form.operation == "years":
        return WantedSum(_time_operation(unit), sides, MEASURED["year"])
    counts = compared in (MORE, FEWER) or form.operation in ("sum", "ratio")
    measure, nouns = _measure_named(compared, [unit, *noun.split()], counts)
    if measure is None:
        return None
    operation: Operation = form.operation
    if operation == "difference" and "date" in measure.quantities:
        operation = _time_operation(unit)
    if operation == "greatest" and measure.falls:
        operation = "least"
    sorted = compared is None or "by how" in form.pattern.pattern
    return WantedSum(operation, sides, measure, nouns, turned=measure.falls, sorted=sorted)


def _sides_of(operation: Operation, first: str, last: str) -> tuple[str, ...]:
    """The things; none if one has no content words, is too long, or is compound."""
    sides = (*LISTED.split(first.rstrip(", ")), last) if operation in LISTS else (first, last)
    telling = all(map(keywords, sides)) and max(map(len, sides)) <= MAX_SIDE
    plain = not first.endswith(" or") and not any(map(COMPOUND.search, sides))
    return sides if telling and plain else ()


def _time_operation(unit: str) -> Operation:
    found = find_unit(unit)
    if found and found.symbol == "months":
        return "months"
    return "days" if found and found.quantity == "time" else "years"


def _measure_named(
    compared: Measure | None, words: list[str], counts: bool
) -> tuple[Measure | None, tuple[str, ...]]:
    """The measure that a comparative, a unit or a noun names, and the nouns of what is counted."""
    base = compared or Measure(PLAIN)
    words = [word for word in words if word]
    for word in words:
        unit = find_unit(word)
        if unit and "date" not in base.quantities:
            return base._replace(quantities=frozenset([unit.quantity])), ()
        if word in MEASURED:
            return MEASURED[word]._replace(falls=base.falls), ()
        if word in COUNTED:
            return base._replace(quantities=PLAIN), (word,)
    if compared and compared.quantities:
        return compared, ()
    return (base, tuple(words)) if counts and words else (None, ())


def _pick_operands(
    asked: WantedSum,
    question: str,
    parts: Sequence[SubQuestion],
    ledger: Sequence[Evidence],
    embedder: Embedder,
) -> Sum | None:
    """The sum with a value for each thing; None if one has no clear value."""
    said = digit_numbers(question)
    found = [
        candidate
        for item in ledger
        for candidate in _find_values(item, asked, question)
        if not digit_numbers(candidate.text) & said
    ]
    words = distinct_words(asked)
    if not found or not all(words):
        return None
    weights = merge_weights(parts)
    like = _side_likeness(asked.sides, found, embedder)
    chosen: list[CandidateValue] = []
    for side in range(len(asked.sides)):
        scores = [_side_score(each, words, side, weights) for each in found]
        best = _clear_winner(found, [s and s + n for s, n in zip(scores, like[side], strict=True)])
        if best is None:
            return None
        chosen.append(best)
    if len({(each.entry.id, each.sentence, each.start) for each in chosen}) < len(chosen):
        return None
    if asked.turned and asked.operation == "difference":
        chosen.reverse()
    operands = [Operand(quote=each.entry.id, value=each.text) for each in chosen]
    return Sum(operation=asked.operation, operands=operands)


def _find_values(item: Evidence, asked: WantedSum, question: str) -> list[CandidateValue]:
    """The values of the wanted kind in an entry, whose sentences have the question's qualifiers."""
    found = [
        each
        for each in _values_in(item, asked)
        if all(
            qualifier.search(each.sentence)
            for qualifier in QUALIFIERS
            if qualifier.search(question)
        )
    ]
    alone = len({candidate.text for candidate in found}) == 1
    return [candidate._replace(alone=alone) for candidate in found]


def _values_in(item: Evidence, asked: WantedSum) -> Iterator[CandidateValue]:
    """The values that are nearer to words for the measure than to those of another one."""
    text = item.passage.text
    for start, end in split_sentences(text):
        sentence = " ".join(text[start:end].split())
        own, foreign = _cue_terms(asked)
        places = [
            (left, right, away)
            for left, right in _value_spans(sentence, asked, comma=decimal_comma(text))
            if (away := _distance_to(sentence, left, right, own))
            <= _distance_to(sentence, left, right, foreign)
        ]
        nearest = min((away for _, _, away in places), default=0)
        for left, right, away in places:
            cued = away == nearest < len(sentence)
            yield CandidateValue(item, sentence, sentence[left:right], left, cued)


def _value_spans(sentence: str, asked: WantedSum, *, comma: bool) -> Iterator[tuple[int, int]]:
    """Where dates, or numbers with the wanted unit or noun, stand in a sentence."""
    quantities, days = asked.measure.quantities, list(find_dates(sentence))
    if "date" in quantities:
        needed = {"days": 3, "months": 2}.get(asked.operation, 1)
        yield from ((each.start, each.end) for each in days if sum(map(bool, each.day)) >= needed)
        return
    for number in find_numerals(sentence, comma=comma):
        said = sentence[number.start : number.end]
        if number.value is None or said.lower() == "one" or said[0] == "-":
            continue
        after, before = unit_behind(sentence, number.end), unit_ahead(sentence, number.start)
        unit = after or before
        if unit and unit[0].quantity in quantities:
            start = before[1] if before and not after else number.start
            yield start, after[1] if after else number.end
        elif not quantities and not (unit and not _counts_things(asked)):
            days_here = [each.day for each in days if each.start <= number.start < each.end]
            if any(day.month for day in days_here):
                continue
            # 1314 may be a year or a port.
            around = NOUN_AROUND // 2 if days_here else NOUN_AROUND
            if _noun_nearby(sentence, number.start, number.end, asked, around):
                yield number.start, after[1] if after else number.end


def _cue_terms(asked: WantedSum) -> tuple[frozenset[str], frozenset[str]]:
    """Terms for the measure, and those for other measures with the same units."""
    words = asked.measure.cues + (asked.nouns if _counts_things(asked) else ())
    own = frozenset(term for word in words for term in terms_of(word))
    if asked.measure.quantities == DATE:
        return own, frozenset()
    other = (each for each in MEASURES.values() if each.quantities & asked.measure.quantities)
    foreign = frozenset(term for each in other for cue in each.cues for term in terms_of(cue))
    return own, foreign - own


def _distance_to(sentence: str, start: int, end: int, terms: frozenset[str]) -> int:
    """Characters from a value to the nearest of these terms; the sentence's length without one."""
    away = [
        max(word.start() - end, start - word.end())
        for word in WORD.finditer(sentence)
        if not terms.isdisjoint(terms_of(word[0]))
    ]
    return min(away, default=len(sentence))


def _counts_things(asked: WantedSum) -> bool:
    """Is what is asked for a number whatever its unit, such as a port or a limit?"""
    return any(noun in COUNTED for noun in asked.nouns)


def _noun_nearby(sentence: str, start: int, end: int, asked: WantedSum, within: int) -> bool:
    """Does the counted noun stand with a number?"""
    nouns = {term for noun in asked.nouns for term in keywords(noun)}
    following = word_terms(sentence[end : end + NOUN_AROUND])[:NOUN_WITHIN]
    if nouns & set(following):
        return True
    if not _counts_things(asked):
        return False
    around = WORD.findall(sentence[max(0, start - within) : end + within])
    return any(word.lower().endswith(noun) for word in around for noun in asked.nouns)


def _clear_winner(
    found: Sequence[CandidateValue], scores: Sequence[float]
) -> CandidateValue | None:
    """The value with the best score; None if it is low or another value comes close."""
    best = max(range(len(found)), key=scores.__getitem__)
    rivals = [
        score
        for each, score in zip(found, scores, strict=True)
        if _differ_in_number(each.text, found[best].text)
    ]
    clear = scores[best] >= MIN_SCORE and scores[best] - max(rivals, default=0.0) >= CLEAR_MARGIN
    return found[best] if clear else None


def _differ_in_number(one: str, other: str) -> bool:
    """Do two values differ in their numbers? A year does not differ from a day in it."""
    left, right = (digit_numbers(text) or {text.casefold()} for text in (one, other))
    return not (left <= right or right <= left)


def distinct_words(asked: WantedSum) -> list[frozenset[str]]:
    """For each thing the words that no other one has."""
    nouns = {term for noun in asked.nouns for term in keywords(noun)}
    every = [frozenset(keywords(side)) - nouns for side in asked.sides]
    return [
        words.difference(*(other for place, other in enumerate(every) if place != own))
        for own, words in enumerate(every)
    ]


def _side_score(
    of: CandidateValue,
    words: Sequence[frozenset[str]],
    side: int,
    weights: Mapping[str, float],
) -> float:
    """How well a value belongs to a thing: the share of the thing's words that are near."""
    passage = of.entry.passage
    usual = sum(weights.values()) / len(weights) if weights else 1.0
    near = _term_distances(of)
    heading = set(tokenize(f"{passage.title} {passage.section}"))
    beside = set(tokenize(passage.text))
    near_by = 1.0 if of.alone else BESIDE_WEIGHT
    worth = {term: weights.get(term) or usual for term in words[side]}
    held = weighted_share(worth, heading.union(near), beside, near_by)
    if held < MIN_WORD_SHARE:
        return 0.0
    own = min((near[term] for term in words[side] if term in near), default=None)
    others = [
        near[term]
        for place, terms in enumerate(words)
        if place != side
        for term in terms
        if term in near
    ]
    if others and (own is None or min(others) < own):
        held *= NEARER_TO_OTHER
    return held + (CUE_BONUS if of.cued else 0.0)


def _term_distances(of: CandidateValue) -> Mapping[str, int]:
    """The terms of the value's sentence with their distances to it, in characters."""
    near: dict[str, int] = {}
    for word in WORD.finditer(of.sentence):
        away = min(abs(word.start() - of.start), abs(word.end() - of.start))
        for term in terms_of(word[0]):
            near[term] = min(away, near.get(term, away))
    return near


def _side_likeness(
    sides: Sequence[str], found: Sequence[CandidateValue], embedder: Embedder
) -> Sequence[Sequence[float]]:
    """By thing and value, the similarity of the value's sentence to the thing."""
    if not embedder.available:
        return [[0.0] * len(found) for _ in sides]
    texts = [f"{each.entry.passage.title} {each.sentence}" for each in found]
    near = embedder.embed(list(sides)) @ embedder.embed(texts).T
    return [[max(0.0, float(value)) for value in row] for row in near]
