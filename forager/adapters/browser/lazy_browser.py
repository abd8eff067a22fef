"""A browser whose library, half a second to load, waits until something is asked of it."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from forager.domain.actions import Action
from forager.domain.documents import Opened
from forager.domain.state import Step
from forager.ports import Browser, Examined, Performed


class LazyBrowser:
    """The Browser port; `opening` opens what stands behind it, once, and sees to its end."""

    def __init__(self, opening: Callable[[], Awaitable[Browser]]) -> None:
        self._opening = opening
        self._lock = asyncio.Lock()
        self._browser: Browser | None = None

    async def stand(self, walk: str, trail: Sequence[Step]) -> None:
        """Be where the trail led. Raises ReplayError and BrowserError."""
        await (await self._opened_browser()).stand(walk, trail)

    async def examine(self, walk: str, action: Action) -> Examined:
        """Hold an action against the page. Raises BrowserError."""
        return await (await self._opened_browser()).examine(walk, action)

    async def perform(self, walk: str, action: Action, step: str = "") -> Performed:
        """Do it, settle, look. Raises WebError."""
        return await (await self._opened_browser()).perform(walk, action, step)

    async def render(self, url: str) -> Opened:
        """A page as a browser shows it. Raises WebError."""
        return await (await self._opened_browser()).render(url)

    async def picture(self, walk: str) -> bytes:
        """A screenshot with refs. Raises BrowserError."""
        return await (await self._opened_browser()).picture(walk)

    async def leave(self, walk: str) -> None:
        """Close the walk's tabs, if there are any."""
        if self._browser is not None:
            await self._browser.leave(walk)

    async def _opened_browser(self) -> Browser:
        async with self._lock:
            if self._browser is None:
                self._browser = await self._opening()
            return self._browser
