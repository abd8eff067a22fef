"""Builds search queries by rule, from words that a page with the answer would contain."""

import re
from collections.abc import Iterable

from forager.text.languages import detect_language, stop_words

WORD = re.compile(r"[^\s?!,;()\[\]{}\"“”„«»？！，；。、（）]+")
WORD_ENDS = ".:'’"
QUOTED = re.compile(r"[\"“„«]([^\"“”„«»]{2,60})[\"”“»]|`([^`]{2,60})`")
NAMED = re.compile(
    r"(?<!^)(?<![.!?] )\b[A-Z][\w.-]*\w(?: (?:(?:of|the|de|von) )?[A-Z0-9][\w.-]*\w)*"
)
MAX_WORDS = 24
MAX_QUERY_LENGTH = 200
MAX_NAMES = 3


def build_queries(text: str, context: str = "") -> tuple[str, ...]:
    """Queries for a sub-question, best first: its words, then with context, then each name."""
    narrow = distinctive_words(text) or text.split()
    wide = [*narrow, *_new_words(distinctive_words(context), narrow)]
    tries = [" ".join(words[:MAX_WORDS]) for words in (narrow, wide)]
    tries += [f'"{name}"' for name in find_names(f"{text} {context}")]
    return tuple(dict.fromkeys(map(shorten_query, tries)))


def shorten_query(query: str) -> str:
    """A query on one line, short enough for every search engine."""
    return " ".join(query.split())[:MAX_QUERY_LENGTH].rstrip()


def distinctive_words(text: str) -> list[str]:
    """The distinct words of a text as written, without stop words."""
    stops = stop_words(detect_language(text))
    words = (word.strip(WORD_ENDS) for word in WORD.findall(text))
    return _new_words((word for word in words if word.lower() not in stops), ())


def find_names(text: str) -> tuple[str, ...]:
    """The names in a text: quoted phrases, and capitalised words inside a sentence."""
    quoted = (one or other for one, other in QUOTED.findall(text))
    stops = stop_words(detect_language(text))
    named = (_without_stop_words(found[0].split(), stops) for found in NAMED.finditer(text))
    found = dict.fromkeys(" ".join(name.split()) for name in (*quoted, *named))
    whole = (name for name in found if name and not _is_within(name, found))
    return tuple(whole)[:MAX_NAMES]


def same_query(one: str, other: str) -> bool:
    """Are two queries equal for a search engine?"""
    return one.lower().split() == other.lower().split()


def _without_stop_words(words: list[str], stops: frozenset[str]) -> str:
    """A name without leading stop words."""
    while words and words[0].lower() in stops:
        words = words[1:]
    return " ".join(words)


def _is_within(name: str, names: Iterable[str]) -> bool:
    """Is a name part of another one?"""
    return any(name in other and name != other for other in names)


def _new_words(words: Iterable[str], known: Iterable[str]) -> list[str]:
    """The distinct words that are not known, ignoring case."""
    seen = {word.lower() for word in known}
    return list(
        {word.lower(): word for word in words if word and word.lower() not in seen}.values()
    )
