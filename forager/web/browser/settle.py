"""Waits until a page stands still, for as long as something is under way and no longer."""

import asyncio
from typing import Final

from playwright.async_api import Error, Frame, Page
from playwright.async_api import TimeoutError as PlaywrightTimeout

from forager.web.browser.traffic import Traffic

LOAD_SECONDS: Final = 10.0
"""How long a page that was gone to may take to load."""
STILL_SECONDS: Final = 5.0
"""How long requests may take that a page makes without leaving."""
HUNG_SECONDS: Final = 5.0
"""How long a script of the page may keep us from looking."""
STILL_LOADING: Final = "The page is still loading."
BUSY: Final = "A script of the page is busy."

ARM = """() => {
  const key = Symbol.for("settling");
  if (window[key]) return;
  const later = window.setTimeout, never = window.clearTimeout, due = new Set();
  let depth = 0;
  window[key] = Object.assign(due, {later});
  window.setTimeout = function (handler, delay, ...rest) {
    if (typeof handler !== "function" || !(delay > 0 && delay <= 600) || depth > 0)
      return later(handler, delay, ...rest);
    const id = later(() => {
      depth += 1;
      try { handler.apply(window, rest); } finally { depth -= 1; due.delete(id); }
    }, delay);
    due.add(id);
    return id;
  };
  window.clearTimeout = (id) => { due.delete(id); never(id); };
  due.disarm = () => {
    window.setTimeout = later;
    window.clearTimeout = never;
    delete window[key];
  };
}"""
"""Remembers the short timers that the action sets off: menus that open late, searches as one types.

A timer that a timer sets is not waited for, so that a clock does not hold us up."""

STAND_STILL = """() => new Promise((done) => {
  const due = window[Symbol.for("settling")];
  const later = due ? due.later : window.setTimeout;
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
    const still = frames >= 2 && now - changed >= 12 && !(due && due.size) && !moving();
    if (!still && now - began < 800) return next();
    observer.disconnect();
    if (due) due.disarm();
    done();
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


async def arm(page: Page) -> None:
    """Make the page remember the timers that the next action sets."""
    await _everywhere(page, ARM)


async def settle(page: Page, traffic: Traffic) -> tuple[str, ...]:
    """Wait for the page to load if it was left, for its requests, and for two quiet frames.

    Returns notes on what did not come to rest.
    """
    loop = asyncio.get_running_loop()
    end = loop.time() + STILL_SECONDS
    loaded = False
    while not page.is_closed():
        if traffic.navigating(page) and not loaded:
            loaded = True
            if not await load(page, LOAD_SECONDS):
                return (STILL_LOADING,)
            end = loop.time() + STILL_SECONDS
        if not await _everywhere(page, STAND_STILL):
            return (BUSY,)
        if traffic.navigating(page) and not loaded:
            continue
        if not traffic.flying(page):
            return ()
        if (left := end - loop.time()) <= 0:
            return (STILL_LOADING,)
        await traffic.landing(left)
    return ()


async def load(page: Page, seconds: float) -> bool:
    """Has the page loaded in time?"""
    try:
        await page.wait_for_load_state("load", timeout=seconds * 1000)
    except PlaywrightTimeout:
        return False
    except Error:  # it was closed, or left for another one
        return True
    return True


async def _everywhere(page: Page, script: str) -> bool:
    """Run a script in all frames of a page; is it done in time?"""
    try:
        async with asyncio.timeout(HUNG_SECONDS):
            await asyncio.gather(*(_run(frame, script) for frame in page.frames))
    except TimeoutError:
        return False
    return True


async def _run(frame: Frame, script: str) -> None:
    try:
        await frame.evaluate(script)
    except Error:  # the frame went away, and what is in its place is looked at next
        return
