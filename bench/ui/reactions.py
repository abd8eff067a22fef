"""Response times of clicks, measured inside the page up to the frame that shows the result."""

import re
from collections.abc import Callable, Coroutine
from typing import Any, Literal, NamedTuple

from playwright.async_api import Page

WATCH = """({selector, text}) => {
  const every = function* (root) {
    for (const one of root.querySelectorAll("*")) {
      yield one;
      if (one.shadowRoot) yield* every(one.shadowRoot);
    }
  };
  const there = () => {
    for (const one of every(document))
      if (one.matches(selector) && one.textContent.includes(text)) return true;
    return false;
  };
  window.answered = new Promise((done, lost) => addEventListener("click", () => {
    const began = performance.now();
    const look = () => requestAnimationFrame(() => {
      const took = performance.now() - began;
      if (there()) done(took / 1000);
      else if (took > 30000) lost(new Error(`never there: ${selector} ${text}`));
      else look();
    });
    look();
  }, { capture: true, once: true }));
}"""
"""Waits for a click, then checks every frame until the expected element appears."""

KEPT = "Who kept lighthouse"
Click = Callable[[Page], Coroutine[Any, Any, None]]
Role = Literal["button", "link", "radio", "tab"]


class Reaction(NamedTuple):
    """A click, and the element with this text that shows its result."""

    name: str
    click: Click
    selector: str
    text: str


def _click_role(role: Role, name: str) -> Click:
    return lambda page: page.get_by_role(role, name=re.compile(name)).first.click()


FEW = "ol.rows:not(:has(> li:nth-child(10)))"
MANY = "ol.rows:has(> li:nth-child(20))"
FIRST_RUN = Reaction("the controls of a run", _click_role("button", "^Start"), "button", "Pause")
REACTIONS = (
    Reaction("a tab of a run", _click_role("tab", "^Spend"), ".panels section", "Pages"),
    Reaction("the list of sessions", _click_role("link", "^Sessions"), MANY, ""),
    Reaction("a filter of the list", _click_role("radio", "^Running"), FEW, ""),
    Reaction("the whole list again", _click_role("radio", "^All"), MANY, ""),
    Reaction("its next page", _click_role("button", "^Page 2$"), "ol.rows li:first-child", KEPT),
    Reaction("a session of the list", _click_role("link", KEPT), "h2", KEPT),
)


async def measure_reactions(page: Page) -> dict[str, float]:
    """Return seconds by click in a page that shows a run; clicks run one after another."""
    found: dict[str, float] = {}
    for each in REACTIONS:
        found[each.name] = await measure_reaction(page, each)
    return found


async def measure_reaction(page: Page, each: Reaction) -> float:
    """Return the seconds from a click to its result."""
    await page.evaluate(WATCH, {"selector": each.selector, "text": each.text})
    await each.click(page)
    return float(await page.evaluate("window.answered"))
