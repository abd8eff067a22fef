"""Holds an action against the live page, without doing it."""

import asyncio
from typing import Final, TypedDict

from playwright.async_api import BrowserContext, Download, ElementHandle, Error, Page
from playwright.async_api import TimeoutError as PlaywrightTimeout

from forager.adapters.browser.actions.fill_field import FORMAT_HINTS
from forager.adapters.browser.actions.perform import find_element
from forager.adapters.browser.actions.select_option import native_values
from forager.adapters.browser.playwright_errors import translate_error
from forager.adapters.browser.process.shutdown import await_quietly, close_page
from forager.adapters.browser.tabs import BLANK, Tabs
from forager.browsing import action_validity
from forager.browsing.page import gates
from forager.browsing.page.aria import parse
from forager.domain.actions import Action
from forager.errors import ActionError
from forager.ports import Examined

LIVE_FACTS: Final = """(one) => {
  const field = one.matches("input, textarea, select, [contenteditable]") ? one
    : one.control || one.querySelector("input, textarea, [contenteditable]") || one;
  const box = one.getBoundingClientRect();
  const label = field.labels?.[0];
  const shown = one.checkVisibility({visibilityProperty: true}) && box.width > 0 && box.height > 0;
  const over = () => {
    if (!shown || one.getClientRects().length !== 1) return "";
    one.scrollIntoView({block: "nearest", behavior: "instant"});
    const {left, top, width, height} = one.getBoundingClientRect();
    const at = one.getRootNode().elementFromPoint(left + width / 2, top + height / 2);
    const own = !at || one.contains(at) || at.contains(one) || at.shadowRoot?.contains(one)
      || label?.contains(at) || (at.closest("label")?.control === field);
    const text = own ? "" : at.textContent.replace(/\\s+/g, " ").trim().slice(0, 60);
    return own ? "" : `<${at.tagName.toLowerCase()}>` + (text ? ` '${text}'` : "");
  };
  const texts = new RegExp("^(text|search|url|tel|email|password|number|date|time|month|week"
    + "|datetime-local|color|range)$");
  const passwords = [...(field.form?.querySelectorAll("input[type=password]") || [])];
  return {
    shown: shown || !!label?.checkVisibility(),
    off: field.matches(":disabled") || !!one.closest("[aria-disabled=true], [inert]"),
    locked: !!field.readOnly || one.getAttribute("aria-readonly") === "true",
    takes: field.tagName === "TEXTAREA" || field.isContentEditable
      || (field.tagName === "INPUT" && texts.test(field.type)),
    kind: field.tagName === "INPUT" ? field.type : field.tagName.toLowerCase(),
    role: one.getAttribute("role") || "",
    over: over(),
    login: field.type === "password" ? "target"
      : passwords.some((each) => !each.value && each.checkVisibility()) ? "missing" : "",
  };
}"""


class _Facts(TypedDict):
    shown: bool
    off: bool
    locked: bool
    takes: bool
    kind: str
    role: str
    over: str
    login: gates.Login


async def examine_action(tabs: Tabs, action: Action, *, harmful: bool = False) -> Examined:
    """Why an action cannot be done here now, and what only a person can pass.

    Whether an address answers is found out in a background tab, unless it is `harmful` to ask.
    Raises BrowserError.
    """
    if not tabs.pages and action.kind not in {"goto", "new_tab"}:
        return Examined(fault="No tab is open: go to an address first.")
    snapshot = await tabs.take_snapshot()
    root = parse(snapshot.tree)
    fault = action_validity.action_fault(action, root, snapshot, len(tabs.pages))
    if fault:
        return Examined(fault=fault)
    login: gates.Login = ""
    if action.kind in gates.ON_PAGE and action.target:
        try:
            facts: _Facts = await (await find_element(tabs.page, action.target)).evaluate(
                LIVE_FACTS
            )
            login = facts["login"]
            fault = await _live_element_fault(tabs.page, action, facts)
        except Error as error:
            fault = str(translate_error(error, action.kind))
        except ActionError as error:
            fault = str(error)
    elif action.kind == "goto" and not harmful and tabs.pages and tabs.page.url != BLANK:
        fault = await unreachable_reason(tabs.page.context, action.target, tabs.patience.answer)
    frames = [frame.url for frame in tabs.page.frames] if tabs.pages else []
    return Examined(fault=fault, gate="" if fault else gates.gate(action, root, frames, login))


async def unreachable_reason(context: BrowserContext, url: str, seconds: float) -> str:
    """Why an address cannot be gone to, or nothing: it is opened in a background tab.

    A download that begins there is not let go on.
    """
    page = await context.new_page()
    downloads: list[Download] = []

    def began(download: Download) -> None:
        downloads.append(download)

    page.on("download", began)
    try:
        answer = await page.goto(url, wait_until="commit", timeout=seconds * 1000)
    except PlaywrightTimeout:
        return f"{url} does not answer."
    except Error as error:
        starts = "Download is starting" in error.message
        return "" if starts else str(translate_error(error, f"Going to {url}"))
    finally:
        await close_page(page)
        await asyncio.gather(*(await_quietly(each.cancel()) for each in downloads))
    status = answer.status if answer else 200
    return f"The server answers with the error {status} there." if status >= 400 else ""  # noqa: PLR2004


async def _live_element_fault(page: Page, action: Action, facts: _Facts) -> str:
    """What of the live element forbids the action; what its role forbids was asked before."""
    ref = action.target
    if not facts["shown"]:
        return f"{ref} is not visible: something must open or unfold first."
    if facts["off"] and action.kind != "hover":
        return f"{ref} is disabled: something else must be done first."
    if action.kind == "click" and facts["over"]:
        return f"{ref} is covered by {facts['over']}: close or pass that first."
    if action.kind == "type":
        return _live_typing_fault(action, facts)
    if action.kind == "select":
        return await _live_selection_fault(await find_element(page, ref), action)
    return ""


def _live_typing_fault(action: Action, facts: _Facts) -> str:
    if facts["kind"] == "file":
        return f"{action.target} takes a file: {FORMAT_HINTS['file']}"
    if facts["locked"]:
        return f"{action.target} is read-only: click it, a picker may open."
    if not facts["takes"] and facts["role"] not in {"textbox", "searchbox", "combobox"}:
        return f"{action.target} is a {facts['kind']} that takes no text: choose a field."
    return ""


async def _live_selection_fault(element: ElementHandle, action: Action) -> str:
    try:
        await native_values(element, action.value)
    except ActionError as error:
        return str(error)
    return ""
