"""The Brave Search API: GET /web/search with a key in a header, 20 results a page."""

from forager.adapters.search.http_provider import HttpProvider
from forager.adapters.search.provider import Row, Rows, limited, paged, read

PAGE = 20
PAGES = 10


class Brave(HttpProvider):
    """https://api-dashboard.search.brave.com/app/documentation/web-search."""

    name = "brave"

    async def find(self, query: str, count: int, site: str) -> Rows:
        """Raises SearchError."""
        headers = {"X-Subscription-Token": self._api.key}

        async def page(number: int) -> tuple[Row, ...]:
            params = {
                "q": limited(query, site),
                "count": str(min(count, PAGE)),
                "offset": str(number),
                "result_filter": "web",
                "text_decorations": "false",
            }
            reply = await self._api.get("/web/search", params, headers)
            found = self._api.items(reply, "web", "results", needed=False)
            return read(found, "url", "title", "description")

        return await paged(page, count, PAGES)
