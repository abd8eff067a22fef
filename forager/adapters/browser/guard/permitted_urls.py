"""Which URLs the browser may open: public ones that robots.txt allows."""

import httpx2

from forager.adapters.browser.tabs import BLANK
from forager.adapters.web.fetch.address_guard import AddressGuard
from forager.adapters.web.fetch.http_exchange import follow_redirects, open_client, send_request
from forager.adapters.web.fetch.politeness import Robots
from forager.domain import urls
from forager.domain.actions import ApiRequest
from forager.settings import Settings


class PermittedUrls:
    """Checks URLs against the address guard and robots.txt, which is fetched once per site."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._guard = AddressGuard(settings.allow_private)
        self._robots = Robots(settings.user_agent, self._fetch_robots)
        self._client: httpx2.AsyncClient | None = None

    async def require_permitted(self, url: str) -> None:
        """Raises AddressError, RobotsError, or other WebErrors if robots.txt is unreachable."""
        if url == BLANK:
            return
        address = urls.canonical_url(url)
        self._guard.check_url(address)
        await self._robots.check_permission(address, self._guard.is_url_allowed(address))

    async def aclose(self) -> None:
        """Close connections."""
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    async def _fetch_robots(self, url: str) -> tuple[int, bytes]:
        settings = self._settings
        opened = self._client = self._client or open_client(settings, self._guard)
        hops = settings.max_redirects
        answer = await follow_redirects(
            url, lambda hop: send_request(opened, ApiRequest(url=hop), settings), hops
        )
        return answer.status, answer.body
