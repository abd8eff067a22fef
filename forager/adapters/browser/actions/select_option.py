"""Selects an option, in a native list or in one that a page has built."""

from typing import Final, TypedDict

from playwright.async_api import ElementHandle

from forager.errors import ActionError

SHOWN: Final = 20
NATIVE = """(one) => {
  const list = one.tagName === "SELECT" ? one
    : (one.control?.tagName === "SELECT" ? one.control : one.querySelector("select"));
  return list && {
    many: list.multiple,
    options: [...list.options].map((o) => [o.label.trim() || o.text.trim(), o.value]),
    off: [...list.options].filter((o) => o.matches(":disabled")).map((o) => o.value),
  };
}"""
LIST = """(one) => one.tagName === "SELECT" ? one : (one.control || one.querySelector("select"))"""
OPEN = """(one) => one.getAttribute("aria-expanded") === "false" || (
  one.getAttribute("role") === "combobox" && one.getAttribute("aria-expanded") !== "true")"""
OPTION = """async (one, wanted) => {
  const said = (each) => (each.getAttribute("aria-label") || each.textContent || "")
    .replace(/\\s+/g, " ").trim();
  const roles = "[role=option], [role=menuitem], [role=menuitemradio], [role=treeitem],"
    + "[role=radio], input[type=radio], .ui-menu-item";
  const named = (each) => said(each) || [...(each.labels || [])].map(said).join(" ")
    || each.value || "";
  const lists = () => (one.getAttribute("aria-controls") || one.getAttribute("aria-owns") || "")
    .split(/\\s+/).map((id) => id && document.getElementById(id)).filter(Boolean);
  const shown = (each) => each.checkVisibility({visibilityProperty: true});
  const root = one.getRootNode();
  const lower = wanted.toLowerCase();
  for (let tries = 0; ; tries += 1) {
    const all = [one, ...lists(), root].flatMap((place) => [...place.querySelectorAll(roles)]);
    const seen = [...new Set(all)].filter(shown);
    const found = seen.find((each) => named(each) === wanted)
      || seen.find((each) => named(each).toLowerCase() === lower)
      || seen.find((each) => each.dataset.value === wanted);
    if (found) return found;
    if (tries === 20) return seen.map(named).slice(0, 20);
    await new Promise((next) => setTimeout(next, 50));
  }
}"""
"""The option, once the list has it; after a second, what the list has in place of it."""
TYPED = """(one) => one.matches("input")"""


class _List(TypedDict):
    many: bool
    options: list[list[str]]
    off: list[str]


async def select(element: ElementHandle, wanted: str) -> None:
    """Select the option with this label or value. Raises ActionError if there is none."""
    chosen = await options_of(element, wanted)
    if chosen:
        target = (await element.evaluate_handle(LIST)).as_element() or element
        await target.select_option(value=chosen)
        return
    if await element.evaluate(OPEN):
        await element.click()
    option = await element.evaluate_handle(OPTION, wanted)
    if option.as_element() is None and await element.evaluate(TYPED):
        await element.fill(wanted)
        option = await element.evaluate_handle(OPTION, wanted)
    handle = option.as_element()
    if handle is None:
        raise _unknown(wanted, await option.json_value())
    await handle.click()


async def options_of(element: ElementHandle, wanted: str) -> list[str]:
    """The values to select in a native list; of another list nothing is known before it opens.

    Raises ActionError if a native list has no such option, or one that is switched off.
    """
    native: _List | None = await element.evaluate(NATIVE)
    if not native:
        return []
    chosen = _values(native["options"], wanted, many=native["many"])
    if not set(native["off"]).isdisjoint(chosen):
        raise ActionError(f"The option {wanted!r} is disabled.")
    return chosen


def _values(options: list[list[str]], wanted: str, *, many: bool) -> list[str]:
    """The values of what is to be selected; several in a list that takes several, by commas."""
    if value := _value(options, wanted):
        return value
    each = [_value(options, one.strip()) for one in wanted.split(",")]
    if many and all(each):
        return [value for values in each for value in values]
    raise _unknown(wanted, [label for label, _ in options])


def _value(options: list[list[str]], wanted: str) -> list[str]:
    """The value of the option that is called so, or has this value, as a list of one or none."""
    folded = " ".join(wanted.split()).casefold()
    exact = [value for label, value in options if wanted in (label, value)]
    alike = [
        value
        for label, value in options
        if folded in (" ".join(label.split()).casefold(), value.casefold())
    ]
    return (exact or alike)[:1]


def _unknown(wanted: str, options: list[str]) -> ActionError:
    names = ", ".join(repr(name) for name in options[:SHOWN]) or "none"
    return ActionError(f"There is no option {wanted!r} here.", f"The options are: {names}.")
