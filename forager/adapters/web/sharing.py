"""What crawls share with those of other runs and processes: turns of hosts, surveys of sites."""

import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Protocol

Waits = Callable[[], Awaitable[None]]


class SharedCrawls(Protocol):
    """Every method raises StoreError."""

    async def take_turn(self, host: str, pause: float) -> float:
        """Take the next turn of a host, a pause before the one after it; the seconds until then."""

    async def hold_off(self, host: str, seconds: float) -> None:
        """Let nobody ask a host before so many seconds have passed."""

    def surveying(
        self, site: str, seconds: float | None, waits: Waits
    ) -> AbstractAsyncContextManager[None]:
        """Nobody else surveys a site in the body, unless another does so for all these seconds.

        `waits` is awaited once if another does.
        """

    def load_survey(self, site: str, after: float) -> str:
        """The survey of a site that another process has kept after that; empty without one."""

    def keep_survey(self, site: str, surveyed: float, make_body: Callable[[], str]) -> None:
        """Keep the survey of a site for others, where they have its pages, too."""


class OwnCrawls:
    """The SharedCrawls of a process that shares nothing."""

    def __init__(self) -> None:
        self._next: dict[str, float] = {}

    async def take_turn(self, host: str, pause: float) -> float:
        """See SharedCrawls.take_turn."""
        now = time.monotonic()
        turn = max(now, self._next.get(host, 0.0))
        self._next[host] = turn + pause
        return turn - now

    async def hold_off(self, host: str, seconds: float) -> None:
        """See SharedCrawls.hold_off."""
        self._next[host] = max(self._next.get(host, 0.0), time.monotonic() + seconds)

    @asynccontextmanager
    async def surveying(
        self, site: str, seconds: float | None, waits: Waits
    ) -> AsyncIterator[None]:
        """See SharedCrawls.surveying."""
        yield

    def load_survey(self, site: str, after: float) -> str:
        """None is kept."""
        return ""

    def keep_survey(self, site: str, surveyed: float, make_body: Callable[[], str]) -> None:
        """Keep nothing."""
