"""Pages as documents: fetched once, read once, kept as blobs."""

import asyncio

from forager.ports import Blobs, Document, Opened
from forager.web import page
from forager.web.cache import Cache
from forager.web.fetch import Fetched, Fetcher


class Documents:
    """Opens addresses as documents; reading happens beside the event loop."""

    def __init__(self, fetcher: Fetcher, cache: Cache, blobs: Blobs) -> None:
        self.fetcher = fetcher
        self._cache = cache
        self._blobs = blobs

    async def open(self, url: str, since: float | None = None) -> Opened:
        """One page, read. Raises WebError and StoreError."""
        fetched = await self.fetcher.get(url, since)
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self.fetcher.threads, self._read, fetched)

    def _read(self, fetched: Fetched) -> Opened:
        entry = fetched.entry
        if entry.document and entry.reader == page.VERSION:
            data = self._blobs.get(entry.document)
            document = Document.model_validate_json(data)
            return Opened(document=document, blob=entry.document, cached=fetched.cached)
        body = self._blobs.get(entry.body) if fetched.data is None else fetched.data
        document = page.read(body, entry.content_type, entry.url)
        blob = self._blobs.put(document.model_dump_json().encode())
        self._cache.set_document(entry.key, blob, page.VERSION)
        return Opened(document=document, blob=blob, cached=fetched.cached)
