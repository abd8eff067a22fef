"""Scrolls a page, or what can be scrolled in it."""

from typing import Final

from playwright.async_api import ElementHandle, Page

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
