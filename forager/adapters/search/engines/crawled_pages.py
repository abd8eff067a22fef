"""Searches the pages that were crawled or opened before, without a network."""

import asyncio

from forager.adapters.search.page_index import PageIndex
from forager.adapters.search.provider import ResultRows, site_domain
from forager.errors import SearchError
from forager.ports import Blobs
from forager.settings import Settings


class CrawledPages:
    """Full-text search over the page store."""

    name = "sites"
    crawled = True

    def __init__(self, settings: Settings, blobs: Blobs) -> None:
        self._index = PageIndex(settings.data, blobs)

    async def find_rows(self, query: str, count: int, site: str) -> ResultRows:
        """Find pages; see `Provider`. Raises SearchError and StoreError."""
        rows = await asyncio.to_thread(self._index.search, query, count, site)
        if not rows and not await asyncio.to_thread(self._index.count_pages, site):
            of = f"of {site_domain(site)} " if site else ""
            raise SearchError(
                f"sites knows no page {of}yet.", "Ask a question about a site first, with --site."
            )
        return ResultRows(rows)

    async def aclose(self) -> None:
        """Close the files."""
        await asyncio.to_thread(self._index.close)
