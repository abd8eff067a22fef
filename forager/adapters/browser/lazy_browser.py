"""A browser that loads Playwright, which takes half a second, only when it is first used."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from forager.domain.actions import Action
from forager.domain.documents import OpenedPage
from forager.domain.state import Step
from forager.ports import ActionCheck, ActionResult, Browser


class LazyBrowser:
    """The Browser port; `opening` opens the real browser, once, and sees to its closing."""

    def __init__(self, opening: Callable[[], Awaitable[Browser]]) -> None:
        self._opening = opening
        self._lock = asyncio.Lock()
        self._browser: Browser | None = None

    async def restore(self, trajectory: str, steps: Sequence[Step]) -> None:
        """See Browser.restore."""
        await (await self._opened_browser()).restore(trajectory, steps)

    async def examine(self, trajectory: str, action: Action) -> ActionCheck:
        """See Browser.examine."""
        return await (await self._opened_browser()).examine(trajectory, action)

    async def perform(self, trajectory: str, action: Action, step: str = "") -> ActionResult:
        """See Browser.perform."""
        return await (await self._opened_browser()).perform(trajectory, action, step)

    async def render(self, url: str) -> OpenedPage:
        """See Browser.render."""
        return await (await self._opened_browser()).render(url)

    async def screenshot(self, trajectory: str) -> bytes:
        """See Browser.screenshot."""
        return await (await self._opened_browser()).screenshot(trajectory)

    async def close_tabs(self, trajectory: str) -> None:
        """Close the trajectory's tabs, if a browser was opened."""
        if self._browser is not None:
            await self._browser.close_tabs(trajectory)

    async def _opened_browser(self) -> Browser:
        async with self._lock:
            if self._browser is None:
                self._browser = await self._opening()
            return self._browser
