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
    """All items but those that are being forgotten, newest first. Raises StoreError."""
    hidden = get_backend().forgets.hidden()
    found = use_memory(lambda known: known.list())
    return tuple(_add_host(item) for item in found if item.id not in hidden)


def list_uses() -> dict[str, tuple[str, ...]]:
    """The sessions that recalled an item, by the item's ID, newest first. Raises StoreError."""
    return use_memory(lambda known: known.uses())


def search_items(words: str) -> list[Learned]:
    """The items that were learned from similar questions. Raises ForagerError."""
    hidden = get_backend().forgets.hidden()
    found = use_memory(lambda known: known.search(words))
    return [_add_host(item) for item in found if item.id not in hidden]


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
