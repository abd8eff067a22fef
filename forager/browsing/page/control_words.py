"""Words that tell what a control is for, in the most common languages of the web."""

import re
from typing import Final

from forager.data.word_lists import ByLanguage, WordLists, all_words, read_word_lists
from forager.text.tokens import CJK, strip_accents

WORD = re.compile(r"\w+")
MAX_INTERSTITIAL_WORDS: Final = 80
"""A page with at most this many words is an interstitial, shown before the actual page."""


class ControlWords(WordLists):
    """The lists of `data/controls.toml`, where each is explained."""

    search: ByLanguage
    apply: ByLanguage
    next: ByLanguage
    opening: ByLanguage
    refusing: ByLanguage
    passing: ByLanguage
    naming: ByLanguage
    coding: ByLanguage
    holding: ByLanguage
    equal: ByLanguage
    comparing: ByLanguage
    otherwise: ByLanguage


def fold_phrase(text: str) -> str:
    """Normalise a text for comparison with phrases: words in lower case, without diacritics."""
    return " ".join(WORD.findall(strip_accents(text)))


def _fold_phrases(lists: ByLanguage) -> frozenset[str]:
    return frozenset(map(fold_phrase, all_words(lists)))


CONTROL_WORDS: Final = read_word_lists("controls", ControlWords)
SEARCH: Final = _fold_phrases(CONTROL_WORDS.search)
APPLY: Final = SEARCH | _fold_phrases(CONTROL_WORDS.apply)
NEXT: Final = _fold_phrases(CONTROL_WORDS.next)
NEXT_SIGNS: Final = frozenset({"»", "›", ">", ">>", "→"})
EXPAND: Final = _fold_phrases(CONTROL_WORDS.opening)
REFUSE_CONSENT: Final = _fold_phrases(CONTROL_WORDS.refusing)
CONTINUE: Final = _fold_phrases(CONTROL_WORDS.passing)
NAME_FIELD: Final = _fold_phrases(CONTROL_WORDS.naming)
CODE_FIELD: Final = _fold_phrases(CONTROL_WORDS.coding)
CONTAINS: Final = _fold_phrases(CONTROL_WORDS.holding)
EQUALS: Final = _fold_phrases(CONTROL_WORDS.equal)
COMPARES: Final = _fold_phrases(CONTROL_WORDS.comparing)
COMPARISON_SIGNS: Final = frozenset(
    {"=", "==", "!=", "<>", ">", "<", ">=", "<=", "≥", "≤", "≠", "~"}
)
NOT_SEARCH: Final = _fold_phrases(CONTROL_WORDS.otherwise)
"""What fields ask for that are not search fields."""


def contains_phrase(text: str, phrases: frozenset[str]) -> bool:
    """Does the text contain one of the folded phrases as whole words?"""
    folded = fold_phrase(text)
    padded = f" {folded} "
    return any(
        phrase in folded if CJK.search(phrase) else f" {phrase} " in padded
        for phrase in phrases
        if phrase
    )


def is_phrase(text: str, phrases: frozenset[str]) -> bool:
    """Is the whole text one of the folded phrases?"""
    return fold_phrase(text) in phrases
