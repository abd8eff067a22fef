"""The requests that begin while an action is done."""

import asyncio
from collections.abc import Collection
from types import TracebackType
from typing import Final, Self

from playwright.async_api import BrowserContext, Error, Page, Request

from forager.domain.browser import Sent

LONGEST_PAYLOAD: Final = 500
AWAITED: Final = frozenset({"document", "stylesheet", "script", "xhr", "fetch"})
"""What may still change the page when it arrives; images, fonts and streams do not."""
READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})


class PageTraffic:
    """Listens to a context while it is entered; whose request it was is asked afterwards."""

    def __init__(self, context: BrowserContext) -> None:
        self._context = context
        self._requests: list[Request] = []
        self._flying: set[Request] = set()
        self._landed = asyncio.Event()

    def __enter__(self) -> Self:
        self._context.on("request", self._on_request)
        self._context.on("requestfinished", self._on_request_end)
        self._context.on("requestfailed", self._on_request_end)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._context.remove_listener("request", self._on_request)
        self._context.remove_listener("requestfinished", self._on_request_end)
        self._context.remove_listener("requestfailed", self._on_request_end)

    def is_navigating(self, page: Page) -> bool:
        """Has this page's main frame been asked to go elsewhere?"""
        return any(
            request.is_navigation_request() and frame_page == page and main
            for request in self._requests
            for frame_page, main in [_owner_of(request)]
        )

    def has_pending(self, page: Page) -> bool:
        """Is something on its way to this page that may still change it?"""
        return any(_owner_of(request)[0] == page for request in self._flying)

    async def wait_for_response(self, seconds: float) -> None:
        """Wait until a request has ended, or the time is up."""
        self._landed.clear()
        try:
            async with asyncio.timeout(seconds):
                await self._landed.wait()
        except TimeoutError:
            return

    def sent_from(self, pages: Collection[Page]) -> tuple[Sent, ...]:
        """What went out of these pages and was no mere reading."""
        return tuple(
            Sent(
                method=request.method,
                url=request.url,
                resource=request.resource_type,
                payload=_payload_of(request),
            )
            for request in self._requests
            if request.method not in READING and _owner_of(request)[0] in pages
        )

    def _on_request(self, request: Request) -> None:
        self._requests.append(request)
        if request.resource_type in AWAITED:
            self._flying.add(request)

    def _on_request_end(self, request: Request) -> None:
        self._flying.discard(request)
        self._landed.set()


def _owner_of(request: Request) -> tuple[Page | None, bool]:
    """The page that asked, and whether it was its main frame."""
    try:
        frame = request.frame
        return frame.page, frame.parent_frame is None
    except Error:  # a popup's first request, before there is a page
        return None, True


def _payload_of(request: Request) -> str:
    body = request.post_data_buffer
    return body[:LONGEST_PAYLOAD].decode("utf-8", "replace") if body else ""
