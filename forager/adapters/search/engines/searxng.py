"""SearXNG, a search engine of one's own that asks many: GET /search?format=json."""

from pydantic import JsonValue

from forager.adapters.search.http_provider import HttpProvider, Object
from forager.adapters.search.provider import Row, Rows, limited, paged, read
from forager.errors import SearchError

PAGES = 5


class SearXNG(HttpProvider):
    """https://docs.searxng.org/dev/search_api.html; how many results a page has is its own."""

    name = "searxng"
    refused = "Allow json under search.formats in its settings.yml, and programs to ask it."

    async def find(self, query: str, count: int, site: str) -> Rows:
        """Raises SearchError."""

        async def page(number: int) -> tuple[Row, ...]:
            params = {"q": limited(query, site), "format": "json", "pageno": str(number + 1)}
            reply = await self._api.get("/search", params)
            rows = read(self._api.items(reply, "results"), "url", "title", "content")
            if not rows and not number and (silent := _silent(reply)):
                raise SearchError(
                    f"searxng had no answer from its engines: {silent}.",
                    "Enable others in its settings.yml, or try again later.",
                )
            return rows

        return await paged(page, count, PAGES)


def _silent(reply: Object) -> str:
    """The engines that failed, each with what it failed of; they come as pairs."""
    listed: JsonValue = reply.get("unresponsive_engines")
    pairs = [pair for pair in listed if isinstance(pair, list)] if isinstance(listed, list) else []
    return ", ".join(": ".join(str(word) for word in pair) for pair in pairs[:5])
