"""Asks search providers in turn until one finds something, and cleans what it finds.

Only web pages are left, with canonical URLs and without duplicates.
"""

import asyncio
import html
import logging
import re
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from forager.adapters.search.provider import Provider, ResultRow
from forager.adapters.web.fetch.address_guard import AddressGuard
from forager.domain import urls
from forager.domain.survey import NOT_THE_WEB, SearchResult, SearchResults
from forager.domain.urls import same_site
from forager.errors import AddressError, SearchError, StoreError
from forager.text.tokens import tokenize
from forager.util import telemetry

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


LOG = logging.getLogger(__name__)
CONTROL_CHARACTERS = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]+")
MAX_RESULTS = 200
LONG_QUERY = 400
REST_SECONDS = 60.0
MAX_CONCURRENT = 4
"""Concurrent searches; providers reject clients that send dozens at once."""


class SearchChain:
    """A list of providers. One that fails is asked last for REST_SECONDS."""

    def __init__(self, providers: Sequence[Provider], guard: AddressGuard) -> None:
        self._providers = tuple(providers)
        self._guard = guard
        self._failed: dict[str, float] = {}
        self._turn = asyncio.Semaphore(MAX_CONCURRENT)

    async def search(self, query: str, count: int, site: str = "") -> SearchResults:
        """Find at most `count` pages, on one site if `site` is given; the result may be empty.

        Raises SearchError if all providers fail.
        """
        query = " ".join(CONTROL_CHARACTERS.sub(" ", query).split())
        if not query:
            raise SearchError("There is nothing to search for.", "Write some words.")
        root = _site_url(site)
        async with self._turn:
            return await self._search_in_turn(query, min(max(count, 1), MAX_RESULTS), root)

    async def _search_in_turn(self, query: str, count: int, root: str) -> SearchResults:
        """The results of the first provider that finds any."""
        notes: list[str] = []
        faults: list[SearchError] = []
        for provider in sorted(self._providers, key=self._is_resting):
            try:
                with telemetry.span("search", forager__provider=provider.name):
                    found = await self._ask_provider(provider, query, count, root)
            except SearchError as error:
                self._failed[provider.name] = time.monotonic()
                faults.append(error)
                notes.append(str(error))
                continue
            notes += found.notes
            if found.results:
                return SearchResults(results=found.results, notes=tuple(notes))
        if len(faults) == len(self._providers):
            raise _chain_error(faults)
        return SearchResults(notes=tuple(notes))

    async def aclose(self) -> None:
        """Close connections and files."""
        await asyncio.gather(*(provider.aclose() for provider in self._providers))

    async def _ask_provider(
        self, provider: Provider, query: str, count: int, root: str
    ) -> SearchResults:
        try:
            rows, note = await provider.find_rows(query, count, root)
        except StoreError as error:
            raise SearchError(f"{provider.name}: {error.what}", error.mend) from error
        cleaner = ResultCleaner(provider.name, root, None if provider.crawled else self._guard)
        results = cleaner.clean_rows(rows, count)
        LOG.info("searched %s: %d results", provider.name, len(results))
        LOG.debug("searched %s for %r", provider.name, query)
        notes = [cleaner.describe_left_out(), f"{provider.name}: {note}" if note else ""]
        if results and provider.crawled and not root:
            notes.append(NOT_THE_WEB)
        if not results:
            notes.append(f"{provider.name} found nothing{'' if rows else ' at all'}.")
        if not provider.crawled and len(query) > LONG_QUERY:
            notes.append(f"{provider.name} saw only the start of the query.")
        return SearchResults(results=results, notes=tuple(filter(None, notes)))

    def _is_resting(self, provider: Provider) -> bool:
        failed = self._failed.get(provider.name)
        return failed is not None and time.monotonic() - failed < REST_SECONDS


def _site_url(site: str) -> str:
    """The canonical URL of a site given with or without its scheme. Raises SearchError."""
    if not site.strip():
        return ""
    try:
        return urls.canonical_url(site if "://" in site else f"https://{site}")
    except AddressError as error:
        raise SearchError(error.what, error.mend) from error


def _chain_error(faults: Sequence[SearchError]) -> SearchError:
    if not faults:
        return SearchError("There is no search provider.", "Name one in FORAGER_SEARCH.")
    if len(faults) == 1:
        return faults[0]
    return SearchError("No provider could search.", " ".join(map(str, faults)))
