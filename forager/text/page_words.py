"""Words of pages outside their content: in gates, warnings, counters and navigation."""

import re
from typing import Final
from urllib.parse import unquote, urlsplit

from forager.data.word_lists import ByLanguage, WordLists, all_words, match_words, read_word_lists


class PageWords(WordLists):
    """The lists of `data/pages.toml`, where each is explained."""

    captcha: ByLanguage
    walls: ByLanguage
    paywalls: ByLanguage
    login: ByLanguage
    login_names: ByLanguage
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
LOGIN_NAMES: Final = frozenset(all_words(PAGE_WORDS.login_names))
MAX_LOGIN_TEXT: Final = 1500
"""Characters of the longest page that is no more than a login."""
SEPARATORS: Final = re.compile(r"[-_ ]+")
AFFIXES: Final = re.compile(r"^(?:special:|(?:wp|users?|account|members?) )+|\.\w+$")


def leads_to_login(url: str, target: str) -> bool:
    """Does a redirect from a URL to a target ask for a login, by the names in their addresses?"""
    return _names_login(target) and not _names_login(url)


def _names_login(url: str) -> bool:
    """Is a part of the path, or the first label of the host, called as a login is?"""
    split = urlsplit(url)
    title = re.search(r"(?:^|&)title=([^&]*)", split.query)
    parts = [*unquote(split.path).split("/"), unquote(title[1]) if title else ""]
    host, *others = (split.hostname or "").split(".")
    if len(others) > 1 and host in LOGIN_NAMES:
        return True
    names = (SEPARATORS.sub(" ", part.lower()) for part in parts)
    return any(AFFIXES.sub("", name) in LOGIN_NAMES for name in names)
