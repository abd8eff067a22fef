"""The Brave Search API: GET /web/search with a key in a header, 20 results a page."""

from forager.adapters.search.http_provider import HttpProvider
from forager.adapters.search.provider import (
    ResultRow,
    ResultRows,
    collect_pages,
    limit_query,
    parse_rows,
)

PAGE_SIZE = 20
MAX_PAGES = 10


class Brave(HttpProvider):
    """https://api-dashboard.search.brave.com/app/documentation/web-search."""

    name = "brave"

    async def find_rows(self, query: str, count: int, site: str) -> ResultRows:
        """Find pages; see `Provider`. Raises SearchError."""
        headers = {"X-Subscription-Token": self._api.key}

        async def fetch_page(number: int) -> tuple[ResultRow, ...]:
            params = {
                "q": limit_query(query, site),
                "count": str(min(count, PAGE_SIZE)),
                "offset": str(number),
                "result_filter": "web",
                "text_decorations": "false",
            }
            reply = await self._api.get("/web/search", params, headers)
            found = self._api.get_list(reply, "web", "results", needed=False)
            return parse_rows(found, "url", "title", "description")

        return await collect_pages(fetch_page, count, MAX_PAGES)
