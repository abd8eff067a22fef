"""Words of pages outside their content: in gates, warnings, counters and navigation."""

import re
from typing import Final

from forager.data.word_lists import ByLanguage, WordLists, match_words, read_word_lists


class PageWords(WordLists):
    """The lists of `data/pages.toml`, where each is explained."""

    captcha: ByLanguage
    walls: ByLanguage
    paywalls: ByLanguage
    login: ByLanguage
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
PAYWALL: Final = re.compile(match_words(PAGE_WORDS.paywalls), re.IGNORECASE)
WALL: Final = re.compile(f"{match_words(PAGE_WORDS.walls)}|{PAYWALL.pattern}", re.IGNORECASE)
"""How a page asks for a login, or for money, before it shows its text."""
