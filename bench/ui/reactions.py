"""How soon a page answers a click, taken inside the page: from the click to the frame with it."""

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
"""Begins to look at the click; what stands there then is seen in the frame that shows it."""

KEPT = "Who kept lighthouse"
Click = Callable[[Page], Coroutine[Any, Any, None]]
Role = Literal["button", "link", "radio", "tab"]


class Reaction(NamedTuple):
    """A click, and what stands in the page once it is answered: an element with these words."""

    name: str
    click: Click
    selector: str
    text: str


def _on(role: Role, name: str) -> Click:
    return lambda page: page.get_by_role(role, name=re.compile(name)).first.click()


FEW = "ol.rows:not(:has(> li:nth-child(10)))"
MANY = "ol.rows:has(> li:nth-child(20))"
REACTIONS = (
    Reaction("a tab of a run", _on("tab", "^Spend"), ".panels section", "Pages"),
    Reaction("the list of sessions", _on("link", "^Sessions"), MANY, ""),
    Reaction("a filter of the list", _on("radio", "^Running"), FEW, ""),
    Reaction("the whole list again", _on("radio", "^All"), MANY, ""),
    Reaction("its next page", _on("button", "^Page 2$"), "ol.rows li:first-child", KEPT),
    Reaction("a session of the list", _on("link", KEPT), "h2", KEPT),
)


async def reactions(page: Page) -> dict[str, float]:
    """Seconds by what was clicked, in a page that shows a run; each click waits for the last."""
    found: dict[str, float] = {}
    for each in REACTIONS:
        await page.evaluate(WATCH, {"selector": each.selector, "text": each.text})
        await each.click(page)
        found[each.name] = float(await page.evaluate("window.answered"))
    return found
