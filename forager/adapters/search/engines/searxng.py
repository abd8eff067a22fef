"""SearXNG, a self-hosted metasearch engine: GET /search?format=json."""

from pydantic import JsonValue

from forager.adapters.search.http_provider import HttpProvider, JsonObject
from forager.adapters.search.provider import (
    ResultRow,
    ResultRows,
    collect_pages,
    limit_query,
    parse_rows,
)
from forager.errors import SearchError

MAX_PAGES = 5


class SearXNG(HttpProvider):
    """https://docs.searxng.org/dev/search_api.html. The server decides the size of a page."""

    name = "searxng"
    refused = "Allow json under search.formats and requests by programs in its settings.yml."

    async def find_rows(self, query: str, count: int, site: str) -> ResultRows:
        """Find pages; see `Provider`. Raises SearchError."""

        async def fetch_page(number: int) -> tuple[ResultRow, ...]:
            params = {"q": limit_query(query, site), "format": "json", "pageno": str(number + 1)}
            reply = await self._api.get("/search", params)
            rows = parse_rows(self._api.get_list(reply, "results"), "url", "title", "content")
            if not rows and not number and (silent := _describe_silent_engines(reply)):
                raise SearchError(
                    f"searxng had no answer from its engines: {silent}.",
                    "Enable others in its settings.yml, or try again later.",
                )
            return rows

        return await collect_pages(fetch_page, count, MAX_PAGES)


def _describe_silent_engines(reply: JsonObject) -> str:
    """List the engines that failed, with their errors; the reply has them as pairs."""
    listed: JsonValue = reply.get("unresponsive_engines")
    pairs = [pair for pair in listed if isinstance(pair, list)] if isinstance(listed, list) else []
    return ", ".join(": ".join(str(word) for word in pair) for pair in pairs[:5])
