"""A browser of this machine, for tests of what only a browser shows."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from weakref import WeakSet

import pytest
from playwright.async_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Page,
    async_playwright,
)

from forager.adapters.browser.process.chromium import find_chromium

CHROMIUM = find_chromium()
AT_HOME = [
    "--disable-quic",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--force-prefers-reduced-motion",
]

RUNNING: dict[Browser, asyncio.AbstractEventLoop] = {}
CRASHED: WeakSet[Page] = WeakSet()

needs_browser = pytest.mark.browser
"""Skipped where this machine has no Chromium (see tests/conftest.py)."""


@asynccontextmanager
async def browser() -> AsyncIterator[Browser]:
    """Chromium, without a way off loopback."""
    async with async_playwright() as driver:
        running = await driver.chromium.launch(executable_path=CHROMIUM, args=AT_HOME)
        RUNNING[running] = asyncio.get_running_loop()
        try:
            yield running
        finally:
            del RUNNING[running]
            await running.close()


@asynccontextmanager
async def only_tab(context: BrowserContext, *, console: bool = False) -> AsyncIterator[Page]:
    """The first tab of a context, which stays open for the next test: a site's scripts, once
    compiled in it, are not compiled again. A tab that has crashed is left for another one.

    Raises AssertionError if a script failed in it or, with `console`, its console told an error.
    """
    page = next((tab for tab in context.pages if tab not in CRASHED), None)
    if page is None:
        page = await context.new_page()
        page.once("crash", CRASHED.add)
    faults: list[str] = []

    def note(error: Error) -> None:
        faults.append(str(error))

    def hear(said: ConsoleMessage) -> None:
        if console and said.type == "error":
            faults.append(said.text)

    page.on("pageerror", note)
    page.on("console", hear)
    yield page
    page.remove_listener("pageerror", note)
    page.remove_listener("console", hear)
    await page.mouse.move(0, 0)
    assert faults == []


def left_open() -> Iterator[str]:
    """What each page shows that a failed test has left open."""
    for running, loop in RUNNING.items():
        if not (loop.is_running() or loop.is_closed()):
            yield from loop.run_until_complete(_shown(running))


async def _shown(running: Browser) -> list[str]:
    return [
        "\n".join([line async for line in _told(page)])
        for context in running.contexts
        for page in context.pages
    ]


async def _told(page: Page) -> AsyncIterator[str]:
    """Where a page is, what it says, what its console says, and what it was not given."""
    yield page.url
    try:
        yield await page.locator("body").aria_snapshot(timeout=5_000)
        for said in await page.console_messages():
            yield f"{said.type}: {said.text}"
        for error in await page.page_errors():
            yield str(error)
        for asked in await page.requests():
            if asked.failure:
                yield f"{asked.url}: {asked.failure}"
    except Error as gone:
        yield str(gone)
