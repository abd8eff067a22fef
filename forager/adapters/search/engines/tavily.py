"""Tavily: POST /search with a bearer token."""

from forager.adapters.search.http_provider import HttpProvider
from forager.adapters.search.provider import Rows, domain, limited, read

MOST = 20


class Tavily(HttpProvider):
    """https://docs.tavily.com/documentation/api-reference/endpoint/search."""

    name = "tavily"

    async def find(self, query: str, count: int, site: str) -> Rows:
        """Raises SearchError."""
        sites = [domain(site)] if site else []
        reply = await self._api.post(
            "/search",
            {
                "query": limited(query, ""),
                "max_results": min(count, MOST),
                "search_depth": "basic",
                "include_domains": [*sites],
            },
            {"Authorization": f"Bearer {self._api.key}"},
        )
        return Rows(read(self._api.items(reply, "results"), "url", "title", "content"))
