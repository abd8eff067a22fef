"""Refuses requests of the browser that may change something on a server unapproved.

An action is judged before it is performed, but a redirect, a refresh or a script may lead further.
The requests of redirects, frames, new tabs and workers are judged too; Playwright's routes do not
see all of these.
"""

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, TypedDict
from weakref import WeakKeyDictionary

from playwright.async_api import Browser, BrowserContext, CDPSession, Page

from forager.adapters.browser.playwright_calls import read_context_id, send_command
from forager.browsing.safety.requests import unapproved_reason

KNOWN_REFUSALS: Final = 1000
EVERY_REQUEST: Final = {"patterns": [{"urlPattern": "*"}]}


class _PausedRequest(TypedDict):
    method: str
    url: str


class _Paused(TypedDict):
    requestId: str
    frameId: str
    request: _PausedRequest


class ApprovalGuard:
    """Judges every request of a browser; those of an approved action pass."""

    def __init__(self) -> None:
        self._context_ids: WeakKeyDictionary[BrowserContext, str] = WeakKeyDictionary()
        self._approved: Counter[str] = Counter()
        self._refused: OrderedDict[str, str] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()

    async def watch_browser(self, browser: Browser) -> None:
        """Judge the requests of a browser that has no context yet. Raises Playwright's Error."""
        session = await browser.new_browser_cdp_session()

        def begin(paused: _Paused) -> None:
            task = asyncio.create_task(self._answer_request(session, paused))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

        session.on("Fetch.requestPaused", begin)
        await session.send("Fetch.enable", EVERY_REQUEST)

    async def recognize_context(self, page: Page) -> None:
        """Learn the browser's id of a page's context. Raises Playwright's Error."""
        self._context_ids[page.context] = await read_context_id(page)

    @contextmanager
    def approve_requests(self, context: BrowserContext) -> Iterator[None]:
        """Let every request of a context pass, while an approved action runs."""
        known = self._context_ids[context]
        self._approved[known] += 1
        try:
            yield
        finally:
            self._approved[known] -= 1

    def refusal_for(self, url: str) -> str:
        """Why a request for the URL was refused; empty if it was not."""
        return self._refused.get(url.partition("#")[0], "")

    async def _answer_request(self, session: CDPSession, paused: _Paused) -> None:
        method, url = paused["request"]["method"], paused["request"]["url"]
        why = unapproved_reason(method, url)
        known: dict[str, object] = {"requestId": paused["requestId"]}
        if why and not await self._is_approved(session, paused["frameId"]):
            self._remember_refusal(url.partition("#")[0], why)
            await send_command(session, "Fetch.failRequest", {**known, "errorReason": "Aborted"})
            await self._close_empty_tab(session, paused["frameId"])
        else:
            await send_command(session, "Fetch.continueRequest", known)

    async def _is_approved(self, session: CDPSession, frame: str) -> bool:
        """Does a request belong to a context with an approved action?

        The browser cannot tell the context of a frame that shares its page's process; then any
        approved action counts.
        """
        if not +self._approved:
            return False
        told = await send_command(session, "Target.getTargetInfo", {"targetId": frame})
        return not told or self._approved[told["targetInfo"].get("browserContextId", "")] > 0

    async def _close_empty_tab(self, session: CDPSession, frame: str) -> None:
        """Close a tab that a page opened for the refused request alone."""
        told = await send_command(session, "Target.getTargetInfo", {"targetId": frame})
        tab = told.get("targetInfo", {})
        if "openerId" in tab and not tab["url"]:
            await send_command(session, "Target.closeTarget", {"targetId": frame})

    def _remember_refusal(self, url: str, why: str) -> None:
        self._refused[url] = why
        self._refused.move_to_end(url)
        if len(self._refused) > KNOWN_REFUSALS:
            self._refused.popitem(last=False)
