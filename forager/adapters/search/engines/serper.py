"""Serper, which asks Google: POST /search with a key in a header."""

from forager.adapters.search.http_provider import HttpProvider
from forager.adapters.search.provider import Rows, limited, read

MOST = 100


class Serper(HttpProvider):
    """https://serper.dev."""

    name = "serper"

    async def find(self, query: str, count: int, site: str) -> Rows:
        """Raises SearchError."""
        reply = await self._api.post(
            "/search",
            {"q": limited(query, site), "num": min(count, MOST)},
            {"X-API-KEY": self._api.key},
        )
        found = self._api.items(reply, "organic", needed=False)
        return Rows(read(found, "link", "title", "snippet"))
