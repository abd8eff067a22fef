"""robots.txt (RFC 9309): which URLs may be fetched, how often, and where the sitemaps are."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import urljoin

from protego import Protego

from forager.errors import RobotsError

MAX_BYTES = 512_000


@dataclass(frozen=True, slots=True)
class RobotsRules:
    """The rules of one host for one user agent."""

    agent: str
    parsed: Protego
    closed: bool = False

    def allows(self, url: str) -> bool:
        """May this URL be fetched?"""
        return not self.closed and bool(self.parsed.can_fetch(url, self.agent))

    def crawl_delay(self) -> float:
        """The requested pause between two requests, in seconds."""
        return float(self.parsed.crawl_delay(self.agent) or 0.0)

    def sitemaps(self) -> tuple[str, ...]:
        """The URLs of the sitemaps."""
        return tuple(self.parsed.sitemaps)


class Robots:
    """Loads and keeps the rules of each host; `load` fetches status and body of a robots.txt."""

    def __init__(
        self, user_agent: str, load: Callable[[str], Awaitable[tuple[int, bytes]]]
    ) -> None:
        self._agent = user_agent.partition("/")[0]
        self._load = load
        self._lock = asyncio.Lock()
        self._known: dict[str, RobotsRules] = {}

    async def load_rules(self, url: str, lenient: bool) -> RobotsRules:
        """The rules for a URL.

        By RFC 9309 a missing robots.txt (4xx) allows everything and a server error nothing, unless
        `lenient`. Raises WebError.
        """
        address = urljoin(url, "/robots.txt")
        if address not in self._known:
            async with self._lock:
                if address not in self._known:
                    self._known[address] = await self._fetch_rules(address, lenient)
        return self._known[address]

    async def _fetch_rules(self, address: str, lenient: bool) -> RobotsRules:
        status, body = await self._load(address)
        text = body[:MAX_BYTES].decode("utf-8", "replace") if status == HTTPStatus.OK else ""
        closed = status >= HTTPStatus.INTERNAL_SERVER_ERROR and not lenient
        return RobotsRules(self._agent, Protego.parse(text), closed)

    async def check_permission(self, url: str, lenient: bool) -> RobotsRules:
        """Return the rules if they allow this URL; otherwise raise RobotsError."""
        rules = await self.load_rules(url, lenient)
        if not rules.allows(url):
            why = "is broken, which closes the site" if rules.closed else "disallows it"
            raise RobotsError(
                f"{url} was not fetched: robots.txt {why}.", "Ask about another page."
            )
        return rules
