"""Languages: codes, stop words, and detection by function words.

A language is an ISO 639-1 code. English is assumed if a text does not show another language.
"""

import re
from functools import cache
from typing import Final

import stopwordsiso

from forager.data.word_lists import ByLanguage, WordLists, all_words, read_word_lists

ENGLISH: Final = "en"
LANGUAGE_TAG: Final = re.compile(r"([a-z]{2})(?![a-z])")
NORWEGIAN: Final = frozenset({"nb", "nn"})
WORD: Final = re.compile(r"(?<![\w.\-/\\@#$])(?![A-Z]{2})[^\W\d_]+(?![\w/\\@#]|[.-]\w)")
"""A word of prose, as opposed to code such as `--all`, `for-each-ref` or `WITH`."""
SAMPLE_LENGTH: Final = 2000
"""How many characters of a page are examined if it declares no language."""


class StopWords(WordLists):
    """The lists of `data/stopwords.toml`, where each is explained."""

    function_words: ByLanguage
    asking: ByLanguage
    homographs: ByLanguage
    frequent: ByLanguage


WORDS: Final = read_word_lists("stopwords", StopWords)
FREQUENT: Final = {language: frozenset(words) for language, words in WORDS.frequent.items()}
"""Frequent words by which German and French texts are recognized."""


def language_code(tag: str) -> str:
    """The language code of a tag such as `de-AT`; empty if there is none."""
    found = LANGUAGE_TAG.match(tag.strip().lower())
    if found is None:
        return ""
    return "no" if found[1] in NORWEGIAN else found[1]


def page_language(tag: str, text: str) -> str:
    """The language that a page declares, else the one detected in its text."""
    return language_code(tag) or detect_language(text[:SAMPLE_LENGTH])


@cache
def stop_words(language: str) -> frozenset[str]:
    """Words of a language that do not tell what a question is about."""
    own = dict[str, tuple[str, ...]](WORDS.function_words.items())
    if language in own:
        asking = dict[str, tuple[str, ...]](WORDS.asking.items())
        return frozenset((*own[language], *asking.get(language, ())))
    known = stopwordsiso.has_lang(language)
    return frozenset(stopwordsiso.stopwords(language)) if known else frozenset()


def detect_language(text: str, otherwise: str = ENGLISH) -> str:
    """Detect the language by function words; `otherwise` if the text has none.

    A word counts less the more languages share it; English wins a tie.
    """
    scores: dict[str, float] = {}
    languages_by_word = _languages_by_word()
    for word in WORD.findall(text.lower() if text.isupper() else text):
        languages = languages_by_word.get(word.lower(), ())
        for language in languages:
            scores[language] = scores.get(language, 0.0) + 1 / len(languages)
    if not scores:
        return otherwise
    return max(WORDS.function_words, key=lambda language: scores.get(language, 0.0))


@cache
def _languages_by_word() -> dict[str, tuple[str, ...]]:
    """The languages of each function word, without words that English texts use too."""
    lists = {language: frozenset(words) for language, words in WORDS.function_words.items()}
    words = frozenset[str]().union(*lists.values()) - frozenset(all_words(WORDS.homographs))
    languages: dict[str, tuple[str, ...]] = {
        word: tuple(language for language, known in lists.items() if word in known)
        for word in words
    }
    return {
        word: known
        for word, known in languages.items()
        if word not in lists[ENGLISH] or known == (ENGLISH,)
    }
