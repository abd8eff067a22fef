"""Performs one action on a page, by the ref of its element."""

import re
from collections.abc import Awaitable, Callable
from typing import Final

from playwright.async_api import ElementHandle, Error, FloatRect, Page, Position
from playwright.async_api import TimeoutError as PlaywrightTimeout

from forager.adapters.browser.actions.field_input import fill_field, select_option
from forager.adapters.browser.playwright_calls import stale_ref_error, translate_error
from forager.domain.actions import Action
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
    """Drag an element onto another one, by an offset, or a slider to a value.

    Raises ActionError if that is not possible.
    """
    if isinstance(to, str) and NUMBER.fullmatch(to):
        await _set_slider(page, source, float(to))
        return
    await source.scroll_into_view_if_needed()
    start = await _bounding_box(source)
    if isinstance(to, str):
        offset = OFFSET.fullmatch(to)
        if not offset:
            mend = "Give a ref to drag to, an offset in pixels (`+30,-10`) or a slider's value."
            raise ActionError(f"Nothing can be dragged to {to!r}.", mend)
        begin = _middle_of(start)
        end = (begin[0] + float(offset[1]), begin[1] + float(offset[2]))
    else:
        end = await _drop_point(start, to)
    await _move_mouse(page, _middle_of(start), end)


async def _drop_point(start: FloatRect, target: ElementHandle) -> Point:
    """A point in the target, slightly past its middle, so that a sortable list sees the side."""
    box = await _bounding_box(target)
    begin, middle = _middle_of(start), _middle_of(box)
    return (
        middle[0] + _sign_of(middle[0] - begin[0]) * box["width"] * 0.2,
        middle[1] + _sign_of(middle[1] - begin[1]) * box["height"] * 0.2,
    )


async def _move_mouse(page: Page, begin: Point, end: Point) -> None:
    """Press the mouse button, move in steps, and release it."""
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
    """Set a slider: a native one directly, any other with its arrow keys."""
    slider = await handle.evaluate(SLIDER)
    if slider and slider["native"]:
        await handle.fill(f"{value:g}")
        return
    if not slider:
        mend = "Drag it by an offset in pixels (`+30,0`), or press its arrow keys."
        raise ActionError("The element does not tell its value.", mend)
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
        raise ActionError(f"The slider is at {now:g} and cannot get closer to {value:g}.")


async def _bounding_box(element: ElementHandle) -> FloatRect:
    box = await element.bounding_box()
    if not box:
        raise ActionError("The element is not visible and cannot be dragged.")
    return box


def _middle_of(box: FloatRect) -> Point:
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def _sign_of(number: float) -> int:
    return (number > 1) - (number < -1)


SCROLL_SHARE: Final = 0.8
"""The share of the visible area to scroll by."""
SCROLL = """(one, [way, share]) => {
  const page = document.scrollingElement || document.documentElement;
  const room = (area) => way > 0
    ? area.scrollHeight - area.clientHeight - area.scrollTop : area.scrollTop;
  const rolls = (area) => area === page
    || /auto|scroll|overlay/.test(getComputedStyle(area).overflowY) || area.tagName === "TEXTAREA";
  const first = one || document.elementFromPoint(innerWidth / 2, innerHeight / 2);
  let area = null;
  for (let at = first; at && !area; at = at.parentElement || at.getRootNode().host)
    if (rolls(at) && room(at) > 1) area = at;
  if (!area && one) area = [...one.querySelectorAll("*")].find((at) => rolls(at) && room(at) > 1);
  if (!area && room(page) > 1) area = page;
  if (!area) return 0;
  const seen = area === page ? innerHeight : area.clientHeight;
  const before = area.scrollTop;
  area.scrollBy({top: way * Math.max(40, seen * share), behavior: "instant"});
  return Math.abs(area.scrollTop - before);
}"""


async def scroll_page(page: Page, element: ElementHandle | None, *, down: bool) -> bool:
    """Scroll by most of the visible area. Returns False if there was nothing left to scroll."""
    way = [1 if down else -1, SCROLL_SHARE]
    if element:
        return bool(await element.evaluate(SCROLL, way))
    return bool(await page.evaluate(f"(way) => ({SCROLL})(null, way)", way))


CLICK_DONE: Final = "performing click action"
"""From this log line on, Playwright only waits for what the click triggers, as Forager does.

A click may also close its own tab, which ends that wait."""
POINT: Final = re.compile(r" *(\d{1,5}) *, *(\d{1,5}) *")
REPEATED: Final = re.compile(r"(.+)\*(\d{1,3})")
CLICK_LABEL = """(box) => {
  const label = box.matches("input[type=checkbox], input[type=radio]") && box.labels?.[0];
  if (!label) return false;
  box.scrollIntoView({block: "nearest"});
  const {left, top, width, height} = box.getBoundingClientRect();
  if (box.getRootNode().elementFromPoint(left + width / 2, top + height / 2) === box) return false;
  label.click();
  return true;
}"""
"""Ticks a check box that a drawn one covers by clicking its label."""

HIDE_TEXT = "(field) => { field.style.webkitTextSecurity = 'disc'; }"
"""Hides a secret in a field, so that no screenshot shows it."""

Reveal = Callable[[str, str], str]
"""Maps a text and a frame's URL to the text to type."""
Performer = Callable[[Page, Action, Reveal], Awaitable[None]]
"""Performs an action of one kind on a page. Raises ActionError and Playwright's Error."""


async def perform_action(page: Page, action: Action, reveal: Reveal) -> None:
    """Perform an action on a page; kinds without an effect on pages are ignored.

    Raises ActionError if the page does not allow it, and other WebErrors.
    """
    doing = PERFORMERS.get(action.kind)
    if doing is None:
        return
    try:
        await doing(page, action, reveal)
    except Error as error:
        raise translate_error(error, f"{action.kind} {action.target}".strip()) from error


async def find_element(page: Page, ref: str) -> ElementHandle:
    """The element with a ref. Raises ActionError if it no longer exists."""
    if re.fullmatch(r"[a-z]\w*", ref):
        found = await page.query_selector(f"aria-ref={ref}")
        if found:
            return found
    raise stale_ref_error(ref)


async def _click_element(page: Page, action: Action, _: Reveal) -> None:
    element = await find_element(page, action.target)
    point = POINT.fullmatch(action.value)
    at = Position(x=float(point[1]), y=float(point[2])) if point else None
    if at or not await element.evaluate(CLICK_LABEL):
        try:
            await element.click(position=at)
        except Error as error:
            waited = isinstance(error, PlaywrightTimeout) or page.is_closed()
            if not (waited and CLICK_DONE in error.message):
                raise


async def _type_text(page: Page, action: Action, reveal: Reveal) -> None:
    element = await find_element(page, action.target)
    frame = await element.owner_frame()
    text = reveal(action.value, frame.url if frame else page.url)
    secret = text != action.value
    if secret:
        await element.evaluate(HIDE_TEXT)
    await fill_field(page, element, text, secret=secret)
    if action.submit:
        await page.keyboard.press("Enter")


async def _select_in_list(page: Page, action: Action, _: Reveal) -> None:
    await select_option(await find_element(page, action.target), action.value)


async def _hover_element(page: Page, action: Action, _: Reveal) -> None:
    element = await find_element(page, action.target)
    await element.hover()


async def _drag_element(page: Page, action: Action, _: Reveal) -> None:
    source = await find_element(page, action.target)
    to = re.fullmatch(r"(?:f\d+)?e\d+", action.value)
    await drag_element(page, source, await find_element(page, action.value) if to else action.value)


async def _press_keys(page: Page, action: Action, _: Reveal) -> None:
    if action.target:
        element = await find_element(page, action.target)
        await element.focus()
    for key in parse_keys(action.value):
        await page.keyboard.press(key)


async def _scroll_area(page: Page, action: Action, _: Reveal) -> None:
    element = await find_element(page, action.value) if action.value else None
    if not await scroll_page(page, element, down=action.target != "up"):
        raise ActionError(f"There is nothing more to see further {action.target} here.")


def parse_keys(said: str) -> list[str]:
    """The keys to press in order, from `Tab Tab` or `ArrowRight*3`."""
    pressed: list[str] = []
    for key in said.split() or ["Enter"]:
        found = REPEATED.fullmatch(key)
        pressed += [found[1]] * int(found[2]) if found else [key]
    return pressed


PERFORMERS: Final[dict[str, Performer]] = {
    "click": _click_element,
    "type": _type_text,
    "select": _select_in_list,
    "hover": _hover_element,
    "drag": _drag_element,
    "press": _press_keys,
    "scroll": _scroll_area,
}
