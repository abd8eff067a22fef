"""Puts a text into a field, whatever kind of field it is."""

from typing import Final, TypedDict

from playwright.async_api import ElementHandle, Error, Page

from forager.errors import ActionError

LONGEST_TYPED: Final = 200
"""A field that changes what it is given is typed into key by key, up to so many characters."""
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
    """Replace what stands in a field. Raises ActionError if it does not take the text.

    What became of a `secret` is not told: a field may shorten or write it so that none knows it.
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
        await page.keyboard.type(text[-1])  # the keys are heard that a page may wait for
    if not _took_text(text, await _field_value(element)):
        await _type_by_key(page, element, text, told=not secret and field["kind"] != "password")


async def _fill_at_once(element: ElementHandle, kind: str, text: str) -> None:
    """Give a field its value at once; it drops what it does not understand."""
    try:
        await element.fill(text)
    except Error as error:
        if "Cannot type" not in error.message:
            raise
        raise _unfit_error(kind, text) from error
    if text and await _field_value(element) == "":
        raise _unfit_error(kind, text)


def _unfit_error(kind: str, text: str) -> ActionError:
    return ActionError(f"{text!r} is no {kind} as this field takes it.", FORMAT_HINTS[kind])


async def _type_by_key(page: Page, element: ElementHandle, text: str, *, told: bool) -> None:
    """Type as a person does, for fields that put what they are given into a form of their own."""
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
    """What the field says, if it is still there."""
    try:
        field: _Field = await element.evaluate(FIELD_FACTS)
    except Error:  # the page took the text and replaced the field
        return None
    return field["value"]


def _took_text(text: str, stands: str | None) -> bool:
    """Does the field say what was typed, in whatever form, and maybe more?"""
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
