"""Words in URLs, form fields and calls that say what a request does."""

from typing import Final

from forager.data.word_lists import WordLists, Words, WordSet, read_word_lists


class CodeWords(WordLists):
    """The lists of `data/code_words.toml`, where each is explained."""

    leave: WordSet
    undo: WordSet
    acts: WordSet
    admin: WordSet
    alter: WordSet
    writes: WordSet
    reads: WordSet
    reads_joined: Words
    reads_last: WordSet
    commands: WordSet
    sure_commands: WordSet
    bags: WordSet
    telling: WordSet
    looking: WordSet
    searched: WordSet
    manuals: WordSet
    toggles: WordSet


CODE_WORDS: Final = read_word_lists("code_words", CodeWords)
