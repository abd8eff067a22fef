"""Asks search providers in turn until one finds something."""

import asyncio
import logging
import re
import time
from collections.abc import Sequence

from forager.adapters.search.provider import Provider
from forager.adapters.search.result_cleaner import ResultCleaner
from forager.adapters.web.fetch.address_guard import AddressGuard
from forager.domain import urls
from forager.domain.survey import SearchResults
from forager.errors import AddressError, SearchError, StoreError

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
