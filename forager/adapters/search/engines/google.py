"""Google Programmable Search: GET with the key and the engine's id, 10 results a page."""

from forager.adapters.search.http_provider import HttpProvider
from forager.adapters.search.provider import Row, Rows, domain, limited, paged, read
from forager.errors import SearchError

PAGE = 10
PAGES = 10


class Google(HttpProvider):
    """https://developers.google.com/custom-search/v1/reference/rest/v1/cse/list."""

    name = "google"

    async def find(self, query: str, count: int, site: str) -> Rows:
        """Raises SearchError."""
        within = {"siteSearch": domain(site), "siteSearchFilter": "i"} if site else {}
        asked = {"key": self._api.key, "q": limited(query, "")} | within
        engine = self._settings.google_engine.strip()
        if not engine:
            raise SearchError(
                "google needs the id of a Programmable Search Engine.",
                "Set FORAGER_GOOGLE_ENGINE, or leave google out of FORAGER_SEARCH.",
            )
        asked["cx"] = engine

        async def page(number: int) -> tuple[Row, ...]:
            size = {"num": str(min(count, PAGE)), "start": str(1 + number * PAGE)}
            reply = await self._api.get("", asked | size)
            found = self._api.items(reply, "items", needed=False)
            return read(found, "link", "title", "snippet")

        return await paged(page, count, PAGES)
