"""Pages as documents: each page is fetched once, read once and stored as a blob."""

import asyncio
import os
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from forager.adapters.web.fetch.fetcher import FetchedPage, Fetcher
from forager.adapters.web.read import page_reader
from forager.adapters.web.reader_process import Reader, ReaderGoneError
from forager.adapters.web.web_database import PageCache
from forager.budget import current_meter
from forager.domain import urls
from forager.domain.documents import ASKS_FOR_LOGIN, Document, OpenedPage
from forager.errors import ContentError, LateError, MissingBlobError, StoreError
from forager.ports import Blobs
from forager.text.page_words import MAX_LOGIN_TEXT, leads_to_login

MAX_QUEUED = 2
"""Pages at the helper process beyond which small ones are read here: one read, one at hand."""
READ_SECONDS = 20.0
"""The most seconds for reading a page."""
LEAST_SECONDS = 2.0
"""The seconds for fetching and reading a page, however few the budget leaves."""
MAX_READ_HERE = 100_000
"""Bytes of the largest page that is read in this process, where reading cannot be cut off."""


class DocumentStore:
    """Opens URLs as documents. Pages are read outside the event loop, each within its time.

    Small ones are read in threads, others in a helper process, or in two if there are many.
    """

    def __init__(self, fetcher: Fetcher, cache: PageCache, blobs: Blobs) -> None:
        self.fetcher = fetcher
        self._cache = cache
        self._blobs = blobs
        self._helpers = [Reader(page_reader.__name__) for _ in range(_most_helpers())]
        # Large pages wait for the helper in threads of their own; others are stored meanwhile.
        self._large = ThreadPoolExecutor(MAX_QUEUED * len(self._helpers), "forager-large")

    async def open(self, url: str, since: float | None = None) -> OpenedPage:
        """Fetch and read a page; `since` is as in `Fetcher.get`. Raises WebError and StoreError."""
        fetched = await self._fetch(url, since)
        try:
            return _note_login(url, await self._load_aside(fetched))
        except StoreError:
            if fetched.data is not None:
                raise
        fetched = await self._fetch(url, renew=True)  # its blobs have been deleted
        return _note_login(url, await self._load_aside(fetched))

    async def _fetch(
        self, url: str, since: float | None = None, *, renew: bool = False
    ) -> FetchedPage:
        """The response, within what the budget leaves. Raises LateError and other WebErrors."""
        left = current_meter().seconds_left()
        limit = asyncio.timeout(None if left is None else max(left, LEAST_SECONDS))
        try:
            async with limit:
                return await self.fetcher.get(url, since, renew)
        except TimeoutError as error:
            if not limit.expired():
                raise
            raise LateError(
                f"{url} took longer than the seconds of the budget.",
                "Allow more seconds: --budget seconds=600.",
            ) from error

    def is_fetched(self, url: str) -> bool:
        """Is there a response for a page, whether it was read or not? Raises StoreError."""
        return self._cache.find_response(urls.page_key(url)) is not None

    def close(self) -> None:
        """End the helper processes; pages that are being read raise ContentError."""
        for helper in self._helpers:
            helper.close()
        self._large.shutdown(wait=True, cancel_futures=True)

    async def _load_aside(self, fetched: FetchedPage) -> OpenedPage:
        left = current_meter().seconds_left()
        seconds = READ_SECONDS if left is None else min(READ_SECONDS, max(LEAST_SECONDS, left))
        end = time.monotonic() + seconds
        loop = asyncio.get_running_loop()
        large = len(fetched.data or b"") > MAX_READ_HERE
        threads = self._large if large else self.fetcher.threads
        return await loop.run_in_executor(threads, self._load_or_read, fetched, end)

    def _load_or_read(self, fetched: FetchedPage, end: float) -> OpenedPage:
        entry = fetched.entry
        if entry.document and entry.reader == page_reader.VERSION:
            try:
                data = self._blobs.get(entry.document)
                document = Document.model_validate_json(data)
                return _make_opened_page(document, entry.document, fetched)
            except MissingBlobError:
                if fetched.data is None:
                    raise  # else the response is at hand, and is read again
        body = self._blobs.get(entry.body) if fetched.data is None else fetched.data
        document, data = self._read_body(body, entry.content_type, entry.url, end)
        blob = self._blobs.put(data, "document")
        self._cache.set_document(entry.key, blob, page_reader.VERSION)
        return _make_opened_page(document, blob, fetched)

    def _read_body(
        self, body: bytes, content_type: str, url: str, end: float
    ) -> tuple[Document, bytes]:
        """Read a body by `end` (monotonic, s). Raises ContentError.

        PDFs have a process of their own. A small page is read here if the helper process is busy.
        """
        seconds = max(0.0, end - time.monotonic())
        helper = min(self._helpers, key=_busyness)
        free = helper.is_started and helper.waiting < MAX_QUEUED
        if page_reader.is_pdf(body, content_type) or (len(body) <= MAX_READ_HERE and not free):
            document = page_reader.read_page(body, content_type, url, seconds)
            return document, document.model_dump_json().encode()
        try:
            data = helper.ask(body, content_type.encode(), url.encode(), seconds=seconds)
        except ReaderGoneError as error:
            raise ContentError(
                f"{url} cannot be read: its reader crashed or took too long."
            ) from error
        return Document.model_validate_json(data), data

    def start_helper(self) -> None:
        """Read small pages in the helper process, too, unless the machine has a single core."""
        if len(self._helpers) > 1:
            with suppress(ReaderGoneError):
                self._helpers[0].start()


def _most_helpers() -> int:
    return min(2, os.cpu_count() or 1)


def _busyness(helper: Reader) -> tuple[int, bool]:
    """The pages at a helper; of two with as many, one that runs comes before one that does not."""
    return helper.waiting, not helper.is_started


def _note_login(url: str, opened: OpenedPage) -> OpenedPage:
    """Note that a page asks for a login if it redirects to the address of one."""
    document = opened.document
    if len(document.text) >= MAX_LOGIN_TEXT or not leads_to_login(url, document.url):
        return opened
    noted = document.model_copy(update={"note": ASKS_FOR_LOGIN})
    return opened.model_copy(update={"document": noted})


def _make_opened_page(document: Document, blob: str, fetched: FetchedPage) -> OpenedPage:
    time = fetched.entry.fetched
    return OpenedPage(document=document, blob=blob, cached=fetched.cached, fetched=time)
