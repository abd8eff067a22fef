"""Closes tabs, within a time."""

import asyncio
from contextlib import suppress
from typing import Final

from playwright.async_api import Error, Page

ANSWER_SECONDS: Final = 1.0
CLOSING_SECONDS: Final = 3.0


async def close(page: Page) -> None:
    """Close a tab; one that hangs goes with its browser.

    Chromium may never tell that a tab is closed whose page has just begun to load, unless the page
    has answered something before.
    """
    with suppress(Error, TimeoutError):
        async with asyncio.timeout(ANSWER_SECONDS):
            await page.evaluate("1")
    with suppress(Error, TimeoutError):
        async with asyncio.timeout(CLOSING_SECONDS):
            await page.close()
