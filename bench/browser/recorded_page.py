"""Recorded pages in a real browser that reaches no network, as the navigator observes them.

Mind2Web's dumps have neither styles nor scripts, write attributes such as `aria_label` with an
underscore, wrap each text in an element `text`, close empty elements as XML does, and may lack the
addresses of links. What a browser needs of it is restored; a link without an address gets its own.
"""

import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Self

from playwright.async_api import BrowserContext, Error, Page, Route

from bench.browser.chromium import open_chromium
from forager.adapters.browser.look.screenshots import take_marked_screenshot
from forager.adapters.browser.look.snapshot import take_snapshot
from forager.domain.actions import Action
from forager.domain.browser import Snapshot
from forager.domain.documents import OpenedPage
from forager.domain.state import Step
from forager.errors import BrowserError
from forager.ports import ActionCheck, ActionResult

FLAGS = ["--disable-quic", "--host-resolver-rules=MAP * ~NOTFOUND"]
POLICY = "default-src 'none'; style-src 'unsafe-inline'"
TEXT_WRAPPER = re.compile(r"</?text\b[^<>]*>")
VOID = "area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr"
EMPTY_ELEMENT = re.compile(rf"<(?!(?:{VOID})(?![\w-]))([a-z][\w-]*)([^<>]*)/>", re.IGNORECASE)
RESTORE = """() => {
  const STATES = new Map([["input_checked", "checked"], ["option_selected", "selected"]]);
  const NAMES = new Map([["aria_role", "role"], ["input_value", "value"]]);
  for (const one of document.querySelectorAll("*")) {
    for (const {name, value} of [...one.attributes]) {
      const own = NAMES.get(name) || (name.startsWith("aria_") && name.replaceAll("_", "-"));
      if (own && !one.hasAttribute(own)) one.setAttribute(own, value);
      if (STATES.has(name)) one[STATES.get(name)] = value !== "false";
      if (/^(input|text)_value$/.test(name) && one.localName === "textarea") one.value = value;
    }
    if (one.localName === "a" && !one.hasAttribute("href"))
      one.setAttribute("href", `/to/${one.getAttribute("backend_node_id")}`);
  }
  const NONE = "[bounding_box_rect='-1,-1,-1,-1']";
  const style = document.createElement("style");
  style.textContent = `[is_clickable=true] { cursor: pointer }
    body ${NONE}:not(option, optgroup, :has([bounding_box_rect]:not(${NONE}))) { display: none }`;
  document.documentElement.append(style);
}"""
"""Restores attributes, states and links, and hides what had no box and nothing drawn in it."""
FIND_CANDIDATE = """(chosen, ids) => {
  const idOf = (one) => one.getAttribute("backend_node_id") || "";
  const words = (one) => (one.textContent || "").replace(/\\s+/g, " ").trim();
  const known = new Set(ids);
  const counts = (one) => known.size ? known.has(idOf(one)) : idOf(one) !== "";
  if (counts(chosen)) return idOf(chosen);
  const inside = [...chosen.querySelectorAll("[backend_node_id]")].filter(counts);
  if (inside.length === 1 && words(inside[0]) === words(chosen)) return idOf(inside[0]);
  let one = chosen;
  while (one && !counts(one)) one = one.parentElement;
  return one ? idOf(one) : "";
}"""
"""The id of a candidate: the element itself, else the only one in it that says the same, else the
nearest one around it, which gets its clicks."""
ANY_VISIBLE = """(ids) => ids.some((id) => {
  const one = document.querySelector(`[backend_node_id="${CSS.escape(id)}"]`);
  return !!one && one.checkVisibility();
})"""


class RecordedPages:
    """Shows one recorded page at a time; the Browser port of a recorded step.

    Each page has a tab of its own, so that its refs do not depend on the pages before.
    """

    def __init__(self, context: BrowserContext, page: Page) -> None:
        self._context = context
        self._page = page
        self._shown = ""
        self._html = ""

    @classmethod
    @asynccontextmanager
    async def open(cls) -> AsyncIterator[Self]:
        """Open a browser. Raises UsageError without Chromium."""
        async with open_chromium(FLAGS, headless_shell=True) as browser:
            context = await browser.new_context(service_workers="block")
            pages = cls(context, await context.new_page())
            await context.route("**/*", pages._answer_request)
            yield pages

    async def show(self, url: str, html: str) -> Snapshot:
        """Show a page at an address that exists here alone. Raises BrowserError."""
        self._shown, self._html = url, EMPTY_ELEMENT.sub(r"<\1\2></\1>", TEXT_WRAPPER.sub("", html))
        try:
            await self._page.close()
            self._page = await self._context.new_page()
            await self._page.goto(url, wait_until="domcontentloaded")
            await self._page.evaluate(RESTORE)
        except Error as error:
            raise BrowserError(f"{url} cannot be shown: {error.message}") from error
        return await take_snapshot(self._page)

    async def find_candidate(self, ref: str, candidates: Sequence[str]) -> str:
        """The backend_node_id that an element of the snapshot stands for; empty for none.

        Raises BrowserError.
        """
        try:
            element = await self._page.query_selector(f"aria-ref={ref}")
            found = element and await element.evaluate(FIND_CANDIDATE, list(candidates))
        except Error as error:
            raise BrowserError(f"{ref} cannot be looked up: {error.message}") from error
        return str(found or "")

    async def shows_any(self, elements: Sequence[str]) -> bool:
        """Whether one of the elements is visible. Raises BrowserError."""
        try:
            return bool(await self._page.evaluate(ANY_VISIBLE, list(elements)))
        except Error as error:
            raise BrowserError(f"The page cannot be read: {error.message}") from error

    async def restore(self, trajectory: str, steps: Sequence[Step]) -> None:
        """Nothing: the page of the step is shown."""

    async def examine(self, trajectory: str, action: Action) -> ActionCheck:
        """No objection: a recorded page has no scripts, and nothing is performed on it."""
        return ActionCheck()

    async def perform(self, trajectory: str, action: Action, step: str = "") -> ActionResult:
        """Raises BrowserError."""
        raise BrowserError("Nothing can be done on a recorded page.")

    async def render(self, url: str) -> OpenedPage:
        """Raises BrowserError."""
        raise BrowserError("No other page is recorded.")

    async def screenshot(self, trajectory: str) -> bytes:
        """See Browser.screenshot."""
        return await take_marked_screenshot(self._page)

    async def close_tabs(self, trajectory: str) -> None:
        """Nothing: the next page closes the tab."""

    async def _answer_request(self, route: Route) -> None:
        if route.request.url == self._shown and route.request.is_navigation_request():
            headers = {"Content-Security-Policy": POLICY}
            await route.fulfill(
                body=self._html, content_type="text/html; charset=utf-8", headers=headers
            )
        else:
            await route.abort()
