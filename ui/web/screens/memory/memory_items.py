"""What the memory holds, in all and about each site."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import NamedTuple, TypeVar
from urllib.parse import urlsplit

from graphs.learning.admin import MemoryAdmin, MemoryItem, open_memory
from ui.server.backend import get_backend

Result = TypeVar("Result")


class SiteCount(NamedTuple):
    """How much was learned about a site; `last` in seconds since the epoch."""

    host: str
    tried: int
    steps: int
    last: float


class Learned(MemoryItem):
    """An item with the host of its site."""

    host: str


def use_memory(work: Callable[[MemoryAdmin], Awaitable[Result]]) -> Result:
    """What the work returns. Raises StoreError, and what the work raises."""

    async def open_and_work() -> Result:
        async with open_memory(get_backend().settings) as known:
            return await work(known)

    return asyncio.run(open_and_work())


def list_items() -> tuple[Learned, ...]:
    """All items, newest first. Raises StoreError."""
    return tuple(map(_add_host, use_memory(lambda known: known.list())))


def list_uses() -> dict[str, tuple[str, ...]]:
    """The sessions that recalled an item, by the item's ID, newest first. Raises StoreError."""
    return use_memory(lambda known: known.uses())


def search_items(words: str) -> list[Learned]:
    """The items that were learned from similar questions. Raises ForagerError."""
    return list(map(_add_host, use_memory(lambda known: known.search(words))))


def count_by_site(items: Iterable[Learned]) -> list[SiteCount]:
    """The sites, that of the newest item first."""
    sites: dict[str, SiteCount] = {}
    for item in items:
        own = sites.get(item.host, SiteCount(item.host, 0, 0, 0.0))
        tried = item.kind == "episode"
        last = max(own.last, item.time)
        sites[item.host] = SiteCount(item.host, own.tried + tried, own.steps + (not tried), last)
    return sorted(sites.values(), key=lambda site: -site.last)


def _add_host(item: MemoryItem) -> Learned:
    return Learned(**item.model_dump(), host=urlsplit(item.site).netloc or item.site)
