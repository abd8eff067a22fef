"""The browser that the sessions of a process share, loaded when the first of them needs it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from typing import TYPE_CHECKING

from forager.adapters.browser.lazy_browser import LateBrowser
from forager.ports import Blobs, Browser
from forager.settings import Settings

if TYPE_CHECKING:
    from forager.adapters.browser.browser_port import BrowserDoor
    from forager.adapters.browser.process.engine import Engines


class Browsers:
    """Opens the Browser ports of sessions."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._engines: Engines | None = None

    @asynccontextmanager
    async def open(self, blobs: Blobs, session: str) -> AsyncIterator[LateBrowser]:
        """A port of its own for one session."""
        async with AsyncExitStack() as stack:

            async def opening() -> Browser:
                door, engines = await asyncio.to_thread(_library)
                if self._engines is None:
                    self._engines = engines(self._settings)
                engine = await stack.enter_async_context(self._engines.lease())
                opened = door(self._settings, blobs, engine, session)
                return await stack.enter_async_context(aclosing(opened))

            yield LateBrowser(opening)


def _library() -> "tuple[type[BrowserDoor], type[Engines]]":
    from forager.adapters.browser.browser_port import BrowserDoor  # noqa: PLC0415  # takes half a second
    from forager.adapters.browser.process.engine import Engines  # noqa: PLC0415

    return BrowserDoor, Engines
