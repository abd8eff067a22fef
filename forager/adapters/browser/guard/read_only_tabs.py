"""Makes tabs read-only: they can send nothing but GET and HEAD requests."""

import asyncio
import json
import re
from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress
from secrets import token_hex
from types import TracebackType
from typing import Final, Protocol, Self

from playwright.async_api import BrowserContext, Error, Frame, Page, Request, Route

from forager.domain.browser import SentRequest

READING: Final = frozenset({"GET", "HEAD"})
UNAWAITED: Final = frozenset({"ping", "cspviolationreport", "beacon", "other"})
"""Resource types for whose response no page waits: beacons and reports."""
LIFT_SECONDS: Final = 2.0

NO_SOCKETS: Final = (
    "delete self.WebSocket; delete self.WebSocketStream; delete self.WebTransport;"
    " delete self.Worker;\n"
)
"""Starts each worker's script: routes see what a worker fetches, but not what it streams."""

SCRIPT: Final = "text/javascript"
QUIET_SCRIPT: Final = """(() => {
  const key = Symbol.for("TOKEN"), sockets = SOCKETS;
  if (window[key]) return;
  let quiet = true, leaving = false;
  const blobs = new Map(), undo = [];
  const put = (owner, name, change) => {
    const old = owner && Object.getOwnPropertyDescriptor(owner, name);
    if (!old || !old.configurable) return;
    undo.push(() => Object.defineProperty(owner, name, old));
    if (change) Object.defineProperty(owner, name, { ...old, value: change(old.value) });
    else delete owner[name];
  };
  const instead = (does) => (old) => new Proxy(old, {
    apply: (real, self, said) => quiet ? does(real, self, said) : Reflect.apply(real, self, said),
  });
  const made = (makes) => (old) => new Proxy(old, {
    construct: (real, said, type) =>
      quiet ? makes(real, said) : Reflect.construct(real, said, type),
  });
  const writes = (method) => !["GET", "HEAD"].includes(String(method || "GET").toUpperCase());
  class Closed extends EventTarget {
    constructor(url) {
      super();
      Object.assign(this, { url: String(url), readyState: 0, bufferedAmount: 0, protocol: "" });
      setTimeout(() => {
        this.readyState = 3;
        for (const one of [new Event("error"), new CloseEvent("close", { code: 1006 })]) {
          this.dispatchEvent(one);
          if (typeof this["on" + one.type] === "function") this["on" + one.type](one);
        }
      });
    }
    send() {}
    close() {}
  }
  addEventListener("pagehide", () => { leaving = true; }, true);
  addEventListener("pageshow", () => { leaving = false; }, true);
  put(window, "WebSocket", made((_, said) => new Closed(said[0])));
  for (const name of ["SharedWorker", "WebSocketStream", "WebTransport", "RTCPeerConnection",
    "webkitRTCPeerConnection"]) put(window, name);
  put(Navigator.prototype, "sendBeacon", instead(() => true));
  put(window, "fetchLater", instead(() => ({ activated: false })));
  put(window, "fetch", instead((real, self, [input, options]) => {
    const method = (options && options.method) || (input instanceof Request && input.method);
    if (!writes(method)) return Reflect.apply(real, self, [input, options]);
    if (leaving) return Promise.reject(new TypeError("Failed to fetch"));
    return Reflect.apply(real, self, [input, { ...options, keepalive: false }]);
  }));
  const methods = new WeakMap();
  put(XMLHttpRequest.prototype, "open", instead((real, self, said) => {
    methods.set(self, said[0]);
    return Reflect.apply(real, self, said);
  }));
  put(XMLHttpRequest.prototype, "send", instead((real, self, said) =>
    leaving && writes(methods.get(self)) ? undefined : Reflect.apply(real, self, said)));
  let url = URL.createObjectURL;
  put(URL, "createObjectURL", instead((real, self, said) => {
    const given = Reflect.apply(real, self, said);
    blobs.set(given, said[0]);
    return given;
  }));
  const script = (pieces) =>
    Reflect.apply(url, URL, [new Blob([sockets, ...pieces], { type: "text/javascript" })]);
  put(window, "Worker", made((real, [from, options]) => {
    const whole = new URL(String(from), document.baseURI).href, marked = new URL(whole);
    const module = options && options.type === "module";
    marked.search += (marked.search ? "&" : "?") + "TOKEN" + (module ? "module" : "");
    const load = module ? "import" : "importScripts";
    const safe = blobs.has(whole) ? script([blobs.get(whole)])
      : /^(blob|data):/.test(whole) ? script([`${load}(${JSON.stringify(whole)});`])
      : marked.href;
    return new real(safe, options);
  }));
  Object.defineProperty(window, key, { configurable: true, value: () => {
    quiet = false;
    for (const one of undo.splice(0)) one();
    delete window[key];
  } });
})();"""
"""Blocks what routes do not see: sockets, shared workers, and requests of a page that unloads."""
LIFT_SCRIPT: Final = """(token) => { const lift = window[Symbol.for(token)]; if (lift) lift(); }"""


class TabGroup(Protocol):
    """Tabs that belong together."""

    @property
    def pages(self) -> Sequence[Page]:
        """The open tabs."""


class ReadOnlyTabs:
    """While entered, limits a trajectory's tabs, and tabs they open, to GET and HEAD.

    Other tabs of the context are not affected. `refused` lists the blocked requests, except for
    beacons and reports.
    """

    def __init__(self, context: BrowserContext, tabs: TabGroup) -> None:
        self.refused: list[SentRequest] = []
        self._context = context
        self._tabs = tabs
        self._token = token_hex(16)
        self._loaded: set[Frame] = set()
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        script = QUIET_SCRIPT.replace("TOKEN", self._token).replace("SOCKETS", repr(NO_SOCKETS))
        await self._context.route(_any_url, self._answer_route)
        self._stack.push_async_callback(self._context.unroute, _any_url, self._answer_route)
        await self._stack.enter_async_context(await self._context.add_init_script(script))
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with suppress(Error):  # the context is gone, with its routes and scripts
            await self._stack.aclose()
        frames = self._loaded.union(*(page.frames for page in self._tabs.pages))
        await asyncio.gather(*map(self._lift_limits, frames))

    async def _answer_route(self, route: Route) -> None:
        request = route.request
        page = await self._page_of(request)
        with suppress(Error):  # the page went away with its request
            if page is not None and not await self._is_ours(page):
                await route.fallback()
            elif request.method not in READING:
                self._note_refused(request)
                await route.abort("aborted" if request.is_navigation_request() else "failed")
            elif self._token in request.url:
                await route.fulfill(body=self._mute_worker(request.url), content_type=SCRIPT)
            else:
                await route.fallback()

    def _mute_worker(self, url: str) -> str:
        """A worker's script that removes sockets and loads the real script."""
        load = "await import" if f"{self._token}module" in url else "importScripts"
        real = re.sub(f"[?&]{self._token}(module)?", "", url)
        return f"{NO_SOCKETS}{load}({json.dumps(real)});"

    def _note_refused(self, request: Request) -> None:
        if request.resource_type not in UNAWAITED:
            kind = request.resource_type
            self.refused.append(SentRequest(method=request.method, url=request.url, resource=kind))

    async def _page_of(self, request: Request) -> Page | None:
        """The page of a request; None for the first request of a new tab."""
        try:
            frame = request.frame
        except Error:
            return None
        if request.is_navigation_request():
            self._loaded.add(frame)
        return frame.page

    async def _is_ours(self, page: Page) -> bool:
        if page in self._tabs.pages:
            return True
        opener = await page.opener()
        return opener is not None and opener in self._tabs.pages

    async def _lift_limits(self, frame: Frame) -> None:
        with suppress(Error, TimeoutError):  # a frame that went away or hangs
            async with asyncio.timeout(LIFT_SECONDS):
                await frame.evaluate(LIFT_SCRIPT, self._token)


def _any_url(_: str) -> bool:
    return True
