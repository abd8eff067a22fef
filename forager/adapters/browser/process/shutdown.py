"""Closes what a browser has opened, within a time."""

import asyncio
from collections.abc import Awaitable
from contextlib import suppress
from typing import Final

from playwright.async_api import Error, Page

ANSWER_SECONDS: Final = 1.0
CLOSING_SECONDS: Final = 3.0


async def close_page(page: Page) -> None:
    """Close a tab; one that hangs goes with its browser.

    Chromium may never tell that a tab is closed whose page has just begun to load, unless the page
    has answered something before.
    """
    await await_quietly(page.evaluate("1"), ANSWER_SECONDS)
    await await_quietly(page.close())


async def await_quietly(work: Awaitable[object], seconds: float = CLOSING_SECONDS) -> None:
    """Wait for the end of something, whatever comes of it, or until the time is up."""
    with suppress(Error, OSError, TimeoutError):
        async with asyncio.timeout(seconds):
            await work
