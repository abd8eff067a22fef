"""Starts Chromium through Playwright, in its sandbox unless it may go without."""

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from forager.adapters.browser.process.chromium import runs_as_root, sandbox_attempts
from forager.settings import Settings

if TYPE_CHECKING:  # a PDF export imports Playwright when it prints
    from playwright.async_api import Browser, Playwright

SANDBOX: Final = (
    "It was started in its sandbox, which needs user namespaces: allow them. If you trust every "
    "site that it opens, FORAGER_NO_SANDBOX=true starts it without."
)


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
