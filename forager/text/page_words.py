"""The words of pages beside their content: what bars the way, warns, counts or leads around."""

from typing import Final

from forager.data.word_lists import ByLanguage, WordLists, read_word_lists


class PageWords(WordLists):
    """The lists of `data/pages.toml`, which says what each is for."""

    captcha: ByLanguage
    trouble: ByLanguage
    cookies: ByLanguage
    agreeing: ByLanguage
    chrome_headings: ByLanguage
    menu: ByLanguage
    turning: ByLanguage
    now: ByLanguage
    counted: ByLanguage
    own: ByLanguage


PAGE_WORDS: Final = read_word_lists("pages", PageWords)
