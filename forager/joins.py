"""Look-ups that need the result of another: which they are, and how they read once it is known.

Decomposition with dependencies as in FanOutQA (Zhu et al. 2024, section 3) and MindSearch (Chen et
al. 2024, section 2.1); here by the words that point back, where no model plans.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from forager.kinds import things, wanted
from forager.parts import open_parts
from forager.state import Evidence, Part, Passage, State
from forager.tokens import keywords

PERSON = frozenset({"he", "she", "him", "her", "his", "hers", "himself", "herself"})
THING = frozenset({"it", "its", "itself"})
MANY = frozenset({"they", "them", "their", "theirs"})
POINTING = re.compile(
    r"\b(?:that|this|those|these|the same|the latter|the former|such an?) +(?!is\b|was\b|are\b)"
    r"([a-z]{3,})",
    re.IGNORECASE,
)
OF_THESE = re.compile(r"\b(?:first|second|last|one|which|both) of (?:these|those|them)\b", re.I)
WORD = re.compile(r"[^\W\d_]+")
PEOPLE = frozenset({"person"})
NO_ANTECEDENT = frozenset({"count", "share", "measure", "duration"})
"""Kinds of results that nothing points back to: how many, how long."""


KNOWN = 0.65
"""The score of a quote from which its part counts as known, for those that wait for it."""
QUOTES = 6


def needs(asks: Sequence[str]) -> list[int]:
    """For each ask the number of the earlier one whose result it points back to; 0 without one."""
    return [
        max((place + 1 for place in range(number) if _points_back(ask, asks[place])), default=0)
        for number, ask in enumerate(asks)
    ]


def result(ask: str, passages: Iterable[tuple[Passage, float]], question: str) -> str | None:
    """What answers an ask: the thing of its kind that its weightiest quotes hold most."""
    kinds = tuple(kind for kind in wanted(ask) if kind.name not in NO_ANTECEDENT)
    asked = question.lower()
    found: Counter[str] = Counter()
    for passage, weight in passages:
        for kind in kinds:
            for thing in things(passage.text, (kind,), asked):
                found[thing] += weight * kind.worth  # type: ignore[assignment]
    best = found.most_common(1)
    return best[0][0] if best else None


def rewritten(ask: str, known: str) -> str:
    """The ask with what it points back to, in words that can be searched for."""
    return f"{ask.rstrip(' ?.')} ({known})?"


def due(state: State) -> list[Part]:
    """The parts that are open, and wait for asks that have a strong quote by now."""
    known = {part.text for part in state.survey.parts if _strong(state, part)}
    open = open_parts(state.survey, state.verdict)
    return [part for part in open if part.needs and known.issuperset(part.needs)]


def quotes_for(state: State, needed: Collection[str]) -> tuple[Evidence, ...]:
    """The quotes that bear on some asks, the weightiest first."""
    weights = {part.id: part.weight for part in state.survey.parts if part.text in needed}
    worth = {
        item.id: max(
            (item.passage.scores.get(id, 0.0) * weight for id, weight in weights.items()),
            default=0.0,
        )
        for item in state.evidence
        if not item.dropped
    }
    kept = [item for item in state.evidence if worth.get(item.id)]
    return tuple(sorted(kept, key=lambda item: -worth[item.id])[:QUOTES])


def without(parts: Iterable[Part], gone: Collection[str], instead: str) -> list[Part]:
    """The parts but for those that ask this; what waited for one of them waits for another."""
    return [
        part.model_copy(update={"needs": tuple(instead if n in gone else n for n in part.needs)})
        for part in parts
        if part.text not in gone
    ]


def _strong(state: State, part: Part) -> bool:
    if state.verdict and part.id in state.verdict.covered:
        return True
    scores = [item.passage.scores.get(part.id, 0.0) for item in state.evidence if not item.dropped]
    return part.weight >= 1 and max(scores, default=0.0) >= KNOWN


def _points_back(ask: str, earlier: str) -> bool:
    words = {word.lower() for word in WORD.findall(ask)}
    kinds = {kind.name for kind in wanted(earlier)}
    if words & PERSON:
        return bool(kinds & PEOPLE)
    if OF_THESE.search(ask):
        return True
    noun = POINTING.search(ask)
    if noun:
        return bool(set(keywords(noun[1])) & set(keywords(earlier)))
    return bool(words & THING) and _is_thing(kinds)


def _is_thing(kinds: set[str]) -> bool:
    """Does the earlier ask look for a thing, that `it` may stand for?"""
    return bool(kinds & {"version", "code", "name", "place"}) and not kinds & PEOPLE
