"""A screenshot on which the elements that can be used carry their refs."""

import asyncio
from collections.abc import Iterator
from typing import Final, NamedTuple

from playwright.async_api import Error, Page

from forager.adapters.browser.timeouts import LOOK_SECONDS
from forager.browsing.action_validity import is_disabled, is_interactive
from forager.browsing.page.aria import Node, parse
from forager.errors import BrowserError

MOST_MARKS: Final = 150
"""More marks than that hide the page."""
SMALLEST_BOX: Final = 4.0
"""Pixels under which a box is not marked."""
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
    """The window as a PNG, what can be used in it framed and named. Raises BrowserError."""
    try:
        async with asyncio.timeout(LOOK_SECONDS):
            body = await page.evaluate("() => !!document.body")
            tree = await page.aria_snapshot(mode="ai", boxes=True) if body else ""
            size = await page.evaluate("() => [innerWidth, innerHeight]")
            seen = [mark for mark in element_marks(parse(tree)) if _is_in_window(mark, *size)]
            await page.evaluate(DRAW_MARKS, [mark._asdict() for mark in seen[:MOST_MARKS]])
            try:
                return await page.screenshot(animations="disabled", caret="hide", scale="css")
            finally:
                await page.evaluate(REMOVE_MARKS)
    except TimeoutError as error:
        raise BrowserError(f"No picture can be taken of {page.url} in time.") from error
    except Error as error:
        raise BrowserError(f"No picture can be taken: {error.message}") from error


def element_marks(root: Node) -> Iterator[Mark]:
    """What can be used, by the boxes in a tree; those within a frame are moved to where it is."""
    for node in root.walk():
        box = _box_of(node)
        if not (node.ref and box and is_interactive(node) and not is_disabled(node)):
            continue
        if min(box[2:]) < SMALLEST_BOX:
            continue
        frames = [_box_of(each) or (0.0, 0.0, 0.0, 0.0) for each in node.above() if _is_frame(each)]
        left, top = (sum(frame[axis] for frame in frames) for axis in (0, 1))
        yield Mark(node.ref, box[0] + left, box[1] + top, box[2], box[3])


def _is_frame(node: Node) -> bool:
    return node.role == "iframe"


def _box_of(node: Node) -> tuple[float, float, float, float] | None:
    numbers = [float(each) for each in node.states.get("box", "").split(",") if each]
    return (numbers[0], numbers[1], numbers[2], numbers[3]) if len(numbers) == 4 else None  # noqa: PLR2004


def _is_in_window(mark: Mark, width: float, height: float) -> bool:
    """Is its middle in the window?"""
    x, y = mark.x + mark.width / 2, mark.y + mark.height / 2
    return 0 <= x <= width and 0 <= y <= height
