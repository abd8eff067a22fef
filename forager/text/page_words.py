"""Words of pages outside their content: in gates, warnings, counters and navigation."""

from typing import Final

from forager.data.word_lists import ByLanguage, WordLists, read_word_lists


class PageWords(WordLists):
    """The lists of `data/pages.toml`, where each is explained."""

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
