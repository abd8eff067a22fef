"""A browser that runs elsewhere, reached through its DevTools."""

import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from playwright.async_api import Browser, Playwright

from forager.adapters.browser.guard.proxy import LOOPBACK
from forager.errors import BrowserError
from forager.settings import Settings

NEEDED: Final = (
    "--disable-quic",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--host-resolver-rules=",
)
"""Without these, a page could send something that does not pass the proxy."""


async def connect_browser(
    driver: Playwright, settings: Settings, folder: Path, seconds: float
) -> Browser:
    """The browser at `browser_url`; on this machine, its downloads come into the folder.

    Raises BrowserError for one that was started without what keeps its pages behind the proxy, and
    Playwright's Error.
    """
    browser = await driver.chromium.connect_over_cdp(
        settings.browser_url,
        timeout=seconds * 1000,
        is_local=settings.browser_proxy == LOOPBACK,
        artifacts_dir=folder,
    )
    session = await browser.new_browser_cdp_session()
    told = await session.send("SystemInfo.getInfo")
    await session.detach()
    given = shlex.split(str(told.get("commandLine", "")))
    if missing := [flag for flag in NEEDED if not _is_given(flag, given)]:
        await browser.close()
        raise BrowserError(
            f"The browser at {settings.browser_url} was started without {missing[0]}.",
            "Start it as `Browsers elsewhere` in the handbook's page on the browser says.",
        )
    return browser


def _is_given(flag: str, given: Iterable[str]) -> bool:
    return any(each.startswith(flag) for each in given)
