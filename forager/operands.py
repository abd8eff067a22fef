"""Picks a quoted value for each thing that a question compares; none where it is not clear which.

A value belongs to a thing whose own words stand in its sentence, its heading or its title, and
nearer to it than those of the other things. It is clear where no other value comes close.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from forager.answers.arithmetic import Operand, Sum, place, work_out
from forager.candidates import Candidate, candidates
from forager.domain.state import Evidence, Part
from forager.errors import UsageError
from forager.ports import Embedder
from forager.questions.subquestions import weights_of
from forager.sums import Wanted, wanted
from forager.text.numbers import numbers
from forager.text.tokens import WORD, keywords, terms_of, tokenize

LEAST = 0.5
LEAST_WORDS = 0.34
"""The share of a thing's own words that must be there, whatever embeddings say."""
MARGIN = 0.15
BESIDE = 0.5
"""What a word beside the value's sentence is worth, where the passage has other values as well."""
ANOTHERS = 0.4
"""What a value keeps to which the words of another thing are nearer."""
CUE = 0.2


class Line(NamedTuple):
    """The first line of an answer, which refers to its sum as the first one."""

    text: str
    sum: Sum


def worked_out(
    question: str, parts: Sequence[Part], ledger: Sequence[Evidence], embedder: Embedder
) -> Line | None:
    """What a question wants worked out, from the clear values of a ledger; None without them."""
    asked = wanted(question)
    found = asked and picked(asked, question, parts, ledger, embedder)
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
    return Line(f"{lead}: {place(1)}", found)


def picked(
    asked: Wanted,
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
        for candidate in candidates(item, asked, question)
        if not numbers(candidate.text) & said
    ]
    words = _own(asked)
    if not found or not all(words):
        return None
    weights = weights_of(parts)
    like = _likeness(asked.sides, found, embedder)
    chosen: list[Candidate] = []
    for side in range(len(asked.sides)):
        scores = [_score(each, words, side, weights) for each in found]
        best = _clear(found, [s and s + n for s, n in zip(scores, like[side], strict=True)])
        if best is None:
            return None
        chosen.append(best)
    if len({(each.entry.id, each.sentence, each.start) for each in chosen}) < len(chosen):
        return None
    if asked.turned and asked.operation == "difference":
        chosen.reverse()
    operands = [Operand(quote=each.entry.id, value=each.text) for each in chosen]
    return Sum(operation=asked.operation, operands=operands)


def _clear(found: Sequence[Candidate], scores: Sequence[float]) -> Candidate | None:
    """The value with the best score, where no other value comes close to it."""
    best = max(range(len(found)), key=scores.__getitem__)
    rivals = [
        score
        for each, score in zip(found, scores, strict=True)
        if _differ(each.text, found[best].text)
    ]
    clear = scores[best] >= LEAST and scores[best] - max(rivals, default=0.0) >= MARGIN
    return found[best] if clear else None


def _differ(one: str, other: str) -> bool:
    """Do two values say different numbers? A year is no other value than a day of it."""
    left, right = (numbers(text) or {text.casefold()} for text in (one, other))
    return not (left <= right or right <= left)


def _own(asked: Wanted) -> list[frozenset[str]]:
    """For each side the words that only it has."""
    nouns = {term for noun in asked.nouns for term in keywords(noun)}
    every = [frozenset(keywords(side)) - nouns for side in asked.sides]
    return [
        words.difference(*(other for place, other in enumerate(every) if place != own))
        for own, words in enumerate(every)
    ]


def _score(
    of: Candidate,
    words: Sequence[frozenset[str]],
    side: int,
    weights: Mapping[str, float],
) -> float:
    """How well a value belongs to a side: the share of the side's words that are there."""
    passage = of.entry.passage
    usual = sum(weights.values()) / len(weights) if weights else 1.0
    near = _distances(of)
    heading = set(tokenize(f"{passage.title} {passage.section}"))
    beside = set(tokenize(passage.text))
    near_by = 1.0 if of.alone else BESIDE
    worth = {term: weights.get(term) or usual for term in words[side]}
    held = sum(
        weight * (1.0 if term in near or term in heading else near_by if term in beside else 0.0)
        for term, weight in worth.items()
    ) / sum(worth.values())
    if held < LEAST_WORDS:
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
        held *= ANOTHERS
    return held + (CUE if of.cued else 0.0)


def _distances(of: Candidate) -> Mapping[str, int]:
    """The words of the value's sentence, and how many characters they are away from it."""
    near: dict[str, int] = {}
    for word in WORD.finditer(of.sentence):
        away = min(abs(word.start() - of.start), abs(word.end() - of.start))
        for term in terms_of(word[0]):
            near[term] = min(away, near.get(term, away))
    return near


def _likeness(
    sides: Sequence[str], found: Sequence[Candidate], embedder: Embedder
) -> Sequence[Sequence[float]]:
    """By side and value, how like the value's sentence is to the side."""
    if not embedder.available:
        return [[0.0] * len(found) for _ in sides]
    texts = [f"{each.entry.passage.title} {each.sentence}" for each in found]
    near = embedder.embed(list(sides)) @ embedder.embed(texts).T
    return [[max(0.0, float(value)) for value in row] for row in near]
