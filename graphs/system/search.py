"""Searching the web without a session."""

from collections.abc import Sequence
from contextlib import aclosing

from forager.adapters.search.provider_registry import SITES, open_search_chain
from forager.adapters.store.blob_store import open_blob_store
from forager.domain.survey import SearchResults
from forager.settings import Settings


def provider_order(settings: Settings, site: str) -> tuple[str, ...]:
    """The providers in the order of asking: for a named site its crawled pages come first."""
    return tuple(dict.fromkeys((*([SITES] if site else []), *settings.search)))


async def search_web(
    settings: Settings, query: str, count: int, site: str = "", providers: Sequence[str] = ()
) -> SearchResults:
    """At most `count` results, from the named providers or else those of the settings.

    Raises SearchError, UsageError and StoreError.
    """
    with open_blob_store(settings) as blobs:
        searches = open_search_chain(settings, blobs, providers or provider_order(settings, site))
        async with aclosing(searches):
            return await searches.search(query, count, site)
