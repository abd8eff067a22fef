"""Checks an action against the live page, without performing it."""

import asyncio
from typing import Final, TypedDict

from playwright.async_api import BrowserContext, Download, ElementHandle, Error, Locator, Page
from playwright.async_api import TimeoutError as PlaywrightTimeout

from forager.adapters.browser.actions.field_input import FORMAT_HINTS, native_values
from forager.adapters.browser.actions.perform import find_element
from forager.adapters.browser.guard.permitted_urls import PermittedUrls
from forager.adapters.browser.playwright_calls import await_quietly, close_page, translate_error
from forager.adapters.browser.tabs import BLANK, Tabs
from forager.browsing import action_validity
from forager.browsing.page import gates
from forager.browsing.page.aria import parse_aria
from forager.browsing.safety import judge
from forager.domain.actions import Action
from forager.domain.browser import Control
from forager.domain.urls import check_allowed_now
from forager.errors import ActionError, AddressError, RobotsError, WebError
from forager.ports import ActionCheck

ON_ELEMENTS = frozenset({"click", "type", "select", "drag", "press"})
TIMEOUT_MS = 2000.0

READ_CONTROL = r"""
element => {
  const clip = (text, most = 120) => (text || "").replace(/\s+/g, " ").trim().slice(0, most);
  const up = (node, selector) => {
    for (let at = node; at; at = at.getRootNode().host) {
      const found = at.closest?.(selector);
      if (found) return found;
    }
    return null;
  };
  const ACTIVE = "a, button, input, select, textarea, summary, option, label, [role=button]," +
    " [role=link], [role=menuitem], [role=switch], [role=checkbox], [role=radio], [role=tab]," +
    " [role=menuitemcheckbox], [role=menuitemradio], [role=slider], [onclick], [contenteditable]," +
    " [data-method], [hx-post], [hx-put], [hx-patch], [hx-delete]";
  let node = up(element, ACTIVE) || element;
  if (node.tagName === "LABEL" && node.control) node = node.control;
  const owner = node.tagName === "OPTION" ? node.closest("select") || node : node;
  const attribute = (at, name) => at.getAttribute?.(name) || "";
  const byId = at => attribute(at, "aria-labelledby").split(/\s+/).filter(Boolean)
    .map(id => at.getRootNode().getElementById?.(id)?.textContent || "").join(" ");
  const pressable = at => at.tagName === "BUTTON" ? !["button", "reset"].includes(at.type)
    : at.tagName === "INPUT" && ["submit", "image"].includes(at.type);
  const said = at => clip(attribute(at, "aria-label") || byId(at)
    || [...(at.labels || [])].map(each => each.textContent).join(" ")
    || (at.tagName === "INPUT" && ["submit", "button", "reset", "image"].includes(at.type)
        ? at.value || at.alt || at.type : "")
    || (["INPUT", "SELECT", "TEXTAREA"].includes(at.tagName) ? at.placeholder || at.name
        : at.innerText || at.textContent || at.querySelector?.("[alt]")?.alt));
  const HOOK = new RegExp("^(on(click|change|submit|input|keydown|keyup|keypress|mousedown)$"
    + "|(data-)?hx-|wire:|phx-|x-on:|@|ng-|v-|formaction$|name$|value$|id$|class$|data-(?!v-))");
  const hooks = {};
  for (const each of node.attributes) {
    if (HOOK.test(each.name) && !(each.name === "value" && !pressable(node))) {
      hooks[each.name] = clip(each.value, 200);
    }
  }
  const form = owner.form || up(owner, "form");
  let told = null;
  if (form) {
    const all = [...form.elements];
    const submits = all.filter(each => pressable(each) && !each.disabled);
    const presses = pressable(node) ? node : submits[0];
    const hidden = all.filter(each => each.type === "hidden" || each === presses);
    const shown = all.filter(each => !["hidden", "submit", "image", "button", "reset", "fieldset",
      "output"].includes(each.type) && each.tagName !== "OBJECT");
    const COMMAND = new RegExp("^[@:_]?(wp)?(action|do|op|cmd|command|mode|task|act|method|event"
      + "|func|call|operation|todo)(\\[.*\\])?$", "i");
    const written = form.hasAttribute("method") || form.hasAttribute("action");
    const method = (presses && attribute(presses, "formmethod"))
      || (written ? attribute(form, "method") || "get" : "");
    const action = (presses && attribute(presses, "formaction")) || attribute(form, "action");
    told = {
      method: method.toLowerCase(),
      action: URL.canParse(action || document.URL, document.baseURI)
        ? new URL(action || document.URL, document.baseURI).href : action,
      fields: shown.map(each => each.type || each.tagName.toLowerCase()),
      names: shown.map(each => clip(each.name, 40)),
      commands: hidden.filter(each => COMMAND.test(each.name))
        .map(each => clip(`${each.name}=${each.value}`, 60)),
      default: submits[0] ? said(submits[0]) : "",
      submits: submits.length,
      search: !!up(form, "[role=search], search") || !!form.querySelector("input[type=search]"),
    };
  }
  const drawn = [...node.querySelectorAll("i, svg, use, img, span, [class*=icon]"), node];
  const icons = drawn.slice(0, 12).flatMap(each => [
      attribute(each, "class"), attribute(each, "data-icon"), attribute(each, "alt"),
      attribute(each, "href") || attribute(each, "xlink:href"),
      each.tagName === "IMG" ? attribute(each, "src").split("/").pop().slice(0, 60) : ""]);
  const dialog = up(node, "dialog, [role=dialog], [role=alertdialog], [aria-modal=true]");
  const link = up(node, "a[href], area[href]");
  const href = link ? attribute(link, "href") : "";
  const script = !href || href.startsWith("#") || /^javascript:/i.test(href);
  if (/^javascript:/i.test(href)) hooks.href = clip(href, 200);
  const popup = attribute(node, "aria-haspopup");
  return {
    tag: owner.tagName.toLowerCase(),
    role: attribute(node, "role"),
    kind: ["INPUT", "BUTTON"].includes(node.tagName) ? node.type : "",
    label: said(owner),
    title: clip(attribute(node, "title") || attribute(owner, "placeholder")),
    icons: icons.map(each => clip(each, 60)).filter(Boolean),
    href: script ? "" : link.href,
    hooks,
    around: dialog ? clip(dialog.innerText, 300) : "",
    form: told,
    submits: !!form && pressable(node),
    popup: (!!popup && popup !== "false") || node.hasAttribute("aria-expanded")
      || node.tagName === "SUMMARY" || node.hasAttribute("popovertarget"),
    disabled: node.matches(":disabled") || attribute(node, "aria-disabled") === "true",
    editable: node.isContentEditable,
    search: !!up(node, "[role=search], search") || attribute(node, "role") === "searchbox",
  };
}
"""
FOCUSED_ELEMENT = """() => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at || document.body;
}"""


async def read_action_control(page: Page, action: Action) -> Control | None:
    """Read the element of an action: the one with its ref, or else the focused one.

    None if the action needs no element or the element is gone.
    """
    if action.kind not in ON_ELEMENTS:
        return None
    try:
        if action.target:
            return await read_control(page.locator(f"aria-ref={action.target}"))
        focused = await page.evaluate_handle(FOCUSED_ELEMENT)
        element = focused.as_element()
        read = await element.evaluate(READ_CONTROL) if element else None
        await focused.dispose()
    except Error:
        return None
    return Control.model_validate(read) if read else None


async def read_control(locator: Locator) -> Control:
    """Read an element and what it may trigger. Raises Playwright's Error."""
    return Control.model_validate(await locator.evaluate(READ_CONTROL, timeout=TIMEOUT_MS))


URL_KINDS = frozenset({"goto", "new_tab"})


class ActionExaminer:
    """Checks URLs and possible side effects of actions, without touching the page."""

    def __init__(self, permits: PermittedUrls) -> None:
        self._permits = permits

    async def require_permitted(self, action: Action) -> None:
        """Raises WebError if the URL of an action must not be opened."""
        if action.kind in URL_KINDS and action.target:
            await self._permits.require_permitted(action.target)

    async def address_fault(self, page: Page | None, action: Action) -> str:
        """Why the URL of an action or of its link must not be opened; empty if it may."""
        try:
            await self.require_permitted(action)
            if action.kind == "click" and page is not None:
                control = await read_action_control(page, action)
                if control and control.href.startswith("http"):
                    check_allowed_now(control.href)
                    await self._permits.require_permitted(control.href)
        except (AddressError, RobotsError) as error:
            return str(error)
        except WebError:
            return ""  # whether it can be reached shows when it is opened
        return ""

    async def side_effect(self, page: Page | None, action: Action) -> str:
        """Why the action may change something on the server; empty if it does not."""
        control = await read_action_control(page, action) if page is not None else None
        return judge.expected_side_effect(control, action)


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
    login: gates.LoginState


async def examine_action(tabs: Tabs, action: Action, *, harmful: bool = False) -> ActionCheck:
    """Why an action is not possible now, and whether a gate needs a person.

    A URL is tried in a background tab, unless that may be `harmful`. Raises BrowserError.
    """
    if not tabs.pages and action.kind not in {"goto", "new_tab"}:
        return ActionCheck(fault="No tab is open: go to an address first.")
    snapshot = await tabs.take_snapshot()
    root = parse_aria(snapshot.tree)
    fault = action_validity.action_fault(action, root, snapshot, len(tabs.pages))
    if fault:
        return ActionCheck(fault=fault)
    login: gates.LoginState = ""
    if action.kind in gates.PAGE_KINDS and action.target:
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
    return ActionCheck(
        fault=fault, gate="" if fault else gates.human_gate(action, root, frames, login)
    )


NO_PAGE_SIGNS: Final = ("Download is starting", "ERR_ABORTED")
"""A download begins, or a request after the first was refused, which `perform` reports."""


async def unreachable_reason(context: BrowserContext, url: str, seconds: float) -> str:
    """Why a URL cannot be opened; empty if it can. Tries it in a background tab.

    A download that starts there is cancelled.
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
        goes_elsewhere = any(sign in error.message for sign in NO_PAGE_SIGNS)
        return "" if goes_elsewhere else str(translate_error(error, f"Going to {url}"))
    finally:
        await close_page(page)
        await asyncio.gather(*(await_quietly(each.cancel()) for each in downloads))
    status = answer.status if answer else 200
    return f"The server answers with error {status} there." if status >= 400 else ""  # noqa: PLR2004


async def _live_element_fault(page: Page, action: Action, facts: _Facts) -> str:
    """Why the live element does not allow the action; its role was checked before."""
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
