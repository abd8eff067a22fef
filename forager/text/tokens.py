"""Turns words into index terms: stems, numbers, parts of identifiers, CJK bigrams.

A term is a word's English stem, whatever its language, so that any two texts can be compared. The
index of a site also has stems in the languages of its pages (`own_stem`).
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache

import Stemmer

from forager.text.languages import ENGLISH, detect_language, stop_words
from forager.text.unicode import LOWERED_DIGITS, RAISED_DIGITS

SCRIPTS = RAISED_DIGITS + LOWERED_DIGITS
WORD = re.compile(
    rf"\d+(?:[.,]\d+)*|[{SCRIPTS}]+|[^\W\d_{SCRIPTS}]+(?:[\u0300-\u036f]+[^\W\d_{SCRIPTS}]*)*"
)
"""Raised and lowered digits are words of their own: 2⁶⁴ has those of 2^64."""
COMPOUND = re.compile(
    r"(?<![\w.-])--?[a-z][\w-]*|(?<![\w-])[a-z]\w*?(?:(?:_|->|::|(?<=\w\w)\.(?=\w\w))\w+)+",
    re.ASCII | re.IGNORECASE,
)
"""Options, and words joined by an underscore, a dot, an arrow or two colons."""
CJK = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+")
CAMEL_CASE_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+")
STEMMER = Stemmer.Stemmer("english")


def tokenize(text: str) -> list[str]:
    """The index terms of a text: those of its words, then its compounds."""
    return [*word_terms(text), *compounds(text)]


def word_terms(text: str) -> list[str]:
    """The terms of the words of a text in order, including numbers and one-letter words."""
    return [term for word in WORD.findall(text) for term in terms_of(word)]


def compounds(text: str) -> list[str]:
    """The names of options, settings and functions in a text, whole and in lower case.

    Their parts are words as well: `work_mem` is also "work" and "mem".
    """
    return [name.lower() for name in COMPOUND.findall(text)]


def content_words(text: str, otherwise: str = ENGLISH) -> list[str]:
    """The words of a text as written, without the stop words of its language."""
    stops = stop_words(detect_language(text, otherwise))
    return [word for word in WORD.findall(text) if word.lower() not in stops]


def keywords(text: str, otherwise: str = ENGLISH) -> tuple[str, ...]:
    """The distinct index terms of a text, without the stop words of its language.

    `otherwise` is the language to assume if the text does not show its own.
    """
    words = content_words(text, otherwise)
    return tuple(dict.fromkeys((*_distinct_terms(words), *compounds(text))))


def search_terms(text: str) -> tuple[str, ...]:
    """The keywords of a query, or all its terms if it has only stop words."""
    return keywords(text) or tuple(dict.fromkeys(tokenize(text)))


def own_stems(text: str, languages: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """For each search term of a text, its stems in these languages, where they differ."""
    by_term = {
        terms_of(word)[0]: tuple(
            dict.fromkeys(stem for each in languages if (stem := own_stem(word, each)))
        )
        for word in content_words(text) or WORD.findall(text)
    }
    return {term: stems for term, stems in by_term.items() if stems}


@lru_cache(maxsize=200_000)
def own_stem(word: str, language: str) -> str:
    """The stem of a word in its language; empty if it equals the index term or none exists."""
    stemmer = None if language == ENGLISH or CJK.search(word) else _stemmer_for(language)
    stem = strip_accents(stemmer.stemWord(word.lower())) if stemmer else ""
    return "" if stem in terms_of(word) else stem


@cache
def _stemmer_for(language: str) -> Stemmer.Stemmer | None:
    try:
        return Stemmer.Stemmer(language)
    except KeyError:
        return None


def _distinct_terms(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(term for word in words for term in terms_of(word)))


@lru_cache(maxsize=200_000)
def terms_of(word: str) -> tuple[str, ...]:
    """The index terms of a word: its stem, and the stems of the parts of a CamelCase identifier."""
    if CJK.search(word):
        return cjk_bigrams(word)
    if word.isascii() and (word.islower() or word[0].isdigit()):
        return (STEMMER.stemWord(word),)
    humps = CAMEL_CASE_PART.findall(word) if word.isascii() else []
    pieces = [word, *humps] if len(humps) > 1 else [word]
    return tuple(dict.fromkeys(STEMMER.stemWord(strip_accents(piece)) for piece in pieces))


def strip_accents(word: str) -> str:
    """Normalise a word: lower case, compatibility forms folded, diacritics removed."""
    if word.isascii():
        return word.lower()
    split = unicodedata.normalize("NFKD", word.casefold())
    return "".join(letter for letter in split if not unicodedata.combining(letter))


def cjk_bigrams(word: str) -> tuple[str, ...]:
    """The overlapping character pairs of each Chinese or Japanese run, then the rest as words."""
    terms: list[str] = []
    for run in CJK.findall(word):
        terms += [run[i : i + 2] for i in range(len(run) - 1)] or [run]
    terms += [strip_accents(rest) for rest in CJK.split(word) if rest]
    return tuple(terms)
