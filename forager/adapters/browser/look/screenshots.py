"""Screenshots: one per action with the element framed, and one with the refs of all elements."""

import asyncio
import json
import time
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from playwright.async_api import Error, FloatRect, Locator, Page

from forager.adapters.browser.actions.action_check import URL_KINDS
from forager.adapters.browser.actions.perform import find_element
from forager.adapters.browser.playwright_calls import LOOK_SECONDS, await_quietly
from forager.adapters.browser.replay.replay_plan import ON_ELEMENTS
from forager.adapters.browser.tabs import BLANK, Tabs
from forager.adapters.web.secrets import Secrets
from forager.browsing.action_validity import is_disabled, is_interactive
from forager.browsing.page.aria import Node, parse_aria
from forager.domain.actions import Action
from forager.errors import BrowserError, StoreError
from forager.ports import Blobs
from forager.settings import Settings

MOST_MARKS: Final = 150
"""More marks than this would hide the page."""
SMALLEST_BOX: Final = 4.0
"""Boxes smaller than this, in pixels, are not marked."""
DRAW_MARKS: Final = """(marks) => {
  const host = document.createElement("div");
  host.id = "forager-marks";
  host.style.cssText = "all: initial; position: fixed; inset: 0; z-index: 2147483647;"
    + "pointer-events: none";
  const layer = host.attachShadow({mode: "closed"});
  const colours = ["#c00", "#06c", "#070", "#a50", "#808", "#077"];
  marks.forEach(({ref, x, y, width, height}, number) => {
    const colour = colours[number % colours.length];
    const box = document.createElement("div");
    box.style.cssText = `position: fixed; left: ${x}px; top: ${y}px; width: ${width}px;`
      + `height: ${height}px; outline: 2px solid ${colour}`;
    const label = document.createElement("div");
    label.textContent = ref;
    label.style.cssText = `position: fixed; left: ${Math.max(0, x)}px;`
      + `top: ${Math.max(0, y - 13)}px; background: ${colour}; color: white;`
      + "font: bold 11px/13px monospace; padding: 0 2px";
    layer.append(box, label);
  });
  document.documentElement?.append(host);
}"""
REMOVE_MARKS: Final = (
    """() => document.querySelectorAll("#forager-marks").forEach((one) => one.remove())"""
)


class Mark(NamedTuple):
    """An element's box in the window, in CSS pixels."""

    ref: str
    x: float
    y: float
    width: float
    height: float


async def take_marked_screenshot(page: Page) -> bytes:
    """The window as a PNG, with usable elements framed and labelled. Raises BrowserError."""
    try:
        async with asyncio.timeout(LOOK_SECONDS):
            body = await page.evaluate("() => !!document.body")
            tree = await page.aria_snapshot(mode="ai", boxes=True) if body else ""
            size = await page.evaluate("() => [innerWidth, innerHeight]")
            seen = [mark for mark in element_marks(parse_aria(tree)) if _is_in_window(mark, *size)]
            await page.evaluate(DRAW_MARKS, [mark._asdict() for mark in seen[:MOST_MARKS]])
            try:
                return await page.screenshot(animations="disabled", caret="hide", scale="css")
            finally:
                await page.evaluate(REMOVE_MARKS)
    except TimeoutError as error:
        raise BrowserError(f"Taking a screenshot of {page.url} timed out.") from error
    except Error as error:
        raise BrowserError(f"The screenshot failed: {error.message}") from error


def element_marks(root: Node) -> Iterator[Mark]:
    """The boxes of usable elements in a tree; those inside a frame are moved to its place."""
    for node in root.walk():
        box = _box_of(node)
        if not (node.ref and box and is_interactive(node) and not is_disabled(node)):
            continue
        if min(box[2:]) < SMALLEST_BOX:
            continue
        frames = [
            _box_of(each) or (0.0, 0.0, 0.0, 0.0) for each in node.ancestors() if _is_frame(each)
        ]
        left, top = (sum(frame[axis] for frame in frames) for axis in (0, 1))
        yield Mark(node.ref, box[0] + left, box[1] + top, box[2], box[3])


def _is_frame(node: Node) -> bool:
    return node.role == "iframe"


def _box_of(node: Node) -> tuple[float, float, float, float] | None:
    numbers = [float(each) for each in node.states.get("box", "").split(",") if each]
    return (numbers[0], numbers[1], numbers[2], numbers[3]) if len(numbers) == 4 else None  # noqa: PLR2004


def _is_in_window(mark: Mark, width: float, height: float) -> bool:
    """Is the middle of the mark inside the window?"""
    x, y = mark.x + mark.width / 2, mark.y + mark.height / 2
    return 0 <= x <= width and 0 <= y <= height


SCREENSHOT_SECONDS: Final = 1.0
"""After this time a screenshot is skipped, so that no action waits for it."""
CLEANING_SECONDS: Final = 0.2
JPEG_QUALITY: Final = 60
COVER_COLOUR: Final = "#808080"
PASSWORDS: Final = "input[type=password], [style*='text-security: disc']"
"""Password fields, and fields into which a secret was typed."""
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
"""Drawn on top of everything, including dialogs."""
REMOVE_FRAME: Final = """() => document.getElementById("forager-mark")?.remove()"""


class ActionScreenshots:
    """Stores one screenshot per action, unless the settings disable it."""

    def __init__(self, settings: Settings, blobs: Blobs, secrets: Secrets) -> None:
        self._kept = settings.screenshots
        self._blobs = blobs
        self._values = secrets.plain_values()

    async def take_before(self, tabs: Tabs, action: Action) -> dict[str, Any]:
        """Take the screenshot of an action about to be performed; returns fields of its View."""
        return {} if action.kind in URL_KINDS else await self._take_screenshot(tabs, action)

    async def take_after(self, tabs: Tabs, action: Action) -> dict[str, Any]:
        """The same after an action of which only the opened page matters."""
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
            blob = await asyncio.to_thread(self._blobs.put, data, "picture")
        except (Error, TimeoutError, BrowserError, StoreError):
            return {}
        return {"picture": blob, "pictured": taken}

    async def _framed_image(self, page: Page, box: FloatRect) -> bytes:
        """The window with a box drawn on it; the page is restored, even if it hangs."""
        try:
            await page.evaluate(DRAW_FRAME, box)
            return await self._plain_image(page)
        finally:
            await await_quietly(page.evaluate(REMOVE_FRAME), CLEANING_SECONDS)

    async def _plain_image(self, page: Page) -> bytes:
        """The window as a JPEG, 1280 pixels wide; animations are left alone."""
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
        """The places to cover, in every frame."""
        for frame in page.frames:
            yield frame.locator(PASSWORDS)
            for value in self._values:
                yield frame.get_by_text(value)
                yield frame.locator(f"[value*={json.dumps(value, ensure_ascii=False)}]")


async def _element_box(page: Page, action: Action) -> FloatRect | None:
    """The box of an action's element in the window, after scrolling it into view.

    Raises ActionError and Playwright's Error.
    """
    if action.kind == "scroll" and action.value:
        return await (await find_element(page, action.value)).bounding_box()
    if action.kind not in ON_ELEMENTS or not action.target:
        return None
    element = await find_element(page, action.target)
    await element.evaluate(INTO_VIEW)
    return await element.bounding_box()
