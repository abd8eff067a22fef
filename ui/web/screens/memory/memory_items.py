"""What the memory holds, in all and about each site."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import NamedTuple, TypeVar
from urllib.parse import urlsplit

from forager.domain.urls import page_identity
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
    """An item with the host of its site, and the older ones of the same page for its question.

    Forks and continued sessions teach anew what they took over.
    """

    host: str
    older: tuple[str, ...] = ()

    @property
    def ids(self) -> tuple[str, ...]:
        """The IDs of the item and of the older ones."""
        return (self.id, *self.older)


def use_memory(work: Callable[[MemoryAdmin], Awaitable[Result]]) -> Result:
    """What the work returns. Raises StoreError, and what the work raises."""

    async def open_and_work() -> Result:
        async with open_memory(get_backend().settings) as known:
            return await work(known)

    return asyncio.run(open_and_work())


def list_items() -> tuple[Learned, ...]:
    """All items but those that are being forgotten, newest first. Raises StoreError."""
    return tuple(_merge_older(use_memory(lambda known: known.list())))


def list_uses() -> dict[str, tuple[str, ...]]:
    """The sessions that recalled an item, by the item's ID, newest first. Raises StoreError."""
    return use_memory(lambda known: known.uses())


def search_items(words: str) -> list[Learned]:
    """The items that were learned from similar questions. Raises ForagerError."""
    return _merge_older(use_memory(lambda known: known.search(words)))


def count_by_site(items: Iterable[Learned]) -> list[SiteCount]:
    """The sites, that of the newest item first."""
    sites: dict[str, SiteCount] = {}
    for item in items:
        own = sites.get(item.host, SiteCount(item.host, 0, 0, 0.0))
        tried = item.kind == "episode"
        last = max(own.last, item.time)
        sites[item.host] = SiteCount(item.host, own.tried + tried, own.steps + (not tried), last)
    return sorted(sites.values(), key=lambda site: -site.last)


def _merge_older(found: Iterable[MemoryItem]) -> list[Learned]:
    """Each page, or step, once for each question, as its newest item has it; none being forgotten.

    The order stays.
    """
    hidden = get_backend().forgets.hidden()
    alike: dict[tuple[str, ...], list[MemoryItem]] = {}
    for item in found:
        if item.id not in hidden:
            what = page_identity(item.url) if item.url else item.told
            alike.setdefault((item.kind, item.site, what, item.asked), []).append(item)
    return [_describe_newest(items) for items in alike.values()]


def _describe_newest(items: Sequence[MemoryItem]) -> Learned:
    newest = max(items, key=lambda item: item.time)
    host = urlsplit(newest.site).netloc or newest.site
    older = tuple(item.id for item in items if item is not newest)
    return Learned(**newest.model_dump(), host=host, older=older)
