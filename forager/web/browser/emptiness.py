"""Waits for what fills a page that shows nothing."""

import asyncio
from typing import Final

from playwright.async_api import Error, Page

from forager.web.browser.patience import Patience

FILLED: Final = """(most) => new Promise((done) => {
  const state = window[Symbol.for("settling")];
  const later = state ? state.later : window.setTimeout;
  const USED = "a[href], button, input:not([type=hidden]), select, textarea, summary, img, video,"
    + " audio, canvas, object, embed, [role=button], [role=link], [role=img],"
    + " [onclick], [tabindex], [draggable=true], [contenteditable]";
  const seen = (one) => one.checkVisibility({visibilityProperty: true});
  const shows = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return !!node.data.trim() && seen(node.parentElement);
    if (node.nodeType !== Node.ELEMENT_NODE || /^(script|style|noscript|template|head)$/.test(
      node.localName)) return false;
    if (node.matches(USED)) return seen(node);
    if (node.matches("iframe, frame")) return seen(node) && framed(node);
    return [...(node.shadowRoot || node).childNodes].some(shows)
      || (!!node.shadowRoot && [...node.childNodes].some(shows));
  };
  const framed = (frame) => {
    if (frame.offsetWidth < 8 || frame.offsetHeight < 8) return false;
    const held = frame.contentDocument;
    return !held || (!!held.documentElement && shows(held.documentElement));
  };
  const began = performance.now();
  let looks = 0;
  const look = () => {
    if (document.documentElement && shows(document.documentElement)) return done(looks ? 1 : 0);
    if (performance.now() - began >= most) return done(0);
    looks += 1;
    later(look, 50);
  };
  look();
})"""
"""Waits until a page shows anything, if it shows nothing: has it come to show something since?"""


async def filled(page: Page, end: float, patience: Patience) -> bool:
    """Has an empty page been filled, or left for another one, before its time is up?"""
    left = end - asyncio.get_running_loop().time()
    if left <= 0 or page.is_closed() or not page.url.startswith(("http://", "https://")):
        return False
    try:
        async with asyncio.timeout(left + patience.hung):
            return bool(await page.evaluate(FILLED, left * 1000))
    except TimeoutError:
        return False
    except Error:  # it was left, or closed
        return True
