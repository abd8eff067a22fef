"""Opens pages and surveys sites; each page is fetched once."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace
from urllib.parse import urlsplit
from weakref import WeakValueDictionary

from forager.adapters.web.crawl.crawler import OnPage, crawl
from forager.adapters.web.crawl.site_maps import CrawlMap, MapStore
from forager.adapters.web.document_store import DocumentStore
from forager.adapters.web.fetch.fetcher import Fetcher
from forager.adapters.web.fetch.politeness import Sleep, Traffic
from forager.adapters.web.web_database import PageCache, WebDatabase
from forager.budget import current_meter
from forager.domain import urls
from forager.domain.documents import OpenedPage
from forager.errors import WebError
from forager.ports import Blobs
from forager.settings import Settings

LOG = logging.getLogger(__name__)
LOST_WARNING = "{where}: pages that were not stored any more and were fetched anew: {count}"


class WebLibrary:
    """Opens files and connections on first use."""

    def __init__(
        self,
        settings: Settings,
        blobs: Blobs,
        sleep: Sleep = asyncio.sleep,
        traffic: Traffic | None = None,
    ) -> None:
        self._age = settings.survey_age_seconds
        self._database = WebDatabase(settings.data / "web.sqlite")
        self._blobs = blobs
        self._maps = MapStore(self._database)
        cache = PageCache(self._database)
        self._fetcher = Fetcher(settings, cache, blobs, sleep, traffic)
        self._documents = DocumentStore(self._fetcher, cache, blobs)
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def open(self, url: str, since: float | None = None) -> OpenedPage:
        """Open a page, without a request if it was fetched recently or after `since` (epoch, s).

        Raises WebError and StoreError.
        """
        return await self._documents.open(url, since)

    async def survey(
        self,
        site: str,
        pages: int,
        seeds: Sequence[str] = (),
        on_page: OnPage = lambda _: None,
    ) -> CrawlMap:
        """Map a site, or load its map if that is recent and large enough or the site is down.

        `seeds` are crawled first, in addition to `pages` pages. `on_page` is called with each page
        of a crawl as it arrives. Raises WebError and StoreError.
        """
        key = urls.page_key(site)
        lock = self._locks.setdefault(key, asyncio.Lock())
        async with lock:
            known = self._maps.load(site)
            lost = await asyncio.to_thread(self._lost_pages, known)
            more = known.find_missing(seeds) if known else tuple(seeds)
            if known and not more and not lost and known.is_sufficient(pages, self._age):
                return known
            if known and (more or lost) and known.is_sufficient(0, self._age):
                # The known pages stay in the map: all but the lost ones are in the cache.
                more = (*(page.url for page in known.pages), *more)
            new = max(1, pages - len(more)) if lost else pages
            try:
                found = await crawl(
                    self._documents, self._maps, site, new, seeds=more, on_page=on_page
                )
            except WebError as error:
                kept = tuple(page for page in known.pages if page.url not in lost) if known else ()
                if known is None or not kept:
                    raise
                note = f"An older map is used: {error.what}"
                return replace(known, pages=kept, notes=(*known.notes, note))
            LOG.info("surveyed %s: %d pages", urlsplit(site).netloc, len(found.pages))
            if lost:
                where = urlsplit(site).netloc
                await current_meter().warn(LOST_WARNING.format(where=where, count=len(lost)))
            return found

    def _lost_pages(self, known: CrawlMap | None) -> frozenset[str]:
        """The URLs of a map's pages that are not stored any more."""
        pages = known.pages if known else ()
        lost = self._blobs.find_missing(page.blob for page in pages)
        return frozenset(page.url for page in pages if page.blob in lost)

    def load_map(self, site: str) -> CrawlMap | None:
        """Load the stored map of a site, without any request. Raises StoreError."""
        return self._maps.load(site)

    async def aclose(self) -> None:
        """Close connections, threads, processes and files."""
        await asyncio.to_thread(self._documents.close)
        await self._fetcher.aclose()
        self._database.close()
