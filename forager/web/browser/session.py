"""The context of one session in a browser that may be replaced under it."""

import asyncio

from playwright.async_api import BrowserContext, Error, Page

from forager.web.browser.process import Engine

PROBE_SECONDS = 10.0
"""How long a sign of life is waited for."""


class Session:
    """Starts no process before it is asked."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._context: BrowserContext | None = None
        self._starts = 0
        self._cookies: list[object] = []
        self._opening = asyncio.Lock()

    @property
    def alive(self) -> bool:
        """Is there a context, in a browser that runs?"""
        engine = self.engine
        return self._context is not None and engine.running and self._starts == engine.starts

    async def context(self) -> BrowserContext:
        """The context; in another browser a new one with the same cookies. Raises BrowserError."""
        async with self._opening:
            if self._context is None or not self.alive:
                self._context = await self.engine.context()
                self._starts = self.engine.starts
                if self._cookies:
                    await self._context.add_cookies(self._cookies)  # type: ignore[arg-type]
            return self._context

    async def remember(self) -> None:
        """Keep the cookies for another browser. Raises Playwright's Error."""
        if self._context is not None:
            self._cookies = list(await self._context.cookies())

    async def probe(self) -> None:
        """Is another tab still to be had? Where it is not, the browser is ended."""
        starts = self._starts
        try:
            async with asyncio.timeout(PROBE_SECONDS):
                if self._context is not None and self.alive:
                    page = await self._context.new_page()
                    await page.evaluate("1")
                    await page.close()
        except (Error, TimeoutError):
            await self.engine.kill(starts)

    async def kill(self) -> None:
        """End the browser, whatever it is doing; the next call starts another one."""
        await self.engine.kill(self._starts)

    async def close(self) -> None:
        """Close the context."""
        context, alive, self._context = self._context, self.alive, None
        if context is None or not alive:
            return
        try:
            async with asyncio.timeout(PROBE_SECONDS):
                await context.close()
        except (Error, TimeoutError):
            await self.kill()


async def answers(page: Page) -> bool:
    """Does a tab still run?"""
    try:
        async with asyncio.timeout(PROBE_SECONDS):
            return bool(await page.evaluate("true"))
    except (Error, TimeoutError):
        return False
