"""Does one action on a page, by the ref of its element."""

import re
from collections.abc import Awaitable, Callable
from typing import Final

from playwright.async_api import ElementHandle, Error, Page, Position
from playwright.async_api import TimeoutError as PlaywrightTimeout

from forager.adapters.browser.actions.drag import drag
from forager.adapters.browser.actions.fill_field import fill
from forager.adapters.browser.actions.select_option import select
from forager.adapters.browser.playwright_errors import stale, translated
from forager.domain.actions import Action
from forager.errors import ActionError

SHARE: Final = 0.8
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


async def scroll(page: Page, element: ElementHandle | None, *, down: bool) -> bool:
    """Scroll by most of what is seen; is there anything left to see that way?"""
    way = [1 if down else -1, SHARE]
    if element:
        return bool(await element.evaluate(SCROLL, way))
    return bool(await page.evaluate(f"(way) => ({SCROLL})(null, way)", way))


CLICKED: Final = "performing click action"
"""From there on Playwright only waits for what the click has set off, as we do ourselves."""
POINT: Final = re.compile(r" *(\d{1,5}) *, *(\d{1,5}) *")
REPEATED: Final = re.compile(r"(.+)\*(\d{1,3})")
BY_LABEL = """(box) => {
  const label = box.matches("input[type=checkbox], input[type=radio]") && box.labels?.[0];
  if (!label) return false;
  box.scrollIntoView({block: "nearest"});
  const {left, top, width, height} = box.getBoundingClientRect();
  if (box.getRootNode().elementFromPoint(left + width / 2, top + height / 2) === box) return false;
  label.click();
  return true;
}"""
"""A box that a drawn one covers is ticked by its label."""

DOTTED = "(field) => { field.style.webkitTextSecurity = 'disc'; }"
"""A secret is no more to be read in a picture than a password."""

Reveal = Callable[[str, str], str]
"""What is typed in place of a text, into a frame with this address."""
Doing = Callable[[Page, Action, Reveal], Awaitable[None]]
"""Does an action of one kind on a page. Raises ActionError and Playwright's Error."""


async def perform(page: Page, action: Action, reveal: Reveal) -> None:
    """Raises ActionError when the page does not let it be done, and other WebErrors."""
    doing = DOING.get(action.kind)
    if doing is None:
        return
    try:
        await doing(page, action, reveal)
    except Error as error:
        raise translated(error, f"{action.kind} {action.target}".strip()) from error


async def find(page: Page, ref: str) -> ElementHandle:
    """The element with a ref. Raises ActionError if there is none any more."""
    if re.fullmatch(r"[a-z]\w*", ref):
        found = await page.query_selector(f"aria-ref={ref}")
        if found:
            return found
    raise stale(ref)


async def _click(page: Page, action: Action, _: Reveal) -> None:
    element = await find(page, action.target)
    point = POINT.fullmatch(action.value)
    at = Position(x=float(point[1]), y=float(point[2])) if point else None
    if at or not await element.evaluate(BY_LABEL):
        try:
            await element.click(position=at)
        except PlaywrightTimeout as error:
            if CLICKED not in error.message:
                raise


async def _type(page: Page, action: Action, reveal: Reveal) -> None:
    element = await find(page, action.target)
    frame = await element.owner_frame()
    text = reveal(action.value, frame.url if frame else page.url)
    secret = text != action.value
    if secret:
        await element.evaluate(DOTTED)
    await fill(page, element, text, secret=secret)
    if action.submit:
        await page.keyboard.press("Enter")


async def _select(page: Page, action: Action, _: Reveal) -> None:
    await select(await find(page, action.target), action.value)


async def _hover(page: Page, action: Action, _: Reveal) -> None:
    element = await find(page, action.target)
    await element.hover()


async def _drag(page: Page, action: Action, _: Reveal) -> None:
    source = await find(page, action.target)
    to = re.fullmatch(r"(?:f\d+)?e\d+", action.value)
    await drag(page, source, await find(page, action.value) if to else action.value)


async def _press(page: Page, action: Action, _: Reveal) -> None:
    if action.target:
        element = await find(page, action.target)
        await element.focus()
    for key in keys(action.value):
        await page.keyboard.press(key)


async def _scroll(page: Page, action: Action, _: Reveal) -> None:
    element = await find(page, action.value) if action.value else None
    if not await scroll(page, element, down=action.target != "up"):
        raise ActionError(f"There is nothing more to see further {action.target} here.")


def keys(said: str) -> list[str]:
    """The keys to press, one after another: `Tab Tab`, or `ArrowRight*3`."""
    pressed: list[str] = []
    for key in said.split() or ["Enter"]:
        found = REPEATED.fullmatch(key)
        pressed += [found[1]] * int(found[2]) if found else [key]
    return pressed


DOING: Final[dict[str, Doing]] = {
    "click": _click,
    "type": _type,
    "select": _select,
    "hover": _hover,
    "drag": _drag,
    "press": _press,
    "scroll": _scroll,
}
