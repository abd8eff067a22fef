"""Judges by the label of a control what it does."""

import re
import unicodedata
from functools import cache, lru_cache
from typing import Final, Literal

from forager.data.word_lists import (
    UNSPACED,
    ByLanguage,
    WordLists,
    Words,
    all_words,
    match_words,
    read_word_lists,
    unspaced_words,
)
from forager.text.unicode import read_plainly, strip_invisible

KnownEffect = Literal["change", "send", "make", "agree", "read"]
LabelEffect = KnownEffect | Literal[""]
ListName = (
    KnownEffect | Literal["icons", "sure", "refused", "polite", "topics", "pointing", "titles"]
)


class HarmWords(WordLists):
    """The lists of `data/harm.toml`, where each is explained."""

    signs: Words
    change: ByLanguage
    send: ByLanguage
    make: ByLanguage
    agree: ByLanguage
    read: ByLanguage
    polite: ByLanguage
    topics: ByLanguage
    pointing: ByLanguage
    titles: ByLanguage
    joined: ByLanguage
    leave: ByLanguage
    icons: ByLanguage
    sure: ByLanguage
    refused: ByLanguage


HARM_WORDS: Final = read_word_lists("harm", HarmWords)
LABEL_EFFECTS: Final[tuple[KnownEffect, ...]] = ("change", "send", "make", "agree", "read")
WORD: Final = re.compile(rf"[^\W_]+|[{''.join(HARM_WORDS.signs)}]")
CAMEL_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
JOINING_WORD: Final = re.compile(match_words(HARM_WORDS.joined))
MIXED: Final = re.compile(r"[a-z][\u0370-\u052f]|[\u0370-\u052f][a-z]", re.IGNORECASE)
"""Letters of two scripts side by side, as in a word spelt in look-alikes."""
MAX_LABEL_WORDS: Final = 9
"""The most words of a label that is a command; longer ones are prose."""
MAX_UNSPACED_LABEL: Final = 24
VERB_LAST: Final = frozenset({"de", "ja", "ko", "nl", "sv", "tr", "zh"})
"""Languages in which a command may end with its verb (`Konto löschen`)."""
VERB_FIRST: Final = frozenset(HARM_WORDS.change) - {"ja", "ko", "tr"}
"""Languages in which a command may begin with its verb (`Delete account`)."""
UNSPACED_TITLE: Final = re.compile("|".join(unspaced_words(HARM_WORDS.titles)))
MAX_OBJECT_WORDS: Final = 2
"""The most words of the thing that a command names without pointing at it (`Delete old lamp`)."""
MAX_ENDING: Final = 2
"""The longest ending of a Japanese or Korean verb, in characters."""


@lru_cache(maxsize=65536)
def label_effect(label: str) -> LabelEffect:
    """The effect that a label announces; empty if it has no known word.

    A label with words for reading and for changing is a change, unless a word for reading comes
    first and nothing is joined to it (`Search orders`, but not `Search and delete`).
    """
    text = fold_label(label)
    if len(text.split()) > MAX_LABEL_WORDS or (" " not in text and len(text) > MAX_UNSPACED_LABEL):
        return ""
    if any(sign in text for sign in HARM_WORDS.signs):
        return "change"
    matches = [(*span, name) for name in LABEL_EFFECTS for span in _phrase_spans(name, text)]
    kept = sorted(
        one for one in matches if not any(_is_inside_longer(one, other) for other in matches)
    )
    if not kept:
        return ""
    names = [name for _, _, name in kept]
    if "change" in names and (names[0] != "read" or JOINING_WORD.search(text)):
        return "change"
    return names[0]


@lru_cache(maxsize=65536)
def commanded_change(label: str) -> str:
    """The words by which a label commands a change; empty if there are none.

    `Delete this lamp` commands, while `A second post` and `Delete statement` name a subject.
    """
    text = fold_label(label)
    if text in HARM_WORDS.signs:
        return text
    asks = "?" in label or (UNSPACED_TITLE.search(text) and " " not in text)
    if label_effect(label) != "change" or asks or _phrase_spans("topics", text):
        return ""
    start = next((end + 1 for begin, end in _phrase_spans("polite", text) if not begin), 0)
    ending = 0 if text.isascii() else MAX_ENDING
    for begin, end in _phrase_spans("change", text):
        words = text[begin:end]
        first = begin in {0, start} and words in _verbs(VERB_FIRST)
        if first and _is_title(text[end:].strip()):
            return ""
        if first or (len(text) - end <= ending and words in _verbs(VERB_LAST)):
            return words
    return ""


def _is_title(rest: str) -> bool:
    """Do the words after a verb make it the title of a text rather than a command?"""
    if any(not begin for begin, _ in _phrase_spans("pointing", rest)):
        return False
    return len(rest.split()) > MAX_OBJECT_WORDS or bool(_phrase_spans("titles", rest))


def has_change_word(text: str) -> bool:
    """Does a name in code (class, handler, test id) contain a word for a change?"""
    return bool(_phrase_spans("change", fold_label(CAMEL_HUMP.sub(" ", text))))


def has_change_icon(names: str) -> bool:
    """Do the names of icons include one that stands for a change?"""
    return bool(_phrase_spans("icons", fold_label(CAMEL_HUMP.sub(" ", names))))


def asks_to_confirm(text: str) -> bool:
    """Does the text of a page ask to confirm an action?"""
    return bool(_phrase_spans("sure", fold_label(text)))


def is_logout_label(label: str) -> bool:
    """Is it the label of a control that logs out?"""
    return fold_label(label) in _logout_labels()


def reports_rejection(text: str) -> bool:
    """Does the text of a page say that a submission was rejected?"""
    return bool(_phrase_spans("refused", fold_label(text)))


def fold_label(text: str) -> str:
    """Normalise a label: words in lower case without accents, separated by single spaces."""
    if text.isascii() and text.isprintable():  # most are, and need none of what follows
        return " ".join(WORD.findall(text.lower()))
    plain = read_plainly(text).text if MIXED.search(text) else strip_invisible(text)
    decomposed = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", plain).casefold())
    without_accents = "".join(each for each in decomposed if not "\u0300" <= each <= "\u036f")
    return " ".join(WORD.findall(unicodedata.normalize("NFC", without_accents)))


def _is_inside_longer(
    one: tuple[int, int, LabelEffect], other: tuple[int, int, LabelEffect]
) -> bool:
    longer = other[1] - other[0] > one[1] - one[0]
    return longer and other[0] <= one[0] and one[1] <= other[1]


def _phrase_spans(name: ListName, text: str) -> list[tuple[int, int]]:
    if text.isascii() and _first_words(name).isdisjoint(text.split()):
        return []
    return [found.span() for found in _phrase_pattern(name).finditer(text)]


@cache
def _logout_labels() -> frozenset[str]:
    return frozenset(map(fold_label, all_words(HARM_WORDS.leave)))


@cache
def _verbs(languages: frozenset[str]) -> frozenset[str]:
    known = {each: words for each, words in HARM_WORDS.change.items() if each in languages}
    return frozenset(map(fold_label, all_words(known)))


@cache
def _first_words(name: ListName) -> frozenset[str]:
    """The words with which the phrases of a list begin that an ASCII text may hold."""
    phrases = map(fold_label, all_words(getattr(HARM_WORDS, name)))
    return frozenset(phrase.split()[0] for phrase in phrases if phrase.isascii() and phrase)


@cache
def _phrase_pattern(name: ListName) -> re.Pattern[str]:
    """A pattern that matches any phrase of a list, longest first."""
    unspaced: list[str] = []
    words: list[str] = []
    whole_labels: list[str] = []
    lists: ByLanguage = getattr(HARM_WORDS, name)
    for language, phrases in lists.items():
        for phrase in phrases:
            kind = whole_labels if phrase[0] == "=" else words
            (unspaced if language in UNSPACED else kind).append(re.escape(fold_label(phrase)))
    parts = [
        rf"(?<!\S)(?:{'|'.join(sorted(words, key=len, reverse=True))})(?!\S)",
        *(["|".join(sorted(unspaced, key=len, reverse=True))] if unspaced else []),
        *([rf"^(?:{'|'.join(whole_labels)})$"] if whole_labels else []),
    ]
    return re.compile("|".join(parts))
