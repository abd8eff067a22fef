"""Pages as documents: each page is fetched once, read once and stored as a blob."""

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from forager.adapters.web.fetch.fetcher import FetchedPage, Fetcher
from forager.adapters.web.page_rows import PageCache
from forager.adapters.web.read import page_reader
from forager.adapters.web.reader_process import ReaderGoneError, ReaderProcess
from forager.domain.documents import Document, OpenedPage
from forager.errors import StoreError
from forager.ports import Blobs

MAX_QUEUED = 3


class DocumentStore:
    """Opens URLs as documents. Pages are read in threads, outside the event loop."""

    def __init__(self, fetcher: Fetcher, cache: PageCache, blobs: Blobs) -> None:
        self.fetcher = fetcher
        self._cache = cache
        self._blobs = blobs
        self._helper: ReaderProcess | None = None

    async def open(self, url: str, since: float | None = None) -> OpenedPage:
        """Fetch and read a page; `since` is as in `Fetcher.get`. Raises WebError and StoreError."""
        fetched = await self.fetcher.get(url, since)
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self.fetcher.threads, self._load_or_read, fetched)
        except StoreError:
            if fetched.data is not None:
                raise
        fetched = await self.fetcher.get(url, renew=True)  # its blobs have been deleted
        return await loop.run_in_executor(self.fetcher.threads, self._load_or_read, fetched)

    def _load_or_read(self, fetched: FetchedPage) -> OpenedPage:
        entry = fetched.entry
        if entry.document and entry.reader == page_reader.VERSION:
            data = self._blobs.get(entry.document)
            document = Document.model_validate_json(data)
            return _make_opened_page(document, entry.document, fetched)
        body = self._blobs.get(entry.body) if fetched.data is None else fetched.data
        document, data = self._read_body(body, entry.content_type, entry.url)
        blob = self._blobs.put(data, "document")
        self._cache.set_document(entry.key, blob, page_reader.VERSION)
        return _make_opened_page(document, blob, fetched)

    def _read_body(self, body: bytes, content_type: str, url: str) -> tuple[Document, bytes]:
        """Read a body in the helper process, or here if it is busy; PDFs have their own process."""
        helper = self._helper
        if helper and helper.waiting < MAX_QUEUED and not page_reader.is_pdf(body, content_type):
            with suppress(ReaderGoneError):
                data = helper.ask(body, content_type.encode(), url.encode())
                return Document.model_validate_json(data), data
        document = page_reader.read_page(body, content_type, url)
        return document, document.model_dump_json().encode()

    @contextmanager
    def with_helper(self) -> Iterator[None]:
        """Read pages in a second process, unless the machine has a single core."""
        if self._helper is not None or (os.cpu_count() or 1) == 1:
            yield
            return
        with suppress(ReaderGoneError):
            self._helper = ReaderProcess(page_reader.__name__)
        try:
            yield
        finally:
            helper, self._helper = self._helper, None
            if helper is not None:
                helper.close()


def _make_opened_page(document: Document, blob: str, fetched: FetchedPage) -> OpenedPage:
    time = fetched.entry.fetched
    return OpenedPage(document=document, blob=blob, cached=fetched.cached, fetched=time)
