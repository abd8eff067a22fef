"""Cleans search results: only web pages, with canonical URLs and without duplicates."""

import html
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from forager.adapters.search.provider import ResultRow
from forager.adapters.web.fetch.address_guard import AddressGuard
from forager.domain import urls
from forager.domain.survey import SearchResult
from forager.domain.urls import same_site
from forager.errors import AddressError
from forager.text.tokens import tokenize

NO_ADDRESS = "without a web address"
PRIVATE_ADDRESS = "with a private address"
OTHER_SITE = "of another site"
NO_PAGE = "that are files, not pages"
DUPLICATE = "that repeat other results"

HIGHLIGHT_TAGS = re.compile(r"</?(?:b|br|em|i|mark|span|strong)\b[^<>]{0,100}>", re.I)
INVISIBLE = re.compile("[\x00-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069]+")
MAX_TITLE = 300
MAX_SNIPPET = 600
ALIKE_SHARE = 0.9
"""The share of common words from which two snippets count as the same."""
MIN_SNIPPET_WORDS = 6
"""Shorter snippets are not compared."""


@dataclass
class ResultCleaner:
    """Cleans the rows of one provider and counts what it leaves out, by reason."""

    source: str
    site: str
    guard: AddressGuard | None
    """Refuses private addresses; None if the pages were fetched before."""
    left_out: Counter[str] = field(default_factory=Counter)
    _known: set[str] = field(default_factory=set)
    _snippets: dict[tuple[str, ...], list[Counter[str]]] = field(default_factory=dict)

    def clean_rows(self, rows: Iterable[ResultRow], count: int) -> tuple[SearchResult, ...]:
        """Turn rows into at most `count` results, ranked from 1."""
        kept: list[SearchResult] = []
        for row in rows:
            if len(kept) == count:
                break
            title, snippet = (
                to_plain_text(row.title)[:MAX_TITLE],
                to_plain_text(row.snippet)[:MAX_SNIPPET],
            )
            url, fault = self._check_address(row.url)
            fault = fault or (DUPLICATE if self._is_duplicate(url, title, snippet) else "")
            if fault:
                self.left_out[fault] += 1
                continue
            rank = len(kept) + 1
            kept.append(
                SearchResult(url=url, title=title, snippet=snippet, rank=rank, source=self.source)
            )
        return tuple(kept)

    def describe_left_out(self) -> str:
        """Describe what was left out; empty if nothing was."""
        if not self.left_out:
            return ""
        counts = ", ".join(f"{count} {why}" for why, count in self.left_out.most_common())
        mend = (
            " If you trust them, allow them with --allow-private."
            if self.left_out[PRIVATE_ADDRESS]
            else ""
        )
        return f"{self.source}: results were left out: {counts}.{mend}"

    def _check_address(self, address: str) -> tuple[str, str]:
        """Return the canonical URL and the reason to leave it out, if any."""
        try:
            url = urls.canonical_url(address)
        except AddressError:
            return "", NO_ADDRESS
        if self.site and not same_site(self.site, url):
            return url, OTHER_SITE
        if self.guard and self.guard.refuses_url(url):
            return url, PRIVATE_ADDRESS
        return url, "" if urls.looks_like_page(url) else NO_PAGE

    def _is_duplicate(self, url: str, title: str, snippet: str) -> bool:
        """Is there an earlier result with the same page key or, on a mirror, the same text?"""
        known = urls.page_key(url).partition("://")[2].removeprefix("www.")
        if known in self._known:
            return True
        self._known.add(known)
        words = Counter(tokenize(snippet))
        if words.total() < MIN_SNIPPET_WORDS:
            return False
        same_title = self._snippets.setdefault(tuple(tokenize(title)), [])
        if any(_are_alike(words, other) for other in same_title):
            return True
        same_title.append(words)
        return False


def to_plain_text(text: str) -> str:
    """Make one line of plain text, without the tags that highlight search terms."""
    return " ".join(INVISIBLE.sub(" ", html.unescape(HIGHLIGHT_TAGS.sub("", text))).split())


def _are_alike(one: Counter[str], other: Counter[str]) -> bool:
    """Have two snippets nearly the same words and exactly the same numbers?"""
    if _find_numbers(one) != _find_numbers(other):
        return False
    return (one & other).total() >= ALIKE_SHARE * (one | other).total()


def _find_numbers(words: Counter[str]) -> set[str]:
    return {word for word in words if any(letter.isdigit() for letter in word)}
