"""The language of a text: its code, its stop words, and how its words tell it.

A language is an ISO 639-1 code. Where a text does not show another one it is taken for English.
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
"""A word of prose; `--all`, `for-each-ref` and `WITH` are the words of a computer."""
SAMPLE_LENGTH: Final = 2000
"""Characters of a page that tell its language, where it does not declare one."""


class StopWords(WordLists):
    """The lists of `data/stopwords.toml`, which says what each is for."""

    function_words: ByLanguage
    asking: ByLanguage
    homographs: ByLanguage
    frequent: ByLanguage


WORDS: Final = read_word_lists("stopwords", StopWords)
FREQUENT: Final = {language: frozenset(words) for language, words in WORDS.frequent.items()}
"""Words by which German and French texts are known."""


def language_code(tag: str) -> str:
    """The code in a language tag such as `de-AT`; empty where there is none."""
    found = LANGUAGE_TAG.match(tag.strip().lower())
    if found is None:
        return ""
    return "no" if found[1] in NORWEGIAN else found[1]


def page_language(tag: str, text: str) -> str:
    """The language that a page declares, or else that its text shows."""
    return language_code(tag) or detect_language(text[:SAMPLE_LENGTH])


@cache
def stop_words(language: str) -> frozenset[str]:
    """Words that say how a question is put, not what it is about."""
    own = dict[str, tuple[str, ...]](WORDS.function_words.items())
    if language in own:
        asking = dict[str, tuple[str, ...]](WORDS.asking.items())
        return frozenset((*own[language], *asking.get(language, ())))
    known = stopwordsiso.has_lang(language)
    return frozenset(stopwordsiso.stopwords(language)) if known else frozenset()


def detect_language(text: str, otherwise: str = ENGLISH) -> str:
    """The language whose function words stand in a text, or `otherwise` where none does.

    A word counts the less, the more languages have it; English wins a tie.
    """
    scores: dict[str, float] = {}
    telling = _languages_by_word()
    for word in WORD.findall(text.lower() if text.isupper() else text):
        known = telling.get(word.lower(), ())
        for language in known:
            scores[language] = scores.get(language, 0.0) + 1 / len(known)
    if not scores:
        return otherwise
    return max(WORDS.function_words, key=lambda language: scores.get(language, 0.0))


@cache
def _languages_by_word() -> dict[str, tuple[str, ...]]:
    """The languages that have a function word; none for one that English texts have too."""
    lists = {language: frozenset(words) for language, words in WORDS.function_words.items()}
    words = frozenset[str]().union(*lists.values()) - frozenset(all_words(WORDS.homographs))
    telling: dict[str, tuple[str, ...]] = {
        word: tuple(language for language, known in lists.items() if word in known)
        for word in words
    }
    return {
        word: known
        for word, known in telling.items()
        if word not in lists[ENGLISH] or known == (ENGLISH,)
    }
