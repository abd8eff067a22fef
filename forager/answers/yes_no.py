"""Does a sentence answer a question with Yes or with No?

A logistic regression over the words of both; its weights are fitted by `bench.ranker.yes_no`.
"""

import math
import re
from collections.abc import Mapping
from typing import Final

from forager.answers.likelihood import SignWeights, read_sign_weights
from forager.text.sentences import Span
from forager.text.tokens import keywords, tokenize

ASKS: Final = re.compile(
    r"(?:^|[,:;?] ?)"
    r"(do|does|did|can|could|is|are|was|were|will|would|may|must|should|has|have)\b",
    re.IGNORECASE,
)
NEGATION: Final = re.compile(r"\b(?:not|no|never|cannot|neither|nor)\b|\w+n['’]t\b", re.IGNORECASE)
SAID: Final[Mapping[str, re.Pattern[str]]] = {
    name: re.compile(pattern, re.IGNORECASE)
    for name, pattern in {
        "negation": NEGATION.pattern,
        "demand": r"\bonly\b|\bmust\b|\brequires?\b|\bneed",
        "condition": r"\bunless\b|\bexcept\b|\bif\b|\bwhen\b",
        "contrast": r"\bhowever\b|\bbut\b|\binstead\b|\balthough\b",
        "permission": r"\bcan\b|\bmay\b|\bpossible\b|\ballow|\bable\b|\bsupport",
        "generality": r"\bwill\b|\bautomatic|\balways\b|\balso\b|\beven\b|\bany\b|\bboth\b",
        "refusal": r"\b(?:un|in|im|dis)[a-z]{4,}|\bwithout\b|\bfail|\bignore|\brefuse|\breject|"
        r"\bdeprecated|\bremoved|\bobsolete|\bforbid|\bprevent|\blacks?\b|\brather than\b",
    }.items()
}
"""Words of the sentence."""
ASKED_FOR: Final[Mapping[str, re.Pattern[str]]] = {
    name: re.compile(pattern, re.IGNORECASE)
    for name, pattern in {
        "need": r"\bneed|\bhave to\b|\bmust\b",
        "any": r"\bany\b",
        "only": r"\bonly\b",
        "same": r"\bsame\b",
        "without": r"\bwithout\b",
    }.items()
}
"""Words of the question."""
MOST_NEGATIONS = 3
MIN_SHARE = 0.15
"""The share of the question's words that a sentence must have to be about the same thing."""


WEIGHTS: Final = read_sign_weights("yes_no")
"""Of Yes; the negative ones speak for No."""


def asks_yes_or_no(question: str) -> bool:
    """Does a question, or a part of it, want a Yes or a No?"""
    return ASKS.search(question) is not None


def answer_yes_or_no(
    question: str, sentence: str, weights: SignWeights = WEIGHTS
) -> tuple[str, Span] | None:
    """`Yes` or `No` and the words that say so; None if neither is likely enough.

    A question that is negated is not answered so: to the same fact some say Yes and some say No.
    """
    signs = find_signs(question, sentence)
    if NEGATION.search(question) or signs["share"] < MIN_SHARE:
        return None
    log_odds = weights.log_odds(signs)
    if abs(log_odds) < weights.least:
        return None
    answer, word = ("Yes", "permission") if log_odds > 0 else ("No", "negation")
    found = SAID[word].search(sentence)
    return answer, found.span() if found else (0, len(sentence))


def find_signs(question: str, sentence: str) -> dict[str, float]:
    """The size of the signs of a question and a sentence."""
    terms = set(keywords(question))
    share = len(terms & set(tokenize(sentence))) / (len(terms) or 1)
    negations = len(NEGATION.findall(sentence))
    said = {name for name, pattern in SAID.items() if pattern.search(sentence)}
    asked = {name for name, pattern in ASKED_FOR.items() if pattern.search(question)}
    verbs = {found[1].lower() for found in ASKS.finditer(question)}
    present = (
        *(f"says {name}" for name in sorted(said)),
        *(f"asks {name}" for name in sorted(asked | verbs)),
    )
    return {
        "bias": 1.0,
        "share": share,
        "share if negated": share if negations else 0.0,
        "negations": min(negations, MOST_NEGATIONS) / MOST_NEGATIONS,
        "length": math.log1p(len(sentence) / 200),
        **dict.fromkeys(present, 1.0),
    }
