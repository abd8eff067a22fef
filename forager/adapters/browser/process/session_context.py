"""The context of one session in a browser that may be replaced under it."""

import asyncio

from playwright.async_api import BrowserContext, Error, Page

from forager.adapters.browser.process.cookie_jar import CookieJar, StoredState
from forager.adapters.browser.process.engine import Engine
from forager.adapters.browser.process.shutdown import close_page

PROBE_SECONDS = 10.0
"""How long a sign of life is waited for."""
STORED_SECONDS = 1.0
READ_LOCAL_STORAGE = """() => {
  const kept = Object.entries(localStorage).map(([name, value]) => ({name, value}));
  const size = kept.reduce((sum, each) => sum + each.name.length + each.value.length, 0);
  return size > 500000 ? null : {origin: location.origin, localStorage: kept};
}"""
"""What a page's site keeps in the browser beside cookies, unless it is too much."""


class SessionContext:
    """Starts no process before it is asked."""

    def __init__(self, engine: Engine, jar: CookieJar) -> None:
        self.engine = engine
        self._jar = jar
        self._context: BrowserContext | None = None
        self._starts = 0
        self._kept: StoredState | None = None
        self._opening = asyncio.Lock()

    @property
    def is_alive(self) -> bool:
        """Is there a context, in a browser that runs?"""
        engine = self.engine
        return self._context is not None and engine.is_running and self._starts == engine.starts

    async def open_context(self) -> BrowserContext:
        """The context; in another browser a new one with the same cookies.

        Raises BrowserError and StoreError.
        """
        async with self._opening:
            if self._context is None or not self.is_alive:
                if self._kept is None:
                    self._kept = await self._jar.read()
                self._context = await self.engine.open_context(self._kept)
                self._starts = self.engine.starts
            return self._context

    async def remember_storage(self, page: Page | None) -> None:
        """Keep the cookies, and the local storage of a page, for another browser or process.

        Raises Playwright's Error and StoreError.
        """
        if self._context is None:
            return
        origins = {each["origin"]: each for each in (self._kept or {}).get("origins", ())}
        if page is not None and (stored := await _local_storage(page)):
            origins[stored["origin"]] = stored
        kept: StoredState = {
            "cookies": list(await self._context.cookies()),
            "origins": [each for each in origins.values() if each["localStorage"]],
        }
        if kept != (self._kept or {"cookies": [], "origins": []}):
            self._kept = kept
            await self._jar.write(kept)

    async def probe_browser(self) -> None:
        """Is another tab still to be had? Where it is not, the browser is ended."""
        starts = self._starts
        try:
            async with asyncio.timeout(PROBE_SECONDS):
                if self._context is not None and self.is_alive:
                    page = await self._context.new_page()
                    try:
                        await page.evaluate("1")
                    finally:
                        await close_page(page)
        except (Error, TimeoutError):
            await self.engine.kill_browser(starts)

    async def kill_browser(self) -> None:
        """End the browser, whatever it is doing; the next call starts another one."""
        await self.engine.kill_browser(self._starts)

    async def close(self) -> None:
        """Close the context."""
        context, alive, self._context = self._context, self.is_alive, None
        if context is None or not alive:
            return
        try:
            async with asyncio.timeout(PROBE_SECONDS):
                await context.close()
        except (Error, TimeoutError):
            await self.kill_browser()


async def tab_answers(page: Page) -> bool:
    """Does a tab still run?"""
    try:
        async with asyncio.timeout(PROBE_SECONDS):
            return bool(await page.evaluate("true"))
    except (Error, TimeoutError):
        return False


async def _local_storage(page: Page) -> StoredState | None:
    """The local storage of a page's site; None where it has none, or does not tell."""
    try:
        async with asyncio.timeout(STORED_SECONDS):
            stored: StoredState | None = await page.evaluate(READ_LOCAL_STORAGE)
            return stored
    except (Error, TimeoutError):
        return None
