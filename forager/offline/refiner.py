"""Why a step was taken, without a model."""

import re

from forager.text.tokens import content_words, terms_of, tokenize

MAX_WORDS = 3
"""Words that a reason names."""
UNEXPLAINED = re.compile(r"^relevance \d|, by rule$|^the (?:arm drawn|page drawn for this round)$")
"""Reasons that say how a step was chosen, not why."""


def explain_step(question: str, action: str, reason: str) -> str:
    """One sentence: what the step shares with the question, or else the reason given for it."""
    if shared := _shared_words(question, action):
        return f"{action}, because it mentions {shared}."
    if reason and not UNEXPLAINED.search(reason):
        return f"{action}: {reason.rstrip('.')}."
    return f"{action}, to see whether it leads further."


def _shared_words(question: str, action: str) -> str:
    """The content words of a question that an action has too, in their order."""
    said = set(tokenize(action))
    words = content_words(question)
    shared = dict.fromkeys(word for word in words if said.intersection(terms_of(word)))
    return " and ".join(f"“{word}”" for word in list(shared)[:MAX_WORDS])
