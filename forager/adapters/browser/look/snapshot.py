"""What a tab shows, as an accessibility tree with refs."""

import asyncio
import re
from collections.abc import Collection
from typing import Final, NamedTuple, Self, TypedDict
from weakref import WeakKeyDictionary

from playwright.async_api import CDPSession, Error, Frame, Page

from forager.adapters.browser.playwright_calls import LOOK_SECONDS
from forager.domain.browser import Snapshot
from forager.errors import BrowserError

NOWHERE: Final = ("about:blank", "chrome-error:", "chrome:")
SESSIONS: Final[WeakKeyDictionary[Page, CDPSession]] = WeakKeyDictionary()
"""One DevTools session per tab, so that not every snapshot has to open one."""


class _Entry(TypedDict):
    url: str


class TabHistory(NamedTuple):
    """Can a tab go back and forward?"""

    back: bool
    forward: bool

    @classmethod
    async def read_from(cls, page: Page) -> Self:
        """Ask the browser. Raises Playwright's Error."""
        try:
            if page not in SESSIONS:
                SESSIONS[page] = await page.context.new_cdp_session(page)
            told = await SESSIONS[page].send("Page.getNavigationHistory")
        except Error:
            SESSIONS.pop(page, None)
            raise
        entries: list[_Entry] = told["entries"]
        at = int(told["currentIndex"])
        return cls(
            back=at > 0 and not entries[at - 1]["url"].startswith(NOWHERE),
            forward=at + 1 < len(entries),
        )


MASK: Final = "•••"
TRIES: Final = 4
FILLED: Final = re.compile(r"^ *- '?(?:textbox|searchbox)\b.*?\[ref=(\w+)\](?: \[[^\]]*\])*'?:")
IS_MASKED = """(field) => field.matches(
  "input[type=password], [autocomplete~=current-password], [autocomplete~=new-password]")"""

PREPARE = """() => {
  if (!document.body) return {title: document.title || "", url: location.href, above: 0, below: 0,
    drags: false, secret: false, bare: true};
  const DRAGGED = "[draggable=true], .ui-draggable, .ui-sortable, .ui-resizable-handle, canvas";
  const kept = Symbol.for("reachable");
  if (!document[kept]) {
    document[kept] = true;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`:where(:is([tabindex]:not([tabindex^="-"]), [onclick], [draggable=true],
      .ui-draggable, .ui-resizable-handle, .ui-slider-handle):empty, canvas) { cursor: pointer }`);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  }
  for (const one of document.querySelectorAll("span, b, i, em, strong, small, font, label, abbr")) {
    if (one.childNodes.length !== 1 || one.firstChild.nodeType !== Node.TEXT_NODE) continue;
    const style = getComputedStyle(one);
    if (style.display !== "inline" || style.cursor !== "pointer") continue;
    if (getComputedStyle(one.parentElement).cursor !== "pointer") one.append("");
  }
  const page = document.scrollingElement || document.documentElement;
  let area = page;
  if (page.scrollHeight - innerHeight < 2) {
    let at = document.elementFromPoint(innerWidth / 2, innerHeight / 2);
    while (at && at !== page && !(at.scrollHeight - at.clientHeight > 1
      && /auto|scroll/.test(getComputedStyle(at).overflowY))) at = at.parentElement;
    area = at || page;
  }
  const seen = area === page ? innerHeight : area.clientHeight;
  return {
    title: document.title || "",
    url: location.href,
    above: Math.round(area.scrollTop),
    below: Math.max(0, Math.round(area.scrollHeight - seen - area.scrollTop)),
    drags: !!document.querySelector(DRAGGED),
    secret: !!document.querySelector("input[type=password], [autocomplete$=-password]"),
    bare: false,
  };
}"""
"""Makes Playwright give refs to two kinds of elements that it skips, and reads the page's facts.

Playwright merges a clickable word into its line of text unless it has more than one child, so an
empty text is added to it. It skips clickable elements without text unless the pointer is a hand
over them, so a style sheet sets that pointer."""


class _Facts(NamedTuple):
    title: str
    url: str
    above: int
    below: int
    drags: bool
    secret: bool
    bare: bool


async def take_snapshot(page: Page) -> Snapshot:
    """A snapshot of the tab, without the values of password fields. Raises BrowserError."""
    try:
        async with asyncio.timeout(LOOK_SECONDS):
            return await _read_snapshot(page)
    except TimeoutError as error:
        raise BrowserError(f"The page at {page.url} does not respond.") from error
    except Error as error:
        raise BrowserError(f"The tab cannot be read: {error.message}") from error


async def _read_snapshot(page: Page) -> Snapshot:
    for attempt in range(TRIES):
        try:
            said, history = await asyncio.gather(page.evaluate(PREPARE), TabHistory.read_from(page))
            facts = _Facts(**said)
            children = [frame for frame in page.frames if frame != page.main_frame]
            await asyncio.gather(*(_prepare_frame(frame) for frame in children))
            return Snapshot(
                url=facts.url,
                title=facts.title,
                tree="" if facts.bare else await _read_tree(page, main=facts.secret),
                above=facts.above,
                below=facts.below,
                drags=facts.drags,
                back=history.back,
                forward=history.forward,
            )
        except Error:
            if attempt == TRIES - 1 or page.is_closed():
                raise
            await page.wait_for_load_state("domcontentloaded")
    raise AssertionError("unreachable")


async def _read_tree(page: Page, *, main: bool) -> str:
    """The tree of a page that has a body (Playwright would wait for one)."""
    tree = await page.aria_snapshot(mode="ai", timeout=LOOK_SECONDS * 1000)
    return await _mask_passwords(page, tree, main=main)


async def _prepare_frame(frame: Frame) -> None:
    try:
        await frame.evaluate(PREPARE)
    except Error:  # a frame that is going away has nothing to show
        return


async def _mask_passwords(page: Page, tree: str, *, main: bool) -> str:
    """Mask the values of password fields in the tree."""
    if not main and len(page.frames) == 1:
        return tree
    refs = sorted({found[1] for line in tree.splitlines() if (found := FILLED.match(line))})
    asked = await asyncio.gather(*(_is_password_field(page, ref) for ref in refs))
    return mask_fields(
        tree, frozenset(ref for ref, secret in zip(refs, asked, strict=True) if secret)
    )


def mask_fields(tree: str, refs: Collection[str]) -> str:
    """Mask the values of the fields with these refs in a tree."""
    lines: list[str] = []
    field = -1
    for line in tree.splitlines():
        depth = len(line) - len(line.lstrip())
        found = FILLED.match(line)
        field = -1 if depth <= field else field
        if found and found[1] in refs:
            field = depth
            lines.append(found[0] + (f" {MASK}" if line[found.end() :].strip() else ""))
        elif field >= 0 and line.lstrip().startswith("- text:"):
            lines.append(f"{' ' * depth}- text: {MASK}")
        else:
            lines.append(line)
    return "\n".join(lines)


async def _is_password_field(page: Page, ref: str) -> bool:
    handle = await page.query_selector(f"aria-ref={ref}")
    return handle is None or bool(await handle.evaluate(IS_MASKED))
