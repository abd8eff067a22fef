"""What the memory holds, and what it holds of each site."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable
from typing import NamedTuple, TypeVar
from urllib.parse import urlsplit

from graphs.learning.admin import Item, Known, open_memory
from ui.server.backend import get_backend as here

Result = TypeVar("Result")


class Site(NamedTuple):
    """A site and how much was learned on it; `last` in seconds since the epoch."""

    host: str
    tried: int
    steps: int
    last: float


class Learned(Item):
    """A thing remembered, with the host of its site."""

    host: str


def with_memory(work: Callable[[Known], Awaitable[Result]]) -> Result:
    """What the work gives. Raises StoreError and what the work raises."""

    async def run() -> Result:
        async with open_memory(here().settings) as known:
            return await work(known)

    return asyncio.run(run())


def everything() -> tuple[Learned, ...]:
    """All there is, the newest first. Raises StoreError."""
    return tuple(map(_hosted, with_memory(lambda known: known.list())))


def found(words: str) -> list[Learned]:
    """What was learned from questions like this one. Raises ForagerError."""
    return list(map(_hosted, with_memory(lambda known: known.search(words))))


def sites(items: Iterable[Learned]) -> list[Site]:
    """The sites, that of the newest first."""
    result: dict[str, Site] = {}
    for item in items:
        own = result.get(item.host, Site(item.host, 0, 0, 0.0))
        tried = item.kind == "episode"
        last = max(own.last, item.time)
        result[item.host] = Site(item.host, own.tried + tried, own.steps + (not tried), last)
    return sorted(result.values(), key=lambda site: -site.last)


def when(seconds: float) -> str:
    """Seconds since the epoch as local time."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))


def _hosted(item: Item) -> Learned:
    return Learned(**item.model_dump(), host=urlsplit(item.site).netloc or item.site)
