"""The Search port of a run: searches the web, or the crawled pages of a site."""

from forager.adapters.search.provider_registry import SITES, open_search_chain
from forager.domain.survey import SearchResults
from forager.ports import Blobs
from forager.settings import Settings


class SearchAdapter:
    """Searches with the providers of the settings, then the crawled pages.

    A search on one site uses only the crawled pages, without notes, unless the user chose
    providers. Files and connections open on first use.
    """

    def __init__(self, settings: Settings, blobs: Blobs) -> None:
        """Raises UsageError for an unknown provider."""
        self._chosen = settings.search if "search" in settings.model_fields_set else ()
        self._of_site = open_search_chain(settings, blobs, (*self._chosen, SITES))
        self._of_web = open_search_chain(settings, blobs, (*settings.search, SITES))

    async def search(self, query: str, count: int, site: str = "") -> SearchResults:
        """Find at most `count` pages, on one site if `site` is given. Raises SearchError."""
        searches = self._of_site if site else self._of_web
        results = await searches.search(query, count, site)
        return SearchResults(results=results.results) if site and not self._chosen else results

    async def aclose(self) -> None:
        """Close connections and files."""
        await self._of_site.aclose()
        await self._of_web.aclose()
