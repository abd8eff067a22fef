"""Does one action on a page, by the ref of its element."""

import re
from collections.abc import Awaitable, Callable
from typing import Final

from playwright.async_api import ElementHandle, Error, Page, Position
from playwright.async_api import TimeoutError as PlaywrightTimeout

from forager.adapters.browser.actions.drag import drag_element
from forager.adapters.browser.actions.fill_field import fill_field
from forager.adapters.browser.actions.select_option import select_option
from forager.adapters.browser.playwright_errors import stale_ref_error, translate_error
from forager.domain.actions import Action
from forager.errors import ActionError

SCROLL_SHARE: Final = 0.8
"""Of what is seen, so much is scrolled away."""
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
    """Scroll by most of what is seen; is there anything left to see that way?"""
    way = [1 if down else -1, SCROLL_SHARE]
    if element:
        return bool(await element.evaluate(SCROLL, way))
    return bool(await page.evaluate(f"(way) => ({SCROLL})(null, way)", way))


CLICK_DONE: Final = "performing click action"
"""From there on Playwright only waits for what the click has set off, as we do ourselves."""
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
"""A box that a drawn one covers is ticked by its label."""

HIDE_TEXT = "(field) => { field.style.webkitTextSecurity = 'disc'; }"
"""A secret is no more to be read in a picture than a password."""

Reveal = Callable[[str, str], str]
"""What is typed in place of a text, into a frame with this address."""
Performer = Callable[[Page, Action, Reveal], Awaitable[None]]
"""Does an action of one kind on a page. Raises ActionError and Playwright's Error."""


async def perform_action(page: Page, action: Action, reveal: Reveal) -> None:
    """Raises ActionError when the page does not let it be done, and other WebErrors."""
    doing = PERFORMERS.get(action.kind)
    if doing is None:
        return
    try:
        await doing(page, action, reveal)
    except Error as error:
        raise translate_error(error, f"{action.kind} {action.target}".strip()) from error


async def find_element(page: Page, ref: str) -> ElementHandle:
    """The element with a ref. Raises ActionError if there is none any more."""
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
        except PlaywrightTimeout as error:
            if CLICK_DONE not in error.message:
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
    """The keys to press, one after another: `Tab Tab`, or `ArrowRight*3`."""
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
