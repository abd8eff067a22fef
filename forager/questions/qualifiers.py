"""Words that make two statements about the same thing different, such as conditions."""

from collections.abc import Mapping
from typing import Final, Literal

from forager.data.word_lists import ByLanguage, WordLists, read_word_lists


class Qualifiers(WordLists):
    """The lists of `data/qualifiers.toml`, where each is explained."""

    conditions: ByLanguage
    variants: ByLanguage
    asked: Mapping[Literal["default", "most", "least", "average", "standard"], ByLanguage]


WORDS: Final = read_word_lists("qualifiers", Qualifiers)
