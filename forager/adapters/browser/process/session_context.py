"""The browser context of one session; survives the replacement of the browser."""

import asyncio
from contextlib import AbstractContextManager

from playwright.async_api import BrowserContext, Error, Page

from forager.adapters.browser.playwright_calls import close_page
from forager.adapters.browser.process.cookie_jar import CookieJar, StoredState
from forager.adapters.browser.process.engine import Engine

PROBE_SECONDS = 10.0
"""How long to wait for a sign of life."""
STORED_SECONDS = 1.0
READ_LOCAL_STORAGE = """() => {
  const kept = Object.entries(localStorage).map(([name, value]) => ({name, value}));
  const size = kept.reduce((sum, each) => sum + each.name.length + each.value.length, 0);
  return size > 500000 ? null : {origin: location.origin, localStorage: kept};
}"""
"""Reads the local storage of a page's site, unless it is too large."""


class SessionContext:
    """A session's context and its stored state. Starts no process before it is needed."""

    def __init__(self, engine: Engine, jar: CookieJar) -> None:
        self.engine = engine
        self._jar = jar
        self._context: BrowserContext | None = None
        self._starts = 0
        self._kept: StoredState | None = None
        self._opening = asyncio.Lock()

    @property
    def is_alive(self) -> bool:
        """Is there a context in a running browser?"""
        engine = self.engine
        return self._context is not None and engine.is_running and self._starts == engine.starts

    async def open_context(self) -> BrowserContext:
        """The context; after a restart of the browser, a new one with the same cookies.

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
        """Store the cookies and a page's local storage for later browsers and processes.

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

    def approve_requests(self) -> AbstractContextManager[None]:
        """Let every request pass while entered, since a person has approved the action."""
        assert self._context is not None, "an action needs a context"  # noqa: S101
        return self.engine.approvals.approve_requests(self._context)

    async def probe_browser(self) -> None:
        """Kill the browser if it can no longer open a tab."""
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
        """Kill the browser; the next call starts a new one."""
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
    """Does a tab still respond?"""
    try:
        async with asyncio.timeout(PROBE_SECONDS):
            return bool(await page.evaluate("true"))
    except (Error, TimeoutError):
        return False


async def _local_storage(page: Page) -> StoredState | None:
    """The local storage of a page's site; None if it is too large or cannot be read."""
    try:
        async with asyncio.timeout(STORED_SECONDS):
            stored: StoredState | None = await page.evaluate(READ_LOCAL_STORAGE)
            return stored
    except (Error, TimeoutError):
        return None
