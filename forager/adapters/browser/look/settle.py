"""Waits until a page stands still, for as long as something is under way and no longer."""

import asyncio
from typing import Final, NamedTuple

from playwright.async_api import Error, Frame, Page
from playwright.async_api import TimeoutError as PlaywrightTimeout

from forager.adapters.browser.look.page_traffic import PageTraffic
from forager.adapters.browser.timeouts import Timeouts

WAIT_UNTIL_FILLED: Final = """(most) => new Promise((done) => {
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


async def wait_until_filled(page: Page, end: float, patience: Timeouts) -> bool:
    """Has an empty page been filled, or left for another one, before its time is up?"""
    left = end - asyncio.get_running_loop().time()
    if left <= 0 or page.is_closed() or not page.url.startswith(("http://", "https://")):
        return False
    try:
        async with asyncio.timeout(left + patience.hung):
            return bool(await page.evaluate(WAIT_UNTIL_FILLED, left * 1000))
    except TimeoutError:
        return False
    except Error:  # it was left, or closed
        return True


STILL_LOADING: Final = "The page is still loading."
BUSY: Final = "A script of the page is busy."

ARM_SCRIPT = """() => {
  const key = Symbol.for("settling");
  const kept = window[key];
  if (kept) { kept.openings = 0; kept.arm(); return; }
  const later = window.setTimeout, never = window.clearTimeout, open = window.open;
  const due = new Set();
  let depth = 0, armed = false;
  const state = window[key] = {due, later, openings: 0};
  const beside = (name) => !!name && !/^_(self|top|parent)$/i.test(name);
  const going = (event) => {
    const at = event.type === "submit" ? event.submitter?.getAttribute("formtarget")
      || event.target.getAttribute("target")
      : event.target.closest?.("a[href], area[href]")?.getAttribute("target");
    if (beside(at)) later(() => { if (!event.defaultPrevented) state.openings += 1; }, 0);
  };
  const timer = function (handler, delay, ...rest) {
    if (typeof handler !== "function" || !(delay > 0 && delay <= 600) || depth > 0)
      return later(handler, delay, ...rest);
    const id = later(() => {
      depth += 1;
      try { handler.apply(window, rest); } finally { depth -= 1; due.delete(id); }
    }, delay);
    due.add(id);
    return id;
  };
  const cancel = (id) => { due.delete(id); never(id); };
  const opener = (...how) => {
    const opened = open.apply(window, how);
    if (opened || /noopener|noreferrer/.test(how[2] || "")) state.openings += 1;
    return opened;
  };
  state.arm = () => {
    if (armed) return;
    armed = true;
    window.setTimeout = timer;
    window.clearTimeout = cancel;
    window.open = opener;
    for (const type of ["click", "submit"]) addEventListener(type, going, true);
  };
  state.disarm = () => {
    if (!armed) return;
    armed = false;
    due.clear();
    if (window.setTimeout === timer) window.setTimeout = later;
    if (window.clearTimeout === cancel) window.clearTimeout = never;
    if (window.open === opener) window.open = open;
    for (const type of ["click", "submit"]) removeEventListener(type, going, true);
  };
  state.arm();
}"""
"""Remembers what the action sets off: short timers (menus that open late, searches as one types)
and tabs that open.

A timer that a timer sets is not waited for, so that a clock does not hold us up."""

STAND_STILL = """() => new Promise((done) => {
  const state = window[Symbol.for("settling")];
  const later = state ? state.later : window.setTimeout;
  const began = performance.now();
  let changed = began, frames = 0;
  const observer = new MutationObserver(() => { changed = performance.now(); });
  observer.observe(document, {
    subtree: true, childList: true, attributes: true, characterData: true,
  });
  const moving = () => document.getAnimations().some((one) => {
    const end = one.effect && one.effect.getComputedTiming().endTime;
    return one.playState === "running" && end <= 600;
  });
  const look = () => {
    const now = performance.now();
    frames += 1;
    const still = frames >= 2 && now - changed >= 12 && !(state && state.due.size) && !moving();
    if (!still && now - began < 800) return next();
    observer.disconnect();
    if (state) state.disarm();
    done(state ? state.openings : 0);
  };
  const next = () => {
    let seen = false;
    const once = () => { if (!seen) { seen = true; look(); } };
    requestAnimationFrame(once);
    later(once, 40);
  };
  next();
})"""
"""Two frames in which nothing changes, and no timer of the action is due; at most 0.8 s."""


class Rest(NamedTuple):
    """A page that has settled: what did not come to rest, and how many tabs it has opened."""

    notes: tuple[str, ...] = ()
    openings: int = 0


async def arm_page(page: Page, patience: Timeouts) -> None:
    """Make the page remember what the next action sets off."""
    await _run_in_all_frames(page, ARM_SCRIPT, patience.hung)


async def settle_page(page: Page, traffic: PageTraffic, patience: Timeouts) -> Rest:
    """Wait for the page to load if it was left, for its requests, and for two quiet frames.

    A page that shows nothing then is given some time to be filled.
    """
    rest = await _wait_until_still(page, traffic, patience)
    end = asyncio.get_running_loop().time() + patience.empty
    while not rest.notes and await wait_until_filled(page, end, patience):
        again = await _wait_until_still(page, traffic, patience)
        rest = Rest(again.notes, max(rest.openings, again.openings))
    return rest


async def _wait_until_still(page: Page, traffic: PageTraffic, patience: Timeouts) -> Rest:
    loop = asyncio.get_running_loop()
    end = loop.time() + patience.still
    loaded = False
    openings = 0
    while not page.is_closed():
        if traffic.is_navigating(page) and not loaded:
            loaded = True
            if not await wait_until_loaded(page, patience.load):
                return Rest((STILL_LOADING,))
            end = loop.time() + patience.still
        opened = await _run_in_all_frames(page, STAND_STILL, patience.hung)
        if opened is None:
            return Rest((BUSY,), openings)
        openings = max(openings, opened)
        if traffic.is_navigating(page) and not loaded:
            continue
        if not traffic.has_pending(page):
            break
        if (left := end - loop.time()) <= 0:
            return Rest((STILL_LOADING,), openings)
        await traffic.wait_for_response(left)
    return Rest((), openings)


async def wait_until_loaded(page: Page, seconds: float) -> bool:
    """Has the page loaded in time?"""
    try:
        await page.wait_for_load_state("load", timeout=seconds * 1000)
    except PlaywrightTimeout:
        return False
    except Error:  # it was closed, or left for another one
        return True
    return True


async def _run_in_all_frames(page: Page, script: str, seconds: float) -> int | None:
    """Run a script in all frames of a page; the sum of what it says, or None if it hangs."""
    try:
        async with asyncio.timeout(seconds):
            return sum(
                await asyncio.gather(*(_run_in_frame(frame, script) for frame in page.frames))
            )
    except TimeoutError:
        return None


async def _run_in_frame(frame: Frame, script: str) -> int:
    try:
        return int(await frame.evaluate(script) or 0)
    except Error:  # the frame went away, and what is in its place is looked at next
        return 0
