"""Follow-up questions: their own words, and words taken from earlier questions."""

import re
from typing import Final, NamedTuple

from forager.data.word_lists import all_words, match_any, match_words, spaced_words, unspaced_words
from forager.questions.question_words import WORDS

OPENING: Final = re.compile(
    rf"^(?:(?:{match_any(spaced_words(WORDS.openings))})\b[\s,:]*"
    rf"|(?:{match_any(unspaced_words(WORDS.openings))})\s*)+",
    re.IGNORECASE,
)
"""Words that join a question to the one before it."""
ABOUT: Final = re.compile(rf"^(?:{match_any(all_words(WORDS.same_of))})\b|呢[?？]?$", re.IGNORECASE)
"""Phrases that ask the same about something else."""
ASKING: Final = re.compile(match_words(WORDS.asking), re.IGNORECASE)
"""Question words, verbs and particles: a question without any is elliptic."""
APART: Final = re.compile(r"\bthe (?!same |very )(?:[\w-]+ ){1,3}?ones?\b", re.IGNORECASE)
"""Phrases for a thing other than the one mentioned before, such as "the spelt one"."""
DASH: Final = "—"
"""Precedes what an elliptic question inherits from the one before it."""
MAX_ELLIPTIC_WORDS: Final = 8
"""A question without a predicate is elliptic up to this number of words."""


class Exchange(NamedTuple):
    """A question as it was understood, the context it was read with, and its answer."""

    question: str
    context: str = ""
    answer: str = ""


def without_context(question: str, context: str) -> str:
    """The question without the context that was appended to it in brackets."""
    return question.replace(f" ({context})", "", 1) if context else question


def asks_of_another(question: str) -> bool:
    """Does the question ask about another thing, which then replaces the first one?"""
    return is_elliptic(question) or APART.search(question) is not None


def own_clause(question: str) -> str:
    """The question without what it inherited from the one before it."""
    return question.partition(f" {DASH} ")[0] if is_elliptic(question) else question


def is_elliptic(question: str) -> bool:
    """Does the question name things without saying what it asks about them?"""
    text = OPENING.sub("", question.strip()).partition(f" {DASH} ")[0]
    if ABOUT.search(text):
        return True
    joined = OPENING.match(question.strip()) is not None
    return (joined or len(text.split()) <= MAX_ELLIPTIC_WORDS) and not ASKING.search(text)
