"""What earlier turns of a conversation read and learned, and which of it suits a new question."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from forager.bandit.hints import favour_hinted_arms
from forager.domain.state import Arm, Page, Turn
from forager.domain.urls import page_identity
from forager.text.tokens import keywords, tokenize

SATURATION = 1.2
LENGTH_WEIGHT = 0.75
"""The constants k1 and b of Okapi BM25 (Robertson & Zaragoza 2009)."""
CARRY_OVER_SHARE = 0.25
"""Pseudo-counts that an arm's belief keeps in the next turn, per pseudo-count of its ranking."""
CITED_BONUS = 0.1
"""Bonus of a page that an earlier answer cites, as a share of the best score."""


def pages_of_turns(past: Sequence[Turn]) -> tuple[Page, ...]:
    """The pages of all turns, newest turn first; each page once, in its latest version."""
    found: dict[str, Page] = {}
    for turn in reversed(past):
        for page in reversed(turn.pages):
            if page.blob:
                found.setdefault(page_identity(page.url), page)
    return tuple(found.values())


def carry_over_arms(
    arms: Sequence[Arm], past: Sequence[Turn], kappa: float, hints: Sequence[str] = ()
) -> tuple[Arm, ...]:
    """Add the arms of earlier turns, carry over what was learned about them, and apply hints.

    A posterior from an earlier turn counts little, since it is about another question. An arm that
    the new ranking left out gets the lowest prior and no scores.
    """
    learned = {page_identity(arm.url): arm for turn in past for arm in turn.arms}
    ranked = {page_identity(arm.url) for arm in arms}
    rest = [
        arm.model_copy(
            update={"scores": {}, "part": "", "score": 0.0, "alpha": 1.0, "beta": 1 + kappa}
        )
        for page, arm in learned.items()
        if page not in ranked
    ]
    believed = [
        _carry_over_belief(arm, learned.get(page_identity(arm.url)), kappa)
        for arm in [*arms, *rest]
    ]
    return favour_hinted_arms(believed, hints, kappa)


def _carry_over_belief(arm: Arm, before: Arm | None, kappa: float) -> Arm:
    if before is None:
        return arm
    mean = before.alpha / (before.alpha + before.beta)
    strength = CARRY_OVER_SHARE * kappa
    update = {
        "alpha": arm.alpha + strength * mean,
        "beta": arm.beta + strength * (1 - mean),
    }
    return arm.model_copy(update=update)


def cited_pages(past: Sequence[Turn]) -> set[str]:
    """The identities of the pages cited by the answers of earlier turns."""
    return {
        page_identity(item.url) for turn in past if turn.answer for item in turn.answer.citations
    }


def select_relevant_texts(
    question: str, texts: Mapping[str, str], favoured: set[str], count: int
) -> tuple[str, ...]:
    """The names of the `count` texts that match a question best by BM25, best first.

    Names in `favoured` get a small bonus. Ties keep the order of the texts.
    """
    held = {name: Counter(tokenize(text)) for name, text in texts.items()}
    lengths = {name: sum(counts.values()) for name, counts in held.items()}
    mean = sum(lengths.values()) / (len(lengths) or 1) or 1.0
    scores = dict.fromkeys(texts, 0.0)
    for term in keywords(question):
        having = sum(term in counts for counts in held.values())
        weight = math.log(1 + (len(held) - having + 0.5) / (having + 0.5))
        for name, counts in held.items():
            long = 1 - LENGTH_WEIGHT + LENGTH_WEIGHT * lengths[name] / mean
            said = counts[term]
            scores[name] += weight * said * (SATURATION + 1) / (said + SATURATION * long)
    top = max(scores.values(), default=0.0) or 1.0
    order = sorted(
        scores, key=lambda name: -(scores[name] / top + CITED_BONUS * (name in favoured))
    )
    return tuple(order[:count])
