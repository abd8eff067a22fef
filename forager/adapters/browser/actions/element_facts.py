"""Reads in the live page what an action's element may set off."""

from playwright.async_api import Error, Locator, Page

from forager.domain.actions import Action
from forager.domain.browser import Control

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
    """The element of an action that has one, by its ref; without one, that which has the focus.

    None where there is no such element (any more).
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
    """What a locator's element is and what hangs on it. Raises Playwright's Error."""
    return Control.model_validate(await locator.evaluate(READ_CONTROL, timeout=TIMEOUT_MS))
