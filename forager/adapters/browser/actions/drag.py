"""Drags an element with the mouse: onto another one, by some pixels, or a slider to a value."""

import re
from typing import Final

from playwright.async_api import ElementHandle, FloatRect, Page

from forager.errors import ActionError

STEPS: Final = 8
OFFSET: Final = re.compile(r" *([+-]?\d{1,5}) *, *([+-]?\d{1,5}) *")
NUMBER: Final = re.compile(r" *[+-]?\d+(?:\.\d+)? *")
MOST_KEYS: Final = 400
SLIDER = """(one) => {
  if (one.matches("input[type=range]")) return {native: true};
  const now = one.getAttribute("aria-valuenow");
  return now === null ? null : {native: false, now: Number(now)};
}"""

Point = tuple[float, float]


async def drag_element(page: Page, source: ElementHandle, to: ElementHandle | str) -> None:
    """Raises ActionError if there is nowhere to drag it to."""
    if isinstance(to, str) and NUMBER.fullmatch(to):
        await _set_slider(page, source, float(to))
        return
    await source.scroll_into_view_if_needed()
    start = await _bounding_box(source)
    if isinstance(to, str):
        offset = OFFSET.fullmatch(to)
        if not offset:
            mend = "Name the ref to drag to, an offset in pixels (`+30,-10`) or a slider's value."
            raise ActionError(f"Nothing can be dragged to {to!r}.", mend)
        begin = _middle_of(start)
        end = (begin[0] + float(offset[1]), begin[1] + float(offset[2]))
    else:
        end = await _drop_point(start, to)
    await _move_mouse(page, _middle_of(start), end)


async def _drop_point(start: FloatRect, target: ElementHandle) -> Point:
    """Into the target, and a little past its middle: a list then knows on which side."""
    box = await _bounding_box(target)
    begin, middle = _middle_of(start), _middle_of(box)
    return (
        middle[0] + _sign_of(middle[0] - begin[0]) * box["width"] * 0.2,
        middle[1] + _sign_of(middle[1] - begin[1]) * box["height"] * 0.2,
    )


async def _move_mouse(page: Page, begin: Point, end: Point) -> None:
    """Press, move in steps, the last ones small, and let go."""
    mouse = page.mouse
    await mouse.move(*begin)
    await mouse.down()
    await mouse.move(
        begin[0] + _sign_of(end[0] - begin[0]) * 3, begin[1] + _sign_of(end[1] - begin[1]) * 3
    )
    await mouse.move(*end, steps=STEPS)
    await mouse.move(*end)
    await mouse.up()


async def _set_slider(page: Page, handle: ElementHandle, value: float) -> None:
    """Set a slider: a native one at once, another by its arrow keys."""
    slider = await handle.evaluate(SLIDER)
    if slider and slider["native"]:
        await handle.fill(f"{value:g}")
        return
    if not slider:
        mend = "Drag it by an offset in pixels (`+30,0`), or press its arrow keys."
        raise ActionError("The element does not say where it stands.", mend)
    await handle.focus()
    now = float(slider["now"])
    for _ in range(MOST_KEYS):
        if now == value:
            return
        await page.keyboard.press("ArrowRight" if value > now else "ArrowLeft")
        after = float((await handle.evaluate(SLIDER))["now"])
        if abs(after - value) >= abs(now - value):
            break
        now = after
    if now != value:
        raise ActionError(f"The slider stands at {now:g} and does not come nearer to {value:g}.")


async def _bounding_box(element: ElementHandle) -> FloatRect:
    box = await element.bounding_box()
    if not box:
        raise ActionError("The element is not shown and cannot be dragged.")
    return box


def _middle_of(box: FloatRect) -> Point:
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def _sign_of(number: float) -> int:
    return (number > 1) - (number < -1)
