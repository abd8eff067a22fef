"""Words that make two statements about the same thing different, such as conditions."""

from typing import Final

from forager.data.word_lists import ByLanguage, WordLists, read_word_lists


class Qualifiers(WordLists):
    """The lists of `data/qualifiers.toml`, where each is explained."""

    conditions: ByLanguage
    variants: ByLanguage


WORDS: Final = read_word_lists("qualifiers", Qualifiers)
