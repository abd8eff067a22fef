"""Words that occur in questions as such, independent of their topic."""

from typing import Final

from forager.data.word_lists import ByLanguage, WordLists, read_word_lists


class QuestionWords(WordLists):
    """The lists of `data/questions.toml`, where each is explained."""

    prepositions: ByLanguage
    question_words: ByLanguage
    auxiliaries: ByLanguage
    conjunctions: ByLanguage
    scenes: ByLanguage
    orders: ByLanguage
    openings: ByLanguage
    same_of: ByLanguage
    asking: ByLanguage
    verbs: ByLanguage


WORDS: Final = read_word_lists("questions", QuestionWords)
