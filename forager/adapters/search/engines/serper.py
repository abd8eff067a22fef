"""Serper, an API to Google's results: POST /search with a key in a header."""

from forager.adapters.search.http_provider import HttpProvider
from forager.adapters.search.provider import ResultRows, limit_query, parse_rows

MAX_RESULTS = 100


class Serper(HttpProvider):
    """https://serper.dev."""

    name = "serper"

    async def find_rows(self, query: str, count: int, site: str) -> ResultRows:
        """Find pages; see `Provider`. Raises SearchError."""
        reply = await self._api.post(
            "/search",
            {"q": limit_query(query, site), "num": min(count, MAX_RESULTS)},
            {"X-API-KEY": self._api.key},
        )
        found = self._api.get_list(reply, "organic", needed=False)
        return ResultRows(parse_rows(found, "link", "title", "snippet"))
