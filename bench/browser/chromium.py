"""Chromium as driven directly by a benchmark, not through the product's adapter."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from playwright.async_api import Browser, async_playwright

from forager.adapters.browser.process.chromium import find_chromium
from forager.errors import UsageError
from ui.cli.options import read_settings


@asynccontextmanager
async def open_chromium(
    flags: Sequence[str] = (), *, headless_shell: bool = False
) -> AsyncIterator[Browser]:
    """Start the Chromium from the settings, or one that people see the UI in.

    With `headless_shell`, one is preferred, as for reading pages. Raises UsageError if there is
    none.
    """
    chosen = read_settings().chromium
    path = find_chromium(chosen, headed=not headless_shell) or find_chromium(chosen)
    if path is None:
        raise UsageError("No Chromium was found.", "Install one, or set FORAGER_CHROMIUM.")
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=path, args=list(flags))
        try:
            yield browser
        finally:
            await browser.close()
