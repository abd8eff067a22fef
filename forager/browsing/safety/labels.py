"""What the label of a control says that it does."""

import re
import unicodedata
from functools import cache
from typing import Final, Literal

from forager.browsing.safety import words as harmwords

Weight = Literal["change", "send", "make", "agree", "read", ""]
LISTS: Final[tuple[tuple[Weight, str], ...]] = (
    ("change", harmwords.CHANGE),
    ("send", harmwords.SEND),
    ("make", harmwords.MAKE),
    ("agree", harmwords.AGREE),
    ("read", harmwords.READ),
)
WORD: Final = re.compile(rf"[^\W_]+|[{harmwords.SIGNS}]")
HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
AND: Final = re.compile(r"\b(?:and|und|et|y|e|en|i|и|ve|och)\b")
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
    if any(sign in text for sign in harmwords.SIGNS):
        return "change"
    found = [(*span, name) for name, words in LISTS for span in _spans(words, text)]
    kept = sorted(one for one in found if not any(_within(one, other) for other in found))
    if not kept:
        return ""
    names = [name for _, _, name in kept]
    if "change" in names and (names[0] != "read" or AND.search(text)):
        return "change"
    return names[0]


def changes(text: str) -> bool:
    """Does any word in it alter something? For names in code: classes, handlers, test ids."""
    return bool(_spans(harmwords.CHANGE, folded(HUMP.sub(" ", text))))


def pictures(names: str) -> bool:
    """Is one of the icons' names that of a picture that stands for a change?"""
    return bool(_spans(harmwords.ICONS, folded(HUMP.sub(" ", names))))


def sure(text: str) -> bool:
    """Does a page ask whether something shall really be done?"""
    return bool(_spans(harmwords.SURE, folded(text)))


def leaves(label: str) -> bool:
    """Is it the label of what logs out?"""
    return folded(label) in _leaving()


def refused(text: str) -> bool:
    """Does a page say that what was sent was not taken?"""
    return bool(_spans(harmwords.REFUSED, folded(text)))


def folded(text: str) -> str:
    """The words in lower case, without accents, one space between them."""
    plain = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", text).casefold())
    bare = "".join(each for each in plain if not "\u0300" <= each <= "\u036f")
    return " ".join(WORD.findall(unicodedata.normalize("NFC", bare)))


def _within(one: tuple[int, int, Weight], other: tuple[int, int, Weight]) -> bool:
    longer = other[1] - other[0] > one[1] - one[0]
    return longer and other[0] <= one[0] and one[1] <= other[1]


def _spans(words: str, text: str) -> list[tuple[int, int]]:
    return [found.span() for found in _pattern(words).finditer(text)]


@cache
def _leaving() -> frozenset[str]:
    return frozenset(folded(each) for each in harmwords.LEAVE.split(","))


@cache
def _pattern(words: str) -> re.Pattern[str]:
    """Matches any phrase of a list, the longest first."""
    inside: list[str] = []
    apart: list[str] = []
    whole: list[str] = []
    for line in words.replace("\n ", " ").strip().splitlines():
        language, _, phrases = line.partition(": ")
        for phrase in phrases.split(","):
            kind = whole if phrase.strip()[:1] == "=" else apart
            (inside if language in harmwords.UNSPACED else kind).append(re.escape(folded(phrase)))
    parts = [
        rf"(?<!\S)(?:{'|'.join(sorted(apart, key=len, reverse=True))})(?!\S)",
        *(["|".join(sorted(inside, key=len, reverse=True))] if inside else []),
        *([rf"^(?:{'|'.join(whole)})$"] if whole else []),
    ]
    return re.compile("|".join(parts))
