"""Counts in the page what a person does: presses of the mouse, keys, words typed into a field."""

from playwright.async_api import Page

LISTEN = """() => {
  if (window.counting) return;
  window.counting = true;
  let field = null;
  const count = () => { sessionStorage.gestures = Number(sessionStorage.gestures ?? 0) + 1; };
  const writes = (place) => place?.isContentEditable || /^(INPUT|TEXTAREA)$/.test(place?.tagName);
  addEventListener("pointerdown", () => { field = null; count(); }, true);
  addEventListener("keydown", (event) => {
    if (["Shift", "Control", "Meta", "Alt"].includes(event.key)) return;
    const place = event.composedPath()[0];
    const typed = event.key.length === 1 && !event.ctrlKey && !event.metaKey && writes(place);
    if (typed && place === field) return;
    field = typed ? place : null;
    count();
  }, true);
  addEventListener("input", (event) => {
    if (!event.isTrusted || event.composedPath().includes(field)) return;
    field = event.composedPath()[0];
    count();
  }, true);
}"""


async def listen(page: Page) -> None:
    """Count from the next page on."""
    await page.add_init_script(f"({LISTEN})()")


async def begin(page: Page) -> None:
    """Count from here on."""
    await page.evaluate("sessionStorage.gestures = 0")


async def made(page: Page) -> int:
    """How many were made since."""
    return int(await page.evaluate("sessionStorage.gestures"))
