"""Waits until a page has settled: as long as something is under way, and no longer."""

import asyncio
from collections.abc import Callable, Collection
from types import TracebackType
from typing import Final, NamedTuple, Self

from playwright.async_api import BrowserContext, Error, Frame, Page, Request
from playwright.async_api import TimeoutError as PlaywrightTimeout

from forager.adapters.browser.playwright_calls import Timeouts
from forager.domain.browser import SentRequest

LONGEST_PAYLOAD: Final = 500
AWAITED: Final = frozenset({"document", "stylesheet", "script", "xhr", "fetch"})
"""Resource types that may change the page; images, fonts and streams do not."""
READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})


class PageTraffic:
    """Records the requests of a context while entered; `refusal_of(url)` is why one was refused."""

    def __init__(
        self, context: BrowserContext, refusal_of: Callable[[str], str] = lambda _: ""
    ) -> None:
        self._context = context
        self._refusal_of = refusal_of
        self._failed: list[Request] = []
        self._navigation_refused = asyncio.Event()
        self._requests: list[Request] = []
        self._flying: set[Request] = set()
        self._landed = asyncio.Event()

    def __enter__(self) -> Self:
        self._context.on("request", self._on_request)
        self._context.on("requestfinished", self._on_request_end)
        self._context.on("requestfailed", self._on_request_failure)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._context.remove_listener("request", self._on_request)
        self._context.remove_listener("requestfinished", self._on_request_end)
        self._context.remove_listener("requestfailed", self._on_request_failure)

    def is_navigating(self, page: Page) -> bool:
        """Has the page's main frame begun a navigation?"""
        return any(
            request.is_navigation_request() and frame_page == page and main
            for request in self._requests
            for frame_page, main in [owner_of(request)]
        )

    def has_pending(self, page: Page) -> bool:
        """Is the page waiting for a response that may change it?"""
        return any(owner_of(request)[0] == page for request in self._flying)

    async def wait_for_response(self, seconds: float) -> None:
        """Wait until a request ends, or the time is up."""
        self._landed.clear()
        try:
            async with asyncio.timeout(seconds):
                await self._landed.wait()
        except TimeoutError:
            return

    async def wait_for_refused_navigation(self) -> None:
        """Wait until a navigation is refused; a page that began it may then load no further."""
        await self._navigation_refused.wait()

    def sent_from(self, pages: Collection[Page]) -> tuple[SentRequest, ...]:
        """The requests of these pages other than GET, HEAD and OPTIONS, without refused ones."""
        refused = {request for request, _ in self.refused_from(pages)}
        return tuple(
            SentRequest(
                method=request.method,
                url=request.url,
                resource=request.resource_type,
                payload=_payload_of(request),
            )
            for request in self._requests
            if request.method not in READING
            and request not in refused
            and owner_of(request)[0] in pages
        )

    def refused_from(self, pages: Collection[Page]) -> list[tuple[Request, str]]:
        """The refused requests of these pages and of tabs without a page, with the reasons."""
        return [
            (request, why)
            for request in self._failed
            if (why := self._refusal_of(request.url)) and owner_of(request)[0] in {None, *pages}
        ]

    def _on_request(self, request: Request) -> None:
        self._requests.append(request)
        if request.resource_type in AWAITED:
            self._flying.add(request)

    def _on_request_failure(self, request: Request) -> None:
        self._failed.append(request)
        if request.is_navigation_request() and self._refusal_of(request.url):
            self._navigation_refused.set()
        self._on_request_end(request)

    def _on_request_end(self, request: Request) -> None:
        self._flying.discard(request)
        self._landed.set()


def owner_of(request: Request) -> tuple[Page | None, bool]:
    """The page that made a request, and whether its main frame did."""
    try:
        frame = request.frame
        return frame.page, frame.parent_frame is None
    except Error:  # a popup's first request, before there is a page
        return None, True


def _payload_of(request: Request) -> str:
    body = request.post_data_buffer
    return body[:LONGEST_PAYLOAD].decode("utf-8", "replace") if body else ""


WAIT_UNTIL_FILLED: Final = """(most) => new Promise((done) => {
  const state = window[Symbol.for("settling")];
  const later = state ? state.later : window.setTimeout;
  const USED = "a[href], button, input:not([type=hidden]), select, textarea, summary, img, video,"
    + " audio, canvas, object, embed, [role=button], [role=link], [role=img],"
    + " [onclick], [tabindex], [draggable=true], [contenteditable]";
  const seen = (one) => one.checkVisibility({visibilityProperty: true});
  const shows = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return !!node.data.trim() && seen(node.parentElement);
    if (node.nodeType !== Node.ELEMENT_NODE || /^(script|style|noscript|template|head)$/.test(
      node.localName)) return false;
    if (node.matches(USED)) return seen(node);
    if (node.matches("iframe, frame")) return seen(node) && framed(node);
    return [...(node.shadowRoot || node).childNodes].some(shows)
      || (!!node.shadowRoot && [...node.childNodes].some(shows));
  };
  const framed = (frame) => {
    if (frame.offsetWidth < 8 || frame.offsetHeight < 8) return false;
    const held = frame.contentDocument;
    return !held || (!!held.documentElement && shows(held.documentElement));
  };
  const began = performance.now();
  let looks = 0;
  const look = () => {
    if (document.documentElement && shows(document.documentElement)) return done(looks ? 1 : 0);
    if (performance.now() - began >= most) return done(0);
    looks += 1;
    later(look, 50);
  };
  look();
})"""
"""Waits until an empty page shows something; 1 if it did so after a wait, else 0."""


async def wait_until_filled(page: Page, end: float, patience: Timeouts) -> bool:
    """Wait until an empty page is filled or navigates; False if the time `end` comes first."""
    left = end - asyncio.get_running_loop().time()
    if left <= 0 or page.is_closed() or not page.url.startswith(("http://", "https://")):
        return False
    try:
        async with asyncio.timeout(left + patience.hung):
            return bool(await page.evaluate(WAIT_UNTIL_FILLED, left * 1000))
    except TimeoutError:
        return False
    except Error:  # the page navigated, or was closed
        return True


STILL_LOADING: Final = "The page is still loading."
BUSY: Final = "A script of the page is busy."

ARM_SCRIPT = """() => {
  const key = Symbol.for("settling");
  const kept = window[key];
  if (kept) { kept.openings = 0; kept.arm(); return; }
  const later = window.setTimeout, never = window.clearTimeout, open = window.open;
  const due = new Set();
  let depth = 0, armed = false;
  const state = window[key] = {due, later, openings: 0};
  const beside = (name) => !!name && !/^_(self|top|parent)$/i.test(name);
  const saved = (link) => !!link?.hasAttribute("download")
    && (link.origin === location.origin || link.protocol === "data:");
  const going = (event) => {
    const link = event.type === "click" ? event.target.closest?.("a[href], area[href]") : null;
    const at = event.type === "submit" ? event.submitter?.getAttribute("formtarget")
      || event.target.getAttribute("target") : link?.getAttribute("target");
    if (beside(at) || saved(link))
      later(() => { if (!event.defaultPrevented) state.openings += 1; }, 0);
  };
  const timer = function (handler, delay, ...rest) {
    if (typeof handler !== "function" || !(delay > 0 && delay <= 600) || depth > 0)
      return later(handler, delay, ...rest);
    const id = later(() => {
      depth += 1;
      try { handler.apply(window, rest); } finally { depth -= 1; due.delete(id); }
    }, delay);
    due.add(id);
    return id;
  };
  const cancel = (id) => { due.delete(id); never(id); };
  const opener = (...how) => {
    const opened = open.apply(window, how);
    if (opened || /noopener|noreferrer/.test(how[2] || "")) state.openings += 1;
    return opened;
  };
  state.arm = () => {
    if (armed) return;
    armed = true;
    window.setTimeout = timer;
    window.clearTimeout = cancel;
    window.open = opener;
    for (const type of ["click", "submit"]) addEventListener(type, going, true);
  };
  state.disarm = () => {
    if (!armed) return;
    armed = false;
    due.clear();
    if (window.setTimeout === timer) window.setTimeout = later;
    if (window.clearTimeout === cancel) window.clearTimeout = never;
    if (window.open === opener) window.open = open;
    for (const type of ["click", "submit"]) removeEventListener(type, going, true);
  };
  state.arm();
}"""
"""Records what the action triggers: short timers (delayed menus, search as you type), new tabs and
downloads.

Timers set by timers are ignored, so that a clock does not prevent settling."""

STAND_STILL = """() => new Promise((done) => {
  const state = window[Symbol.for("settling")];
  const later = state ? state.later : window.setTimeout;
  const began = performance.now();
  let changed = began, frames = 0;
  const observer = new MutationObserver(() => { changed = performance.now(); });
  observer.observe(document, {
    subtree: true, childList: true, attributes: true, characterData: true,
  });
  const moving = () => document.getAnimations().some((one) => {
    const end = one.effect && one.effect.getComputedTiming().endTime;
    return one.playState === "running" && end <= 600;
  });
  const look = () => {
    const now = performance.now();
    frames += 1;
    const still = frames >= 2 && now - changed >= 12 && !(state && state.due.size) && !moving();
    if (!still && now - began < 800) return next();
    observer.disconnect();
    if (state) state.disarm();
    done(state ? state.openings : 0);
  };
  const next = () => {
    let seen = false;
    const once = () => { if (!seen) { seen = true; look(); } };
    requestAnimationFrame(once);
    later(once, 40);
  };
  next();
})"""
"""Waits for two frames without changes and without due timers of the action; at most 0.8 s."""


class Rest(NamedTuple):
    """How a page settled: what did not come to rest, and how many tabs and downloads it began."""

    notes: tuple[str, ...] = ()
    openings: int = 0


async def arm_page(page: Page, patience: Timeouts) -> None:
    """Make the page record what the next action triggers."""
    await _run_in_all_frames(page, ARM_SCRIPT, patience.hung)


async def settle_page(page: Page, traffic: PageTraffic, patience: Timeouts) -> Rest:
    """Wait for a navigation to load, for pending requests, and for two quiet frames.

    An empty page gets some more time to show something.
    """
    rest = await _wait_until_still(page, traffic, patience)
    end = asyncio.get_running_loop().time() + patience.empty
    while not rest.notes and await wait_until_filled(page, end, patience):
        again = await _wait_until_still(page, traffic, patience)
        rest = Rest(again.notes, max(rest.openings, again.openings))
    return rest


async def _wait_until_still(page: Page, traffic: PageTraffic, patience: Timeouts) -> Rest:
    loop = asyncio.get_running_loop()
    end = loop.time() + patience.still
    loaded = False
    openings = 0
    while not page.is_closed():
        if traffic.is_navigating(page) and not loaded:
            loaded = True
            if not await _wait_until_loaded(page, traffic, patience.load):
                return Rest((STILL_LOADING,))
            end = loop.time() + patience.still
        opened = await _run_in_all_frames(page, STAND_STILL, patience.hung)
        if opened is None:
            return Rest((BUSY,), openings)
        openings = max(openings, opened)
        if traffic.is_navigating(page) and not loaded:
            continue
        if not traffic.has_pending(page):
            break
        if (left := end - loop.time()) <= 0:
            return Rest((STILL_LOADING,), openings)
        await traffic.wait_for_response(left)
    return Rest((), openings)


async def _wait_until_loaded(page: Page, traffic: PageTraffic, seconds: float) -> bool:
    """Wait until the page has loaded, or a navigation is refused; False if it takes too long."""
    loading = asyncio.ensure_future(page.wait_for_load_state("load", timeout=seconds * 1000))
    refusal = asyncio.ensure_future(traffic.wait_for_refused_navigation())
    try:
        await asyncio.wait((loading, refusal), return_when=asyncio.FIRST_COMPLETED)
        if loading.done():
            await loading
    except PlaywrightTimeout:
        return False
    except Error:  # the page was closed, or navigated
        return True
    finally:
        loading.cancel()
        refusal.cancel()
    return True


async def _run_in_all_frames(page: Page, script: str, seconds: float) -> int | None:
    """Run a script in all frames of a page; returns the sum of its results, None if it hangs."""
    try:
        async with asyncio.timeout(seconds):
            return sum(
                await asyncio.gather(*(_run_in_frame(frame, script) for frame in page.frames))
            )
    except TimeoutError:
        return None


async def _run_in_frame(frame: Frame, script: str) -> int:
    try:
        return int(await frame.evaluate(script) or 0)
    except Error:  # the frame is gone; its replacement is checked next
        return 0
