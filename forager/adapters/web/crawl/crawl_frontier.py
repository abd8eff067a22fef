"""Chooses the URLs that a crawl opens next and detects crawler traps; no input or output."""

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
    """A URL to open; `chain` counts the preceding pages of the same numbered pattern."""

    url: str
    key: str
    pattern: str
    chain: int = 0


class CrawlFrontier:
    """URLs in order of discovery, in waves.

    Pages in the root's folder come before the rest of the site. URLs that differ only in their
    numbers (calendars, sessions, filters) form a pattern; only PATTERN_SHARE URLs of a pattern
    belong to one wave, so that no pattern starves the others. A chain of MAX_CHAIN pages of one
    pattern, each linked only from the one before, is not followed further.
    """

    def __init__(self, root: str) -> None:
        self._folder = urls.folder_url(root)
        self._seen: set[str] = set()
        self._counts: dict[str, int] = {}
        self._waves: dict[tuple[bool, int], list[CrawlCandidate]] = {}
        self.trapped = 0

    def add(self, url: str, parent: CrawlCandidate | None = None) -> None:
        """Add a URL, unless its page was added before."""
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

    def add_seeds(self, seeds: Iterable[str]) -> list[CrawlCandidate]:
        """Add URLs and return all that wait, whatever their rank."""
        for url in seeds:
            self.add(url)
        waves = [self._waves.pop(rank) for rank in sorted(self._waves)]
        return [candidate for wave in waves for candidate in wave]

    def has_seen(self, key: str) -> bool:
        """Was a page with this key added?"""
        return key in self._seen

    def next_wave(self) -> list[CrawlCandidate]:
        """Remove and return the URLs of the first rank that has any; empty if none is left."""
        return self._waves.pop(min(self._waves)) if self._waves else []


def is_trap(url: str) -> bool:
    """Is the path too deep or repetitive, or are there too many parameters?"""
    parts = urlsplit(url)
    folders = [name for name in parts.path.split("/") if name]
    repeats = max((folders.count(name) for name in set(folders)), default=0)
    parameters = parts.query.count("&") + 1
    return len(folders) > MAX_FOLDERS or repeats > MAX_REPEATS or parameters > MAX_PARAMETERS
