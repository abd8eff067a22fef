"""The words that make two statements about the same thing different ones."""

from collections.abc import Mapping
from typing import Final, Literal

from forager.data.word_lists import ByLanguage, WordLists, read_word_lists


class Qualifiers(WordLists):
    """The lists of `data/qualifiers.toml`, which says what each is for."""

    conditions: ByLanguage
    variants: ByLanguage
    asked: Mapping[Literal["default", "most", "least", "average", "standard"], ByLanguage]


WORDS: Final = read_word_lists("qualifiers", Qualifiers)
