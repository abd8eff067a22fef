"""The Search port of a run: a site's crawled pages where one is named, else the web."""

from forager.adapters.search.provider_registry import SITES, open_search_chain
from forager.domain.survey import SearchResults
from forager.ports import Blobs
from forager.settings import Settings


class SearchAdapter:
    """Opens no file and no connection before it is asked.

    What was crawled comes last, behind the providers of the settings; of a named site it comes
    alone, unless somebody chose providers. Then nothing falls through, and there is no note.
    """

    def __init__(self, settings: Settings, blobs: Blobs) -> None:
        """Raises UsageError for a provider that there is not."""
        self._chosen = settings.search if "search" in settings.model_fields_set else ()
        self._of_site = open_search_chain(settings, blobs, (*self._chosen, SITES))
        self._of_web = open_search_chain(settings, blobs, (*settings.search, SITES))

    async def search(self, query: str, count: int, site: str = "") -> SearchResults:
        """At most `count` pages, of one site if it is named. Raises SearchError."""
        searches = self._of_site if site else self._of_web
        found = await searches.search(query, count, site)
        return SearchResults(results=found.results) if site and not self._chosen else found

    async def aclose(self) -> None:
        """Close connections and files."""
        await self._of_site.aclose()
        await self._of_web.aclose()
