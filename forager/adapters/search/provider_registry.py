"""The search providers by name, and the Search port of a run, which asks them."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from forager.adapters.search.engines.brave import Brave
from forager.adapters.search.engines.duckduckgo import DuckDuckGo
from forager.adapters.search.engines.google import Google
from forager.adapters.search.engines.searxng import SearXNG
from forager.adapters.search.engines.serper import Serper
from forager.adapters.search.engines.tavily import Tavily
from forager.adapters.search.page_index import CrawledPages
from forager.adapters.search.provider import Provider
from forager.adapters.search.search_chain import SearchChain
from forager.adapters.web.fetch.address_guard import AddressGuard
from forager.domain.survey import SearchResults
from forager.errors import UsageError
from forager.ports import Blobs
from forager.settings import Settings
from forager.util.suggest import did_you_mean

SITES = "sites"
WEB_PROVIDERS: Mapping[str, Callable[[Settings], Provider]] = MappingProxyType(
    {
        "duckduckgo": DuckDuckGo,
        "searxng": SearXNG,
        "tavily": Tavily,
        "serper": Serper,
        "brave": Brave,
        "google": Google,
    }
)


NEEDED_SETTINGS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "searxng": ("searxng_url",),
        "tavily": ("tavily_key",),
        "serper": ("serper_key",),
        "brave": ("brave_key",),
        "google": ("google_key", "google_engine"),
    }
)
"""The settings that a provider requires."""


def missing_settings(settings: Settings) -> list[str]:
    """The settings that the chosen providers require but that are not set."""
    needed = (name for provider in settings.search for name in NEEDED_SETTINGS.get(provider, ()))
    return [name for name in needed if not getattr(settings, name)]


def open_search_chain(settings: Settings, blobs: Blobs, names: Sequence[str] = ()) -> SearchChain:
    """Open the named providers, or those of the settings, in order. Raises UsageError."""
    chosen = [
        _open_provider(name, settings, blobs) for name in dict.fromkeys(names or settings.search)
    ]
    return SearchChain(chosen, AddressGuard(settings.allow_private))


def _open_provider(name: str, settings: Settings, blobs: Blobs) -> Provider:
    if name == SITES:
        return CrawledPages(settings, blobs)
    if name not in WEB_PROVIDERS:
        raise UsageError(
            f"There is no search provider {name!r}.", did_you_mean(name, [*WEB_PROVIDERS, SITES])
        )
    return WEB_PROVIDERS[name](settings)


class SearchAdapter:
    """Searches with the providers of the settings, then the crawled pages.

    A search on one site uses only the crawled pages, without notes, unless the user chose
    providers. Files and connections open on first use.
    """

    def __init__(self, settings: Settings, blobs: Blobs) -> None:
        self._settings = settings
        self._blobs = blobs
        self._chosen = settings.search if "search" in settings.model_fields_set else ()
        self._chains: dict[tuple[str, ...], SearchChain] = {}

    async def search(self, query: str, count: int, site: str = "") -> SearchResults:
        """Find at most `count` pages, on one site if `site` is given. Raises SearchError."""
        chain = self._chain_of(self._chosen if site else self._settings.search)
        results = await chain.search(query, count, site)
        return SearchResults(results=results.results) if site and not self._chosen else results

    def _chain_of(self, names: tuple[str, ...]) -> SearchChain:
        """The chain of these providers, then the crawled pages; opened once."""
        if names not in self._chains:
            self._chains[names] = open_search_chain(self._settings, self._blobs, (*names, SITES))
        return self._chains[names]

    async def aclose(self) -> None:
        """Close connections and files."""
        for chain in self._chains.values():
            await chain.aclose()
