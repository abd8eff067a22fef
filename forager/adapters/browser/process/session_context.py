"""The context of one session in a browser that may be replaced under it."""

import asyncio

from playwright.async_api import BrowserContext, Error, Page

from forager.adapters.browser.process.cookie_jar import Jar, Kept
from forager.adapters.browser.process.engine import Engine
from forager.adapters.browser.process.shutdown import close

PROBE_SECONDS = 10.0
"""How long a sign of life is waited for."""
STORED_SECONDS = 1.0
STORED = """() => {
  const kept = Object.entries(localStorage).map(([name, value]) => ({name, value}));
  const size = kept.reduce((sum, each) => sum + each.name.length + each.value.length, 0);
  return size > 500000 ? null : {origin: location.origin, localStorage: kept};
}"""
"""What a page's site keeps in the browser beside cookies, unless it is too much."""


class Session:
    """Starts no process before it is asked."""

    def __init__(self, engine: Engine, jar: Jar) -> None:
        self.engine = engine
        self._jar = jar
        self._context: BrowserContext | None = None
        self._starts = 0
        self._kept: Kept | None = None
        self._opening = asyncio.Lock()

    @property
    def alive(self) -> bool:
        """Is there a context, in a browser that runs?"""
        engine = self.engine
        return self._context is not None and engine.running and self._starts == engine.starts

    async def context(self) -> BrowserContext:
        """The context; in another browser a new one with the same cookies.

        Raises BrowserError and StoreError.
        """
        async with self._opening:
            if self._context is None or not self.alive:
                if self._kept is None:
                    self._kept = await self._jar.read()
                self._context = await self.engine.context(self._kept)
                self._starts = self.engine.starts
            return self._context

    async def remember(self, page: Page | None) -> None:
        """Keep the cookies, and the local storage of a page, for another browser or process.

        Raises Playwright's Error and StoreError.
        """
        if self._context is None:
            return
        origins = {each["origin"]: each for each in (self._kept or {}).get("origins", ())}
        if page is not None and (stored := await _stored(page)):
            origins[stored["origin"]] = stored
        kept: Kept = {
            "cookies": list(await self._context.cookies()),
            "origins": [each for each in origins.values() if each["localStorage"]],
        }
        if kept != (self._kept or {"cookies": [], "origins": []}):
            self._kept = kept
            await self._jar.write(kept)

    async def probe(self) -> None:
        """Is another tab still to be had? Where it is not, the browser is ended."""
        starts = self._starts
        try:
            async with asyncio.timeout(PROBE_SECONDS):
                if self._context is not None and self.alive:
                    page = await self._context.new_page()
                    try:
                        await page.evaluate("1")
                    finally:
                        await close(page)
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


async def _stored(page: Page) -> Kept | None:
    """The local storage of a page's site; None where it has none, or does not tell."""
    try:
        async with asyncio.timeout(STORED_SECONDS):
            stored: Kept | None = await page.evaluate(STORED)
            return stored
    except (Error, TimeoutError):
        return None
