"""What the label of a control says that it does."""

import re
import unicodedata
from functools import cache
from typing import Final, Literal

from forager.data.word_lists import (
    UNSPACED,
    ByLanguage,
    WordLists,
    Words,
    all_words,
    match_words,
    read_word_lists,
)

Heavy = Literal["change", "send", "make", "agree", "read"]
Weight = Heavy | Literal[""]
ListName = Heavy | Literal["icons", "sure", "refused"]


class HarmWords(WordLists):
    """The lists of `data/harm.toml`, which says what each is for."""

    signs: Words
    change: ByLanguage
    send: ByLanguage
    make: ByLanguage
    agree: ByLanguage
    read: ByLanguage
    joined: ByLanguage
    leave: ByLanguage
    icons: ByLanguage
    sure: ByLanguage
    refused: ByLanguage


WORDS: Final = read_word_lists("harm", HarmWords)
WEIGHTS: Final[tuple[Heavy, ...]] = ("change", "send", "make", "agree", "read")
WORD: Final = re.compile(rf"[^\W_]+|[{''.join(WORDS.signs)}]")
HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
AND: Final = re.compile(match_words(WORDS.joined))
LONGEST: Final = 9
"""Words of a label that is still a command; what is longer tells a story."""
LONGEST_UNSPACED: Final = 24


@cache
def weight(label: str) -> Weight:
    """How heavy a label is; empty where it says nothing that is known.

    Where a label both looks and changes, it changes, unless looking comes first and nothing is
    added to it (`Search orders`, but `Search and delete`).
    """
    text = folded(label)
    if len(text.split()) > LONGEST or (" " not in text and len(text) > LONGEST_UNSPACED):
        return ""
    if any(sign in text for sign in WORDS.signs):
        return "change"
    found = [(*span, name) for name in WEIGHTS for span in _spans(name, text)]
    kept = sorted(one for one in found if not any(_within(one, other) for other in found))
    if not kept:
        return ""
    names = [name for _, _, name in kept]
    if "change" in names and (names[0] != "read" or AND.search(text)):
        return "change"
    return names[0]


def changes(text: str) -> bool:
    """Does any word in it alter something? For names in code: classes, handlers, test ids."""
    return bool(_spans("change", folded(HUMP.sub(" ", text))))


def pictures(names: str) -> bool:
    """Is one of the icons' names that of a picture that stands for a change?"""
    return bool(_spans("icons", folded(HUMP.sub(" ", names))))


def sure(text: str) -> bool:
    """Does a page ask whether something shall really be done?"""
    return bool(_spans("sure", folded(text)))


def leaves(label: str) -> bool:
    """Is it the label of what logs out?"""
    return folded(label) in _leaving()


def refused(text: str) -> bool:
    """Does a page say that what was sent was not taken?"""
    return bool(_spans("refused", folded(text)))


def folded(text: str) -> str:
    """The words in lower case, without accents, one space between them."""
    plain = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", text).casefold())
    bare = "".join(each for each in plain if not "\u0300" <= each <= "\u036f")
    return " ".join(WORD.findall(unicodedata.normalize("NFC", bare)))


def _within(one: tuple[int, int, Weight], other: tuple[int, int, Weight]) -> bool:
    longer = other[1] - other[0] > one[1] - one[0]
    return longer and other[0] <= one[0] and one[1] <= other[1]


def _spans(name: ListName, text: str) -> list[tuple[int, int]]:
    return [found.span() for found in _pattern(name).finditer(text)]


@cache
def _leaving() -> frozenset[str]:
    return frozenset(map(folded, all_words(WORDS.leave)))


@cache
def _pattern(name: ListName) -> re.Pattern[str]:
    """Matches any phrase of a list, the longest first."""
    inside: list[str] = []
    apart: list[str] = []
    whole: list[str] = []
    lists: ByLanguage = getattr(WORDS, name)
    for language, phrases in lists.items():
        for phrase in phrases:
            kind = whole if phrase[0] == "=" else apart
            (inside if language in UNSPACED else kind).append(re.escape(folded(phrase)))
    parts = [
        rf"(?<!\S)(?:{'|'.join(sorted(apart, key=len, reverse=True))})(?!\S)",
        *(["|".join(sorted(inside, key=len, reverse=True))] if inside else []),
        *([rf"^(?:{'|'.join(whole)})$"] if whole else []),
    ]
    return re.compile("|".join(parts))
