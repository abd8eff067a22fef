"""What a host allows and bears: robots.txt (RFC 9309), and a pause that grows with its load."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from urllib.parse import urljoin
from weakref import WeakValueDictionary

from protego import Protego

from forager.adapters.web.sharing import OwnCrawls, SharedCrawls
from forager.errors import RobotsError

Sleep = Callable[[float], Awaitable[None]]
PUBLIC_SLOTS = 4
PRIVATE_SLOTS = 16
MAX_PAUSE = 30.0
STRAIN_STATUSES = frozenset({429, 500, 502, 503, 504})


class Pace:
    """The pause in seconds between two requests to one host.

    It follows the host's response time divided by the number of slots, doubles when the host is
    overloaded, and never falls below `least`.
    """

    def __init__(self, least: float, slots: int) -> None:
        self.least = least
        self.pause = least
        self._slots = slots

    def observe(self, seconds: float, status: int) -> None:
        """Adapt the pause to the duration and status of a response."""
        if status in STRAIN_STATUSES:
            self.pause = min(MAX_PAUSE, max(self.pause * 2, 0.5))
            return
        wanted = (self.pause + seconds / self._slots) / 2
        self.pause = min(MAX_PAUSE, max(self.least, wanted))


class HostLimiter:
    """Limits the requests to one host, those of other processes too; `lifted` turns pauses off."""

    def __init__(
        self,
        name: str,
        least: float,
        *,
        lifted: bool = False,
        sleep: Sleep = asyncio.sleep,
        crawls: SharedCrawls | None = None,
    ) -> None:
        self.name = name
        self.pace = Pace(0.0 if lifted else least, PRIVATE_SLOTS if lifted else PUBLIC_SLOTS)
        self.lifted = lifted
        self._slots = asyncio.Semaphore(PRIVATE_SLOTS if lifted else PUBLIC_SLOTS)
        self._crawls = crawls or OwnCrawls()
        self._sleep = sleep

    def set_least_pause(self, pause: float) -> None:
        """Raise the least pause to that of robots.txt, up to MAX_PAUSE; no effect if lifted."""
        if not self.lifted:
            self.pace.least = min(MAX_PAUSE, max(self.pace.least, pause))
            self.pace.pause = max(self.pace.pause, self.pace.least)

    @asynccontextmanager
    async def wait_turn(self) -> AsyncIterator[None]:
        """Wait for a slot and for the pause since the last request of any process."""
        async with self._slots:
            if not self.lifted:
                wait = await self._crawls.take_turn(self.name, self.pace.pause)
                if wait > 0:
                    await self._sleep(wait)
            yield

    async def observe(self, seconds: float, status: int, retry_after: float = 0.0) -> None:
        """Adapt the pause to a response; an overloaded host is left alone by all for a while."""
        if self.lifted:
            return
        self.pace.observe(seconds, status)
        if status in STRAIN_STATUSES:
            quiet = min(MAX_PAUSE, max(self.pace.pause, retry_after))
            await self._crawls.hold_off(self.name, quiet)


MAX_BYTES = 512_000


@dataclass(frozen=True, slots=True, weakref_slot=True)
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


@dataclass(frozen=True, slots=True)
class Traffic:
    """The limits that all runs of one event loop share.

    Several runs together send a host no more requests than one, and wait for pages and rules that
    another is fetching. Entries live as long as a run uses them.
    """

    hosts: WeakValueDictionary[str, HostLimiter] = field(default_factory=WeakValueDictionary)
    pages: WeakValueDictionary[str, asyncio.Lock] = field(default_factory=WeakValueDictionary)
    rules: WeakValueDictionary[str, RobotsRules] = field(default_factory=WeakValueDictionary)
    asking: WeakValueDictionary[str, asyncio.Lock] = field(default_factory=WeakValueDictionary)
    """Held while a host's rules are asked for."""
    crawls: SharedCrawls = field(default_factory=OwnCrawls)
    """What is shared with other processes."""


class Robots:
    """Loads and keeps the rules of each host; `load` fetches status and body of a robots.txt."""

    def __init__(
        self,
        user_agent: str,
        load: Callable[[str], Awaitable[tuple[int, bytes]]],
        traffic: Traffic | None = None,
    ) -> None:
        self._agent = user_agent.partition("/")[0]
        self._load = load
        self._traffic = traffic or Traffic()
        self._known: dict[str, RobotsRules] = {}

    async def load_rules(self, url: str, lenient: bool) -> RobotsRules:
        """The rules for a URL.

        By RFC 9309 a missing robots.txt (4xx) allows everything and a server error nothing, unless
        `lenient`. Raises WebError.
        """
        address = urljoin(url, "/robots.txt")
        if address not in self._known:
            key = f"{self._agent} {lenient} {address}"
            lock = self._traffic.asking.setdefault(key, asyncio.Lock())
            async with lock:
                rules = self._traffic.rules.get(key)
                rules = rules or await self._fetch_rules(address, lenient)
                self._known[address] = self._traffic.rules[key] = rules
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
