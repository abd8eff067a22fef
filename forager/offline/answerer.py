"""Which entries of a ledger answer a question, where no model says so, and how they are quoted."""

import re
from collections.abc import Sequence

import numpy as np

from forager.domain.state import Evidence, Part
from forager.ports import Embedder
from forager.prompts.escaping import uncited
from forager.ranking.scoring import shares
from forager.text.answer_types import things, wanted
from forager.text.blocks import BLOCK_MARK

LIKENESS_WEIGHT = 1.0
LIKENESS_SPREAD = 0.1
REPEATED_WORTH = 0.4
"""What an entry is worth that holds nothing of the kind asked beyond those chosen before."""
BETWEEN_BLOCKS = " · "
SPACE = re.compile(r"\s+")


def choose_entries(
    question: str,
    parts: Sequence[Part],
    ledger: Sequence[Evidence],
    count: int,
    embedder: Embedder,
) -> list[Evidence]:
    """At most `count` entries, weightiest first: the best for each part, then what adds most."""
    weights = {part.id: part.weight for part in parts}
    held = shares([item.passage.scores for item in ledger])
    values = [sum(weights.get(part, 0) * share for part, share in of.items()) for of in held]
    near = _question_likeness(question, ledger, embedder)
    values = [value + likeness for value, likeness in zip(values, near, strict=True)]
    holds = [_things_named(item, question, parts) for item in ledger]
    order = sorted(range(len(ledger)), key=lambda place: -values[place])
    best = [
        max(order, key=lambda place: held[place].get(part.id, 0.0))
        for part in parts
        if part.weight >= 1
    ]
    taken = list(dict.fromkeys(best))[:count]
    while len(taken) < min(count, len(order)):
        told = frozenset().union(*(holds[place] for place in taken))
        rest = [place for place in order if place not in taken]
        taken.append(max(rest, key=lambda place: values[place] * _worth_beside(holds[place], told)))
    return [ledger[place] for place in sorted(taken, key=lambda place: -values[place])]


def quote_entry(item: Evidence) -> str:
    """The entry in one line: where it stands, its words, its id."""
    passage = item.passage
    blocks = (SPACE.sub(" ", block) for block in BLOCK_MARK.sub("", passage.text).split("\n"))
    words = BETWEEN_BLOCKS.join(block.strip() for block in blocks if block.strip())
    place = dict.fromkeys(name for name in (passage.title, passage.section) if name)
    said = uncited(f"{', '.join(place)}: “{words}”")
    return f"{said} [{item.id}]"


def _question_likeness(
    question: str, ledger: Sequence[Evidence], embedder: Embedder
) -> list[float]:
    """Each entry's share of the likeness to the question as a whole."""
    if not embedder.available:
        return [0.0] * len(ledger)
    texts = [f"{item.passage.section} {item.passage.text}" for item in ledger]
    near = (embedder.embed(texts) @ embedder.embed([question]).T)[:, 0]
    likeness = np.exp((near - near.max()) / LIKENESS_SPREAD)
    return [float(share) for share in LIKENESS_WEIGHT * likeness / likeness.sum()]


def _worth_beside(things: frozenset[str], told: frozenset[str]) -> float:
    """What an entry is still worth when others have told what it holds of the things asked."""
    return REPEATED_WORTH if things and things <= told else 1.0


def _things_named(item: Evidence, question: str, parts: Sequence[Part]) -> frozenset[str]:
    kinds = tuple({kind.name: kind for part in parts for kind in wanted(part.text)}.values())
    return things(item.passage.text, kinds, question.lower())
