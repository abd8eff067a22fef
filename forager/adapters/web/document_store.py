"""Pages as documents: fetched once, read once, kept as blobs."""

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from forager.adapters.web.fetch.fetcher import Fetched, Fetcher
from forager.adapters.web.page_rows import Cache
from forager.adapters.web.read import page_reader
from forager.adapters.web.reader_process import Helper, HelperGoneError
from forager.domain.documents import Document, OpenedPage
from forager.errors import StoreError
from forager.ports import Blobs

QUEUE = 3


class Documents:
    """Opens addresses as documents; reading happens beside the event loop."""

    def __init__(self, fetcher: Fetcher, cache: Cache, blobs: Blobs) -> None:
        self.fetcher = fetcher
        self._cache = cache
        self._blobs = blobs
        self._helper: Helper | None = None

    async def open(self, url: str, since: float | None = None) -> OpenedPage:
        """One page, read. Raises WebError and StoreError."""
        fetched = await self.fetcher.get(url, since)
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self.fetcher.threads, self._open, fetched)
        except StoreError:
            if fetched.data is not None:
                raise
        fetched = await self.fetcher.get(url, renew=True)  # its blobs are gone
        return await loop.run_in_executor(self.fetcher.threads, self._open, fetched)

    def _open(self, fetched: Fetched) -> OpenedPage:
        entry = fetched.entry
        if entry.document and entry.reader == page_reader.VERSION:
            data = self._blobs.get(entry.document)
            document = Document.model_validate_json(data)
            return _opened(document, entry.document, fetched)
        body = self._blobs.get(entry.body) if fetched.data is None else fetched.data
        document, data = self._read(body, entry.content_type, entry.url)
        blob = self._blobs.put(data)
        self._cache.set_document(entry.key, blob, page_reader.VERSION)
        return _opened(document, blob, fetched)

    def _read(self, body: bytes, content_type: str, url: str) -> tuple[Document, bytes]:
        """By the helper, unless it has enough to do, else here; a PDF has a process of its own."""
        helper = self._helper
        if helper and helper.waiting < QUEUE and not page_reader.is_pdf(body, content_type):
            with suppress(HelperGoneError):
                data = helper.ask(body, content_type.encode(), url.encode())
                return Document.model_validate_json(data), data
        document = page_reader.read(body, content_type, url)
        return document, document.model_dump_json().encode()

    @contextmanager
    def helped(self) -> Iterator[None]:
        """Read in a second process, on a machine with a core to spare for it."""
        if self._helper is not None or (os.cpu_count() or 1) == 1:
            yield
            return
        with suppress(HelperGoneError):
            self._helper = Helper(page_reader.__name__)
        try:
            yield
        finally:
            helper, self._helper = self._helper, None
            if helper is not None:
                helper.close()


def _opened(document: Document, blob: str, fetched: Fetched) -> OpenedPage:
    time = fetched.entry.fetched
    return OpenedPage(document=document, blob=blob, cached=fetched.cached, fetched=time)
