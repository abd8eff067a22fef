"""Selects an option, in a native list or in one that a page has built."""

from typing import Final, TypedDict

from playwright.async_api import ElementHandle

from forager.errors import ActionError

MOST_OPTIONS: Final = 20
NATIVE_OPTIONS = """(one) => {
  const list = one.tagName === "SELECT" ? one
    : (one.control?.tagName === "SELECT" ? one.control : one.querySelector("select"));
  return list && {
    many: list.multiple,
    options: [...list.options].map((o) => [o.label.trim() || o.text.trim(), o.value]),
    off: [...list.options].filter((o) => o.matches(":disabled")).map((o) => o.value),
  };
}"""
NATIVE_LIST = (
    """(one) => one.tagName === "SELECT" ? one : (one.control || one.querySelector("select"))"""
)
IS_CLOSED = """(one) => one.getAttribute("aria-expanded") === "false" || (
  one.getAttribute("role") === "combobox" && one.getAttribute("aria-expanded") !== "true")"""
FIND_OPTION = """async (one, wanted) => {
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
IS_INPUT = """(one) => one.matches("input")"""


class _List(TypedDict):
    many: bool
    options: list[list[str]]
    off: list[str]


async def select_option(element: ElementHandle, wanted: str) -> None:
    """Select the option with this label or value. Raises ActionError if there is none."""
    chosen = await native_values(element, wanted)
    if chosen:
        target = (await element.evaluate_handle(NATIVE_LIST)).as_element() or element
        await target.select_option(value=chosen)
        return
    if await element.evaluate(IS_CLOSED):
        await element.click()
    option = await element.evaluate_handle(FIND_OPTION, wanted)
    if option.as_element() is None and await element.evaluate(IS_INPUT):
        await element.fill(wanted)
        option = await element.evaluate_handle(FIND_OPTION, wanted)
    handle = option.as_element()
    if handle is None:
        raise _unknown_option(wanted, await option.json_value())
    await handle.click()


async def native_values(element: ElementHandle, wanted: str) -> list[str]:
    """The values to select in a native list; of another list nothing is known before it opens.

    Raises ActionError if a native list has no such option, or one that is switched off.
    """
    native: _List | None = await element.evaluate(NATIVE_OPTIONS)
    if not native:
        return []
    chosen = _values_of_options(native["options"], wanted, many=native["many"])
    if not set(native["off"]).isdisjoint(chosen):
        raise ActionError(f"The option {wanted!r} is disabled.")
    return chosen


def _values_of_options(options: list[list[str]], wanted: str, *, many: bool) -> list[str]:
    """The values of what is to be selected; several in a list that takes several, by commas."""
    if value := _value_of_option(options, wanted):
        return value
    each = [_value_of_option(options, one.strip()) for one in wanted.split(",")]
    if many and all(each):
        return [value for values in each for value in values]
    raise _unknown_option(wanted, [label for label, _ in options])


def _value_of_option(options: list[list[str]], wanted: str) -> list[str]:
    """The value of the option that is called so, or has this value, as a list of one or none."""
    folded = " ".join(wanted.split()).casefold()
    exact = [value for label, value in options if wanted in (label, value)]
    alike = [
        value
        for label, value in options
        if folded in (" ".join(label.split()).casefold(), value.casefold())
    ]
    return (exact or alike)[:1]


def _unknown_option(wanted: str, options: list[str]) -> ActionError:
    names = ", ".join(repr(name) for name in options[:MOST_OPTIONS]) or "none"
    return ActionError(f"There is no option {wanted!r} here.", f"The options are: {names}.")
