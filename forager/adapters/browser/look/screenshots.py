"""A picture of the page for each action: what is acted on is framed, and secrets are covered."""

import asyncio
import json
import time
from collections.abc import Iterator
from typing import Any, Final

from playwright.async_api import Error, FloatRect, Locator, Page

from forager.adapters.browser.actions.examiner import URL_KINDS
from forager.adapters.browser.actions.perform import find_element
from forager.adapters.browser.process.shutdown import await_quietly
from forager.adapters.browser.replay.retarget import ON_ELEMENTS
from forager.adapters.browser.secrets import Secrets
from forager.adapters.browser.tabs import BLANK, Tabs
from forager.domain.actions import Action
from forager.errors import BrowserError, StoreError
from forager.ports import Blobs
from forager.settings import Settings

SCREENSHOT_SECONDS: Final = 1.0
"""What cannot be had in that time is left out: no action is to wait for its picture."""
CLEANING_SECONDS: Final = 0.2
JPEG_QUALITY: Final = 60
COVER_COLOUR: Final = "#808080"
PASSWORDS: Final = "input[type=password], [style*='text-security: disc']"
"""Fields for passwords, and those that a secret was typed into."""
INTO_VIEW: Final = "(one) => one.scrollIntoViewIfNeeded()"
DRAW_FRAME: Final = """({x, y, width, height}) => {
  const host = document.createElement("div");
  host.id = "forager-mark";
  host.popover = "manual";
  host.style.cssText = "all: initial; position: fixed; inset: 0; z-index: 2147483647;"
    + "pointer-events: none";
  const box = document.createElement("div");
  box.style.cssText = `position: fixed; left: ${x - 2}px; top: ${y - 2}px; width: ${width + 4}px;`
    + `height: ${height + 4}px; outline: 3px solid #d00; box-shadow: 0 0 0 5px #fff`;
  host.attachShadow({mode: "closed"}).append(box);
  document.documentElement.append(host);
  host.showPopover();
}"""
"""Above all, dialogs too."""
REMOVE_FRAME: Final = """() => document.getElementById("forager-mark")?.remove()"""


class ActionScreenshots:
    """Keeps one for each action that is done, unless the settings say not to."""

    def __init__(self, settings: Settings, blobs: Blobs, secrets: Secrets) -> None:
        self._kept = settings.screenshots
        self._blobs = blobs
        self._values = secrets.plain_values()

    async def take_before(self, tabs: Tabs, action: Action) -> dict[str, Any]:
        """What a view says of the picture of an action that is about to be done."""
        return {} if action.kind in URL_KINDS else await self._take_screenshot(tabs, action)

    async def take_after(self, tabs: Tabs, action: Action) -> dict[str, Any]:
        """The same where only the page that it led to is of interest."""
        return await self._take_screenshot(tabs, action) if action.kind in URL_KINDS else {}

    async def _take_screenshot(self, tabs: Tabs, action: Action) -> dict[str, Any]:
        if not self._kept or not tabs.pages:
            return {}
        try:
            page, taken = tabs.page, time.time()
            if page.url == BLANK:
                return {}
            async with asyncio.timeout(SCREENSHOT_SECONDS):
                box = await _element_box(page, action)
                data = await self._framed_image(page, box) if box else await self._plain_image(page)
            blob = await asyncio.to_thread(self._blobs.put, data)
        except (Error, TimeoutError, BrowserError, StoreError):
            return {}
        return {"picture": blob, "pictured": taken}

    async def _framed_image(self, page: Page, box: FloatRect) -> bytes:
        """The window with the box drawn on it; the page is as it was then, even if it hung."""
        try:
            await page.evaluate(DRAW_FRAME, box)
            return await self._plain_image(page)
        finally:
            await await_quietly(page.evaluate(REMOVE_FRAME), CLEANING_SECONDS)

    async def _plain_image(self, page: Page) -> bytes:
        """The window as a JPEG, 1280 pixels wide: the browser's windows are. No animation ends."""
        return await page.screenshot(
            type="jpeg",
            quality=JPEG_QUALITY,
            scale="css",
            caret="initial",
            timeout=SCREENSHOT_SECONDS * 1000,
            mask=list(self._secret_places(page)),
            mask_color=COVER_COLOUR,
        )

    def _secret_places(self, page: Page) -> Iterator[Locator]:
        """What must not be read, in every frame."""
        for frame in page.frames:
            yield frame.locator(PASSWORDS)
            for value in self._values:
                yield frame.get_by_text(value)
                yield frame.locator(f"[value*={json.dumps(value, ensure_ascii=False)}]")


async def _element_box(page: Page, action: Action) -> FloatRect | None:
    """Where the element of an action stands in the window, brought into it as the action would.

    Raises ActionError and Playwright's Error.
    """
    if action.kind == "scroll" and action.value:
        return await (await find_element(page, action.value)).bounding_box()
    if action.kind not in ON_ELEMENTS or not action.target:
        return None
    element = await find_element(page, action.target)
    await element.evaluate(INTO_VIEW)
    return await element.bounding_box()
