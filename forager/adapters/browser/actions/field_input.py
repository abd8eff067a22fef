"""Fills in fields and selects options, whatever the page has built them from."""

from typing import Final, TypedDict

from playwright.async_api import ElementHandle, Error, Page

from forager.errors import ActionError

LONGEST_TYPED: Final = 200
"""The most characters to type key by key, for fields that reformat their input."""
FILLED_AT_ONCE: Final = frozenset(
    {"date", "time", "month", "week", "datetime-local", "color", "range", "number", "file"}
)
SEVERAL_LINES: Final = frozenset({"textarea", "div", "p", "body", "section", "article"})
FIELD_FACTS = """(one) => {
  const inner = one.matches("input, textarea, select, [contenteditable]") ? one
    : one.querySelector("input, textarea, [contenteditable]")
    || (one.control instanceof Element ? one.control : one);
  return {
    kind: inner.tagName === "INPUT" ? inner.type : inner.tagName.toLowerCase(),
    value: String(inner.value ?? inner.textContent ?? ""),
    within: inner !== one,
    locked: !!inner.readOnly,
  };
}"""
INNER_FIELD = (
    """(one) => one.querySelector("input, textarea, [contenteditable]") || one.control || one"""
)


class _Field(TypedDict):
    kind: str
    value: str
    within: bool
    locked: bool


async def fill_field(
    page: Page, element: ElementHandle, text: str, *, secret: bool = False
) -> None:
    """Replace the content of a field. Raises ActionError if it does not take the text.

    The error does not quote a `secret`, as a field may have reformatted it beyond masking.
    """
    field: _Field = await element.evaluate(FIELD_FACTS)
    if field["within"]:
        element = (await element.evaluate_handle(INNER_FIELD)).as_element() or element
    if field["locked"]:
        mend = "Click it: a picker may open."
        raise ActionError("The field is read-only and cannot be typed into.", mend)
    if field["kind"] in FILLED_AT_ONCE:
        await _fill_at_once(element, field["kind"], text)
        return
    if field["kind"] not in SEVERAL_LINES:
        text = " ".join(text.splitlines())
    await element.fill(text[:-1])
    if text:
        await page.keyboard.type(text[-1])  # triggers key events that a page may wait for
    if not _took_text(text, await _field_value(element)):
        await _type_by_key(page, element, text, told=not secret and field["kind"] != "password")


async def _fill_at_once(element: ElementHandle, kind: str, text: str) -> None:
    """Set a field's value at once; the field drops a value that it does not understand."""
    try:
        await element.fill(text)
    except Error as error:
        if "Cannot type" not in error.message:
            raise
        raise _unfit_error(kind, text) from error
    if text and await _field_value(element) == "":
        raise _unfit_error(kind, text)


def _unfit_error(kind: str, text: str) -> ActionError:
    return ActionError(f"{text!r} is not a valid {kind} for this field.", FORMAT_HINTS[kind])


async def _type_by_key(page: Page, element: ElementHandle, text: str, *, told: bool) -> None:
    """Type key by key, for fields that reformat their input."""
    await element.focus()
    await page.keyboard.press("ControlOrMeta+a")
    await page.keyboard.press("Delete")
    await page.keyboard.press("Home")
    await page.keyboard.type(text[:LONGEST_TYPED])
    stands = await _field_value(element)
    if not _took_text(text, stands):
        instead = f"{stands!r} in place of {text!r}" if told else "something else"
        raise ActionError(f"The field took {instead}.")


async def _field_value(element: ElementHandle) -> str | None:
    """The field's value; None if the field is gone."""
    try:
        field: _Field = await element.evaluate(FIELD_FACTS)
    except Error:  # the page took the text and replaced the field
        return None
    return field["value"]


def _took_text(text: str, stands: str | None) -> bool:
    """Does the field's value contain all typed letters and digits, in order?"""
    if stands is None:
        return True
    said = iter(stands.casefold())
    return all(letter in said for letter in text.casefold() if letter.isalnum())


FORMAT_HINTS: Final = {
    "date": "Write a date as 2026-12-31.",
    "time": "Write a time as 23:59.",
    "month": "Write a month as 2026-12.",
    "week": "Write a week as 2026-W52.",
    "datetime-local": "Write date and time as 2026-12-31T23:59.",
    "color": "Write a color as #1a2b3c.",
    "range": "Write a number within the slider's range.",
    "number": "Write a plain number.",
    "file": "Files cannot be uploaded.",
}


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
"""Waits up to a second for an option; returns it, or else the names of the options."""
IS_INPUT = """(one) => one.matches("input")"""


class _List(TypedDict):
    many: bool
    options: list[list[str]]
    off: list[str]


async def select_option(element: ElementHandle, wanted: str) -> None:
    """Select the option with a label or value. Raises ActionError if there is none."""
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
    """The values to select in a native list; empty for other lists, which must be opened first.

    Raises ActionError if a native list lacks the option or has it disabled.
    """
    native: _List | None = await element.evaluate(NATIVE_OPTIONS)
    if not native:
        return []
    chosen = _values_of_options(native["options"], wanted, many=native["many"])
    if not set(native["off"]).isdisjoint(chosen):
        raise ActionError(f"The option {wanted!r} is disabled.")
    return chosen


def _values_of_options(options: list[list[str]], wanted: str, *, many: bool) -> list[str]:
    """The values to select; a multiple-choice list takes several options, comma-separated."""
    if value := _value_of_option(options, wanted):
        return value
    each = [_value_of_option(options, one.strip()) for one in wanted.split(",")]
    if many and all(each):
        return [value for values in each for value in values]
    raise _unknown_option(wanted, [label for label, _ in options])


def _value_of_option(options: list[list[str]], wanted: str) -> list[str]:
    """The value of the option with this label or value, as a list of one or none."""
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
