"""The words that tell what a control is for, in the languages of most of the web."""

import re
from typing import Final

from forager.data.word_lists import ByLanguage, WordLists, all_words, read_word_lists
from forager.text.tokens import CJK, strip_accents

WORD = re.compile(r"\w+")
MAX_INTERSTITIAL_WORDS: Final = 80
"""Words of a page that shows nothing but what stands between."""


class ControlWords(WordLists):
    """The lists of `data/controls.toml`, which says what each is for."""

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
    """A text as phrases are compared: words in lower case without diacritics."""
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
"""What other fields than those of a search ask for."""


def contains_phrase(text: str, phrases: frozenset[str]) -> bool:
    """Does one of the phrases stand in a text, as words of their own?"""
    folded = fold_phrase(text)
    padded = f" {folded} "
    return any(
        phrase in folded if CJK.search(phrase) else f" {phrase} " in padded
        for phrase in phrases
        if phrase
    )


def is_phrase(text: str, phrases: frozenset[str]) -> bool:
    """Is a text one of the phrases, whole?"""
    return fold_phrase(text) in phrases
