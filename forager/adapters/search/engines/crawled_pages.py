"""The pages that were crawled or opened before, searched without a network."""

import asyncio

from forager.adapters.search.page_index import SiteIndex
from forager.adapters.search.provider import Rows, domain
from forager.errors import SearchError
from forager.ports import Blobs
from forager.settings import Settings


class Sites:
    """Full-text search over the page store."""

    name = "sites"
    crawled = True

    def __init__(self, settings: Settings, blobs: Blobs) -> None:
        self._index = SiteIndex(settings.data, blobs)

    async def find(self, query: str, count: int, site: str) -> Rows:
        """Raises SearchError and StoreError."""
        rows = await asyncio.to_thread(self._index.search, query, count, site)
        if not rows and not await asyncio.to_thread(self._index.pages, site):
            of = f"of {domain(site)} " if site else ""
            raise SearchError(
                f"sites knows no page {of}yet.", "Ask a question about a site first, with --site."
            )
        return Rows(rows)

    async def aclose(self) -> None:
        """Release the files."""
        await asyncio.to_thread(self._index.close)
