"""Picks a quoted value for each thing that a question compares; none where it is not clear which.

A value belongs to a thing whose own words stand in its sentence, its heading or its title, and
nearer to it than those of the other things. It is clear where no other value comes close.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from forager.answers.arithmetic import Operand, Sum, place, work_out
from forager.data.word_lists import all_words, match_any
from forager.domain.state import Evidence, Part
from forager.errors import UsageError
from forager.offline.comparatives import COUNTED, DATE, MEASURES
from forager.offline.sums import WantedSum, parse_sum_question
from forager.ports import Embedder
from forager.questions.qualifiers import WORDS
from forager.questions.subquestions import weights_of
from forager.text.dates import dates
from forager.text.numbers import decimal_comma, numbers, numerals
from forager.text.quotes import sentences
from forager.text.tokens import WORD, keywords, terms_of, tokenize
from forager.text.units import ahead, behind

NOUN_WITHIN = 3
"""A counted noun stands so few words behind its number."""
NOUN_AROUND = 40
QUALIFIERS = tuple(
    re.compile(rf"\b(?:{match_any(all_words(words))})\b", re.IGNORECASE)
    for words in WORDS.asked.values()
)
"""What a question says of its values must be said of each: a default is no maximum."""


class CandidateValue(NamedTuple):
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


def find_values(item: Evidence, asked: WantedSum, question: str) -> list[CandidateValue]:
    """The values in an entry of the kind that is wanted, the default where that is asked for."""
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
    text = item.passage.text
    for start, end in sentences(text):
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
        elif not quantities and not (unit and not counts_things(asked)):
            days_here = [each.day for each in days if each.start <= number.start < each.end]
            if any(day.month for day in days_here):
                continue
            around = (
                NOUN_AROUND // 2 if days_here else NOUN_AROUND
            )  # 1314 may be a year, and may be a port
            if _noun_nearby(sentence, number.start, number.end, asked, around):
                yield number.start, after[1] if after else number.end


def _cue_terms(asked: WantedSum) -> tuple[frozenset[str], frozenset[str]]:
    """Terms for what is measured, and for what else is measured in such units."""
    words = asked.measure.cues + (asked.nouns if counts_things(asked) else ())
    own = frozenset(term for word in words for term in terms_of(word))
    if asked.measure.quantities == DATE:
        return own, frozenset()
    other = (each for each in MEASURES.values() if each.quantities & asked.measure.quantities)
    foreign = frozenset(term for each in other for cue in each.cues for term in terms_of(cue))
    return own, foreign - own


def _distance_to(sentence: str, start: int, end: int, terms: frozenset[str]) -> int:
    """How many characters a value is away from one of these terms; the most where none is."""
    away = [
        max(word.start() - end, start - word.end())
        for word in WORD.finditer(sentence)
        if not terms.isdisjoint(terms_of(word[0]))
    ]
    return min(away, default=len(sentence))


def counts_things(asked: WantedSum) -> bool:
    return any(noun in COUNTED for noun in asked.nouns)


def _noun_nearby(sentence: str, start: int, end: int, asked: WantedSum, within: int) -> bool:
    """Does the noun of what is counted stand with a number?"""
    nouns = {term for noun in asked.nouns for term in keywords(noun)}
    following = tokenize(sentence[end : end + NOUN_AROUND])[:NOUN_WITHIN]
    if nouns & set(following):
        return True
    if not counts_things(asked):
        return False
    around = WORD.findall(sentence[max(0, start - within) : end + within])
    return any(word.lower().endswith(noun) for word in around for noun in asked.nouns)


MIN_SCORE = 0.5
MIN_WORD_SHARE = 0.34
"""The share of a thing's own words that must be there, whatever embeddings say."""
CLEAR_MARGIN = 0.15
BESIDE_WEIGHT = 0.5
"""What a word beside the value's sentence is worth, where the passage has other values as well."""
NEARER_TO_OTHER = 0.4
"""What a value keeps to which the words of another thing are nearer."""
CUE_BONUS = 0.2


class SumLine(NamedTuple):
    """The first line of an answer, which refers to its sum as the first one."""

    text: str
    sum: Sum


def answer_with_sum(
    question: str, parts: Sequence[Part], ledger: Sequence[Evidence], embedder: Embedder
) -> SumLine | None:
    """What a question wants worked out, from the clear values of a ledger; None without them."""
    asked = parse_sum_question(question)
    found = asked and pick_operands(asked, question, parts, ledger, embedder)
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
    return SumLine(f"{lead}: {place(1)}", found)


def pick_operands(
    asked: WantedSum,
    question: str,
    parts: Sequence[Part],
    ledger: Sequence[Evidence],
    embedder: Embedder,
) -> Sum | None:
    """The sum with a value for each side; None where one has no clear value."""
    said = numbers(question)
    found = [
        candidate
        for item in ledger
        for candidate in find_values(item, asked, question)
        if not numbers(candidate.text) & said
    ]
    words = _distinct_words(asked)
    if not found or not all(words):
        return None
    weights = weights_of(parts)
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


def _clear_winner(
    found: Sequence[CandidateValue], scores: Sequence[float]
) -> CandidateValue | None:
    """The value with the best score, where no other value comes close to it."""
    best = max(range(len(found)), key=scores.__getitem__)
    rivals = [
        score
        for each, score in zip(found, scores, strict=True)
        if _differ_in_number(each.text, found[best].text)
    ]
    clear = scores[best] >= MIN_SCORE and scores[best] - max(rivals, default=0.0) >= CLEAR_MARGIN
    return found[best] if clear else None


def _differ_in_number(one: str, other: str) -> bool:
    """Do two values say different numbers? A year is no other value than a day of it."""
    left, right = (numbers(text) or {text.casefold()} for text in (one, other))
    return not (left <= right or right <= left)


def _distinct_words(asked: WantedSum) -> list[frozenset[str]]:
    """For each side the words that only it has."""
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
    """How well a value belongs to a side: the share of the side's words that are there."""
    passage = of.entry.passage
    usual = sum(weights.values()) / len(weights) if weights else 1.0
    near = _term_distances(of)
    heading = set(tokenize(f"{passage.title} {passage.section}"))
    beside = set(tokenize(passage.text))
    near_by = 1.0 if of.alone else BESIDE_WEIGHT
    worth = {term: weights.get(term) or usual for term in words[side]}
    held = sum(
        weight * (1.0 if term in near or term in heading else near_by if term in beside else 0.0)
        for term, weight in worth.items()
    ) / sum(worth.values())
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
    """The words of the value's sentence, and how many characters they are away from it."""
    near: dict[str, int] = {}
    for word in WORD.finditer(of.sentence):
        away = min(abs(word.start() - of.start), abs(word.end() - of.start))
        for term in terms_of(word[0]):
            near[term] = min(away, near.get(term, away))
    return near


def _side_likeness(
    sides: Sequence[str], found: Sequence[CandidateValue], embedder: Embedder
) -> Sequence[Sequence[float]]:
    """By side and value, how like the value's sentence is to the side."""
    if not embedder.available:
        return [[0.0] * len(found) for _ in sides]
    texts = [f"{each.entry.passage.title} {each.sentence}" for each in found]
    near = embedder.embed(list(sides)) @ embedder.embed(texts).T
    return [[max(0.0, float(value)) for value in row] for row in near]
