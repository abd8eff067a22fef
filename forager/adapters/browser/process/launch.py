"""Starts Chromium through Playwright, in its sandbox if it can, or finds one that runs."""

import shlex
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from forager.adapters.browser.guard.proxy import LOOPBACK
from forager.adapters.browser.process.chromium import runs_as_root, sandbox_attempts
from forager.errors import BrowserError
from forager.settings import Settings

if TYPE_CHECKING:  # a PDF export imports Playwright when it prints
    from playwright.async_api import Browser, Playwright

SANDBOX: Final = (
    "It was started in its sandbox, which needs user namespaces: allow them. If you trust every "
    "site that it opens, FORAGER_NO_SANDBOX=true starts it without."
)

INSTALL = "Install Chromium or Chrome, or set FORAGER_CHROMIUM to one; `doctor` says more."
FLAGS = (
    "--disable-quic",
    "--no-pings",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",  # as it was called before
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)
"""All traffic goes through the proxy, and only the proxy resolves names."""
NEEDED: Final = (
    "--disable-quic",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--host-resolver-rules=",
)
"""Without these, a page could send something that does not pass the proxy."""


async def launch_chromium(
    driver: "Playwright",
    executable: Path,
    settings: Settings,
    *,
    root: bool | None = None,
    **options: Any,
) -> "Browser":
    """The running browser; `options` are those of Playwright's launch.

    `root` stands for whose process this is. Raises playwright's Error.
    """
    from playwright.async_api import Error  # noqa: PLC0415  # takes half a second

    *tried, last = attempts(settings, root=root)
    for sandbox in tried:
        with suppress(Error):
            return await driver.chromium.launch(
                executable_path=executable, chromium_sandbox=sandbox, **options
            )
    return await driver.chromium.launch(
        executable_path=executable, chromium_sandbox=last, **options
    )


def attempts(settings: Settings, *, root: bool | None = None) -> tuple[bool, ...]:
    """The ways to start the browser under these settings: with its sandbox, without, or both."""
    as_root = runs_as_root() if root is None else root
    return sandbox_attempts(root=as_root, allowed=settings.no_sandbox)


def sandbox_mend(settings: Settings, *, root: bool | None = None) -> str:
    """What to do about the sandbox of a browser that did not start; empty if it needs none."""
    return f" {SANDBOX}" if all(attempts(settings, root=root)) else ""


async def connect_browser(
    driver: "Playwright", settings: Settings, folder: Path, seconds: float
) -> "Browser":
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
            "Start it as the handbook's page `A browser elsewhere` says.",
        )
    return browser


def _is_given(flag: str, given: Iterable[str]) -> bool:
    return any(each.startswith(flag) for each in given)
