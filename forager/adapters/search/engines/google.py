"""Google Programmable Search: GET with the key and the engine's id, 10 results a page."""

from forager.adapters.search.http_provider import HttpProvider
from forager.adapters.search.provider import (
    ResultRow,
    ResultRows,
    collect_pages,
    limit_query,
    parse_rows,
    site_domain,
)
from forager.errors import SearchError

PAGE_SIZE = 10
MAX_PAGES = 10


class Google(HttpProvider):
    """https://developers.google.com/custom-search/v1/reference/rest/v1/cse/list."""

    name = "google"

    async def find_rows(self, query: str, count: int, site: str) -> ResultRows:
        """Find pages; see `Provider`. Raises SearchError."""
        within = {"siteSearch": site_domain(site), "siteSearchFilter": "i"} if site else {}
        params = {"key": self._api.key, "q": limit_query(query, "")} | within
        engine = self._settings.google_engine.strip()
        if not engine:
            raise SearchError(
                "google needs the id of a Programmable Search Engine.",
                "Set FORAGER_GOOGLE_ENGINE, or leave google out of FORAGER_SEARCH.",
            )
        params["cx"] = engine

        async def fetch_page(number: int) -> tuple[ResultRow, ...]:
            size = {"num": str(min(count, PAGE_SIZE)), "start": str(1 + number * PAGE_SIZE)}
            reply = await self._api.get("", params | size)
            found = self._api.get_list(reply, "items", needed=False)
            return parse_rows(found, "link", "title", "snippet")

        return await collect_pages(fetch_page, count, MAX_PAGES)
