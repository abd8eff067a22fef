"""Tavily: POST /search with a bearer token."""

from forager.adapters.search.http_provider import HttpProvider
from forager.adapters.search.provider import ResultRows, limit_query, parse_rows, site_domain

MAX_RESULTS = 20


class Tavily(HttpProvider):
    """https://docs.tavily.com/documentation/api-reference/endpoint/search."""

    name = "tavily"

    async def find_rows(self, query: str, count: int, site: str) -> ResultRows:
        """Find pages; see `Provider`. Raises SearchError."""
        sites = [site_domain(site)] if site else []
        reply = await self._api.post(
            "/search",
            {
                "query": limit_query(query, ""),
                "max_results": min(count, MAX_RESULTS),
                "search_depth": "basic",
                "include_domains": [*sites],
            },
            {"Authorization": f"Bearer {self._api.key}"},
        )
        return ResultRows(
            parse_rows(self._api.get_list(reply, "results"), "url", "title", "content")
        )
