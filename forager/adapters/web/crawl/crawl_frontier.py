"""Chooses the URLs that a crawl opens next and detects crawler traps; no input or output."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from forager.domain import urls

MAX_FOLDERS = 12
MAX_REPEATS = 3
MAX_PARAMETERS = 8
PATTERN_SHARE = 100
MAX_CHAIN = 50
MAX_STALE = 100
"""Pages of one group in a row that may say nothing new before the rest of it is left out."""
MAX_REPEATING = 8
"""Pages in a row, each found on the one before, that may say nothing new on the site."""
MAX_AIMLESS = 100
"""Pages in a row, each found on one that said nothing new, that may say nothing new either."""
NUMBER = re.compile(r"\d+")
NOT_WORD = re.compile(r"\W+")
DIGIT = re.compile(r"\d")


MAX_ASCII = 127


def _plain_byte(code: int) -> int:
    letter = chr(code).lower()
    if code > MAX_ASCII or letter.isalpha() or letter in "_\n":
        return ord(letter) if code <= MAX_ASCII else code
    return ord("0" if letter.isdigit() else " ")


PLAIN_BYTES = bytes(map(_plain_byte, range(256)))
"""Turns bytes of UTF-8 to lower case, digits to 0, and what belongs to no word to spaces."""


def line_keys(text: str) -> set[int]:
    """Hashes of the lines of a page by their words; numbers and order do not count.

    Most lines are ASCII, which one table turns to words at a tenth of the cost.
    """
    plain = text.encode("utf-8", "surrogatepass").translate(PLAIN_BYTES)
    lines = set(plain.decode("utf-8", "surrogatepass").split("\n"))
    return {hash(words) for line in lines if (words := _line_words(line))}


def _line_words(line: str) -> frozenset[str]:
    """The words of a line; those with a digit count as numbers."""
    if line.isascii():
        words = frozenset(line.split())
        numbered = {word for word in words if "0" in word} if "0" in line else None
    else:
        words = frozenset(NOT_WORD.sub(" ", line.casefold()).split())
        numbered = {word for word in words if DIGIT.search(word)}
    return words - numbered | {"0"} if numbered else words


@dataclass
class SeenLines:
    """The keys of the lines of the pages seen so far."""

    _seen: set[int] = field(default_factory=set)

    def add(self, keys: set[int]) -> bool:
        """Add the lines of a page; returns whether any of them is new."""
        before = len(self._seen)
        self._seen |= keys
        return len(self._seen) > before


@dataclass(frozen=True, slots=True)
class CrawlCandidate:
    """A URL to open; `chain` counts the preceding pages of the same numbered pattern.

    `repeating` counts the pages before it that said nothing new, each found on the one before.
    """

    url: str
    key: str
    pattern: str
    chain: int = 0
    repeating: int = 0

    @property
    def group(self) -> str:
        """Pages of a folder, or with the same parameters, however many there are."""
        parts = urlsplit(self.pattern)
        names = "&".join(pair.partition("=")[0] for pair in parts.query.split("&"))
        folder, _, name = parts.path.rpartition("/")
        return f"{folder}/{name if parts.query or '0' in name else '*'}?{names}"


class CrawlFrontier:
    """URLs in order of discovery, in waves.

    Pages in the root's folder come before the rest of the site. URLs that differ only in their
    numbers (calendars, sessions, filters) form a pattern; only PATTERN_SHARE URLs of a pattern
    belong to one wave, so that no pattern starves the others. A chain of MAX_CHAIN pages of one
    pattern, each linked only from the one before, is not followed further. Nor is what says nothing
    new but numbers: MAX_STALE pages of a group in a row, MAX_REPEATING of a path, or MAX_AIMLESS
    of many such paths.
    """

    def __init__(self, root: str) -> None:
        self._folder = urls.folder_url(root)
        self._seen: set[str] = set()
        self._counts: dict[str, int] = {}
        self._waves: dict[tuple[bool, int], list[CrawlCandidate]] = {}
        self._said: dict[str, SeenLines] = {}
        self._stale: dict[str, int] = {}
        self._site = SeenLines()
        self._repeating: dict[str, int] = {}
        self._aimless = 0
        self.trapped = 0

    def observe(self, candidate: CrawlCandidate, text: str) -> None:
        """Note what an opened page says; without text it says nothing new."""
        group = candidate.group
        keys = line_keys(text)
        told = self._said.setdefault(group, SeenLines()).add(keys)
        self._stale[group] = 0 if told else self._stale.get(group, 0) + 1
        repeats = not self._site.add(keys)
        self._repeating[candidate.key] = candidate.repeating + 1 if repeats else 0
        if candidate.repeating:
            self._aimless = self._aimless + 1 if repeats else 0

    def is_exhausted(self, candidate: CrawlCandidate) -> bool:
        """Do pages such as this one say nothing new any more? Then it counts as a trap."""
        aimless = candidate.repeating > 0 and self._aimless >= MAX_AIMLESS
        exhausted = aimless or self._stale.get(candidate.group, 0) >= MAX_STALE
        self.trapped += exhausted
        return exhausted

    def add(self, url: str, parent: CrawlCandidate | None = None) -> None:
        """Add a URL, unless its page was added before."""
        key = urls.page_key(url)
        if key in self._seen:
            return
        self._seen.add(key)
        pattern = NUMBER.sub("0", key)
        follows = parent is not None and parent.pattern == pattern and pattern != key
        chain = parent.chain + 1 if parent is not None and follows else 0
        repeating = self._repeating.get(parent.key, 0) if parent else 0
        if is_trap(url) or chain > MAX_CHAIN or repeating >= MAX_REPEATING:
            self.trapped += 1
            return
        count = self._counts[pattern] = self._counts.get(pattern, -1) + 1
        rank = (not url.startswith(self._folder), count // PATTERN_SHARE if pattern != key else 0)
        self._waves.setdefault(rank, []).append(CrawlCandidate(url, key, pattern, chain, repeating))

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
