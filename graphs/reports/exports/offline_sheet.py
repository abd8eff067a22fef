"""A page in a browser of this machine, to print or to picture what is exported."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

from forager.adapters.browser.process.chromium import find_chromium
from forager.adapters.browser.process.launch import launch_chromium, sandbox_mend
from forager.errors import UsageError
from forager.settings import Settings

if TYPE_CHECKING:
    from playwright.async_api import Page

OFFLINE_ARGUMENTS: Final = ["--disable-quic", "--host-resolver-rules=MAP * ~NOTFOUND"]
"""The page fetches nothing, and these keep the browser from fetching anything itself."""


def has_browser(settings: Settings) -> bool:
    """Whether this machine has a browser for it."""
    return find_chromium(settings.chromium) is not None


@asynccontextmanager
async def open_sheet(settings: Settings, format: str, instead: str) -> AsyncIterator["Page"]:
    """An empty page without scripts and network, at two device pixels to one of the page.

    Raises UsageError without a browser; it names the `format` and what to do `instead`.
    """
    browser = find_chromium(settings.chromium)
    if browser is None:
        raise UsageError(
            f"{format} export needs Chromium or Chrome, and none was found.",
            f"Install one, or set FORAGER_CHROMIUM to it. {instead}",
        )
    from playwright.async_api import Error, async_playwright  # noqa: PLC0415  # takes half a second

    try:
        async with async_playwright() as driver:
            running = await launch_chromium(driver, browser, settings, args=OFFLINE_ARGUMENTS)
            yield await running.new_page(
                java_script_enabled=False, offline=True, device_scale_factor=2
            )
            await running.close()
    except Error as error:
        cause = error.message.strip().partition("\n")[0]
        raise UsageError(
            f"{browser} could not print the page: {cause}",
            f"Install its libraries, or set FORAGER_CHROMIUM to another."
            f"{sandbox_mend(settings)} {instead}",
        ) from error
