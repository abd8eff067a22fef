"""Which address a crawl opens next, and where it suspects a trap; pure."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from forager.domain import urls

MAX_FOLDERS = 12
MAX_REPEATS = 3
MAX_PARAMETERS = 8
PATTERN_SHARE = 100
MAX_CHAIN = 50
NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class CrawlCandidate:
    """An address to open; `chain` counts the pages of its numbered pattern that led to it."""

    url: str
    key: str
    pattern: str
    chain: int = 0


class CrawlFrontier:
    """Addresses in the order of their discovery, a wave at a time.

    Pages in the root's folder come before the rest of the site. Of a pattern that differs in its
    numbers alone (calendars, sessions, filters) SHARE addresses go before all that follow, so that
    no pattern starves the others; a chain of MAX_CHAIN such pages, each known only from the one
    before, is not followed further.
    """

    def __init__(self, root: str) -> None:
        self._folder = urls.folder_url(root)
        self._seen: set[str] = set()
        self._counts: dict[str, int] = {}
        self._waves: dict[tuple[bool, int], list[CrawlCandidate]] = {}
        self.trapped = 0

    def add(self, url: str, parent: CrawlCandidate | None = None) -> None:
        """Take in one address, once."""
        key = urls.page_key(url)
        if key in self._seen:
            return
        self._seen.add(key)
        pattern = NUMBER.sub("0", key)
        follows = parent is not None and parent.pattern == pattern and pattern != key
        chain = parent.chain + 1 if parent is not None and follows else 0
        if is_trap(url) or chain > MAX_CHAIN:
            self.trapped += 1
            return
        count = self._counts[pattern] = self._counts.get(pattern, -1) + 1
        rank = (not url.startswith(self._folder), count // PATTERN_SHARE if pattern != key else 0)
        self._waves.setdefault(rank, []).append(CrawlCandidate(url, key, pattern, chain))

    def add_seeds(self, wanted: Iterable[str]) -> list[CrawlCandidate]:
        """Take in addresses that are wanted now, whatever their rank."""
        for url in wanted:
            self.add(url)
        waves = [self._waves.pop(rank) for rank in sorted(self._waves)]
        return [candidate for wave in waves for candidate in wave]

    def has_seen(self, key: str) -> bool:
        """Was a page of this identity taken in?"""
        return key in self._seen

    def next_wave(self) -> list[CrawlCandidate]:
        """All addresses of the first rank that has any; empty when there are none left."""
        return self._waves.pop(min(self._waves)) if self._waves else []


def is_trap(url: str) -> bool:
    """Too deep, one folder again and again, or a heap of parameters."""
    parts = urlsplit(url)
    folders = [name for name in parts.path.split("/") if name]
    repeats = max((folders.count(name) for name in set(folders)), default=0)
    parameters = parts.query.count("&") + 1
    return len(folders) > MAX_FOLDERS or repeats > MAX_REPEATS or parameters > MAX_PARAMETERS
