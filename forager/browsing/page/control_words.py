"""The words that tell what a control is for, in the languages of most of the web."""

import re
from typing import Final

from forager.data.word_lists import ByLanguage, WordLists, all_words, read_word_lists
from forager.text.tokens import CJK, strip_accents

WORD = re.compile(r"\w+")
LITTLE: Final = 80
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


def fold(text: str) -> str:
    """A text as phrases are compared: words in lower case without diacritics."""
    return " ".join(WORD.findall(strip_accents(text)))


def _folded(lists: ByLanguage) -> frozenset[str]:
    return frozenset(map(fold, all_words(lists)))


WORDS: Final = read_word_lists("controls", ControlWords)
SEARCH: Final = _folded(WORDS.search)
APPLY: Final = SEARCH | _folded(WORDS.apply)
NEXT: Final = _folded(WORDS.next)
ONWARD: Final = frozenset({"»", "›", ">", ">>", "→"})
OPENING: Final = _folded(WORDS.opening)
REFUSING: Final = _folded(WORDS.refusing)
PASSING: Final = _folded(WORDS.passing)
NAMING: Final = _folded(WORDS.naming)
CODING: Final = _folded(WORDS.coding)
HOLDING: Final = _folded(WORDS.holding)
EQUAL: Final = _folded(WORDS.equal)
COMPARING: Final = _folded(WORDS.comparing)
SIGNS: Final = frozenset({"=", "==", "!=", "<>", ">", "<", ">=", "<=", "≥", "≤", "≠", "~"})
OTHERWISE: Final = _folded(WORDS.otherwise)
"""What other fields than those of a search ask for."""


def says(text: str, phrases: frozenset[str]) -> bool:
    """Does one of the phrases stand in a text, as words of their own?"""
    folded = fold(text)
    padded = f" {folded} "
    return any(
        phrase in folded if CJK.search(phrase) else f" {phrase} " in padded
        for phrase in phrases
        if phrase
    )


def reads(text: str, phrases: frozenset[str]) -> bool:
    """Is a text one of the phrases, whole?"""
    return fold(text) in phrases
