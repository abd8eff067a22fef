"""Opens pages, surveys sites and asks APIs; each page is fetched once."""

import asyncio
import logging
import time
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple
from urllib.parse import urlsplit
from weakref import WeakValueDictionary

from forager.adapters.web.crawl.crawler import OnPage, crawl
from forager.adapters.web.crawl.kept_survey import read_survey, write_survey
from forager.adapters.web.crawl.site_maps import CrawlMap, MapStore
from forager.adapters.web.document_store import DocumentStore
from forager.adapters.web.fetch.fetcher import Fetcher, status_error
from forager.adapters.web.fetch.politeness import Sleep, Traffic
from forager.adapters.web.read.json_page import read_json
from forager.adapters.web.read.page_reader import media_type, read_page
from forager.adapters.web.secrets import Secrets, read_secrets
from forager.adapters.web.web_database import PageCache, WebDatabase
from forager.budget import current_meter
from forager.domain import urls
from forager.domain.actions import ApiRequest
from forager.domain.documents import Document, OpenedPage
from forager.errors import WebError
from forager.ports import Blobs
from forager.settings import Settings

LOG = logging.getLogger(__name__)
LOST_WARNING = "{where}: pages that were not stored any more and were fetched anew: {count}"

JSON_TYPE = "application/json"
SUCCESS = range(200, 300)


class ApiRequests:
    """Sends requests to APIs, and reads the replies as documents.

    Secrets are sent to their domains alone, and masked in replies.
    """

    def __init__(self, fetcher: Fetcher, blobs: Blobs, secrets: Secrets) -> None:
        self._fetcher = fetcher
        self._blobs = blobs
        self._secrets = secrets

    async def send(self, request: ApiRequest) -> OpenedPage:
        """The reply as a page; JSON becomes lists and tables. Raises WebError and StoreError."""
        answer = await self._fetcher.send(self._revealed(request))
        if answer.status not in SUCCESS:
            raise status_error(request.line, answer.status)
        kind = answer.headers.get("content-type", "")
        document = await asyncio.to_thread(self._read, answer.body, kind, request.url)
        blob = await asyncio.to_thread(
            self._blobs.put, document.model_dump_json().encode(), "document"
        )
        return OpenedPage(document=document, blob=blob, fetched=time.time())

    def _revealed(self, request: ApiRequest) -> ApiRequest:
        own = {
            name: self._secrets.reveal(value, request.url)
            for name, value in request.headers.items()
        }
        body = self._secrets.reveal(request.body, request.url)
        return request.model_copy(update={"headers": own, "body": body})

    def _read(self, body: bytes, content_type: str, url: str) -> Document:
        kind = media_type(content_type)
        document = (
            read_json(body, url)
            if kind == JSON_TYPE or kind.endswith("+json")
            else read_page(body, content_type, url)
        )
        return Document.model_validate_json(self._secrets.blot_out(document.model_dump_json()))


class SurveyWish(NamedTuple):
    """What a survey is to cover: so many pages of a site, and the seeds."""

    site: str
    pages: int
    seeds: tuple[str, ...]


class WebLibrary:
    """Opens files and connections on first use."""

    def __init__(
        self,
        settings: Settings,
        blobs: Blobs,
        sleep: Sleep = asyncio.sleep,
        traffic: Traffic | None = None,
    ) -> None:
        self._settings = settings
        self._age = settings.survey_age_seconds
        self._database = WebDatabase(settings.data / "web.sqlite")
        self._blobs = blobs
        self._maps = MapStore(self._database)
        self._cache = PageCache(self._database)
        traffic = traffic or Traffic()
        self._crawls = traffic.crawls
        self._fetcher = Fetcher(settings, self._cache, blobs, sleep, traffic)
        self._documents = DocumentStore(self._fetcher, self._cache, blobs)
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def open(self, url: str, since: float | None = None) -> OpenedPage:
        """Open a page, without a request if it was fetched recently or after `since` (epoch, s).

        Raises WebError and StoreError.
        """
        return await self._documents.open(url, since)

    async def send(self, request: ApiRequest) -> OpenedPage:
        """Send a request to an API; see `ApiRequests.send`."""
        return await self._requests.send(request)

    @cached_property
    def _requests(self) -> ApiRequests:
        return ApiRequests(self._fetcher, self._blobs, read_secrets(self._settings.secrets))

    async def survey(
        self,
        site: str,
        pages: int,
        seeds: Sequence[str] = (),
        on_page: OnPage = lambda _: None,
    ) -> CrawlMap:
        """Map a site, or load its map if that is recent and large enough or the site is down.

        A map that is there is taken as it is once no time is left for surveying. `seeds` are
        crawled first, in addition to `pages` pages. `on_page` is called with each page of a crawl
        as it arrives. Raises WebError and StoreError.
        """
        wanted = SurveyWish(site, pages, tuple(seeds))
        key = urls.page_key(site)
        lock = self._locks.setdefault(key, asyncio.Lock())
        async with lock:
            known, lost = await self._load_with_lost(site)
            if known and self._fulfils(known, lost, wanted):
                return known
            async with self._survey_alone(key):
                await asyncio.to_thread(self._take_kept, key, known.surveyed if known else 0.0)
                known, lost = await self._load_with_lost(site)
                if known and self._fulfils(known, lost, wanted):
                    return known
                return await self._crawl(wanted, known, lost, on_page)

    def _survey_alone(self, key: str) -> AbstractAsyncContextManager[None]:
        """Wait until no other run surveys the site, no longer than surveys may take."""
        meter, told = current_meter(), f"{urlsplit(key).netloc}: another run surveys it"
        return self._crawls.surveying(
            key, meter.survey_seconds_left(), lambda: meter.report_progress(told, key, new=True)
        )

    async def _load_with_lost(self, site: str) -> tuple[CrawlMap | None, frozenset[str]]:
        known = self._maps.load(site)
        return known, await asyncio.to_thread(self._lost_pages, known)

    def _fulfils(self, known: CrawlMap, lost: frozenset[str], wanted: SurveyWish) -> bool:
        missing = known.find_missing(wanted.seeds) or lost
        if not lost and current_meter().survey_seconds_left() == 0:
            return True
        return not missing and known.is_sufficient(wanted.pages, self._age)

    def _take_kept(self, key: str, after: float) -> None:
        """Take over the survey of another machine, if its pages are stored here, too."""
        if body := self._crawls.load_survey(key, after):
            kept = read_survey(body)
            if not self._lost_pages(kept.map):
                self._cache.put_all(kept.responses)
                self._maps.replace(kept.map)

    async def _crawl(
        self,
        wanted: SurveyWish,
        known: CrawlMap | None,
        lost: frozenset[str],
        on_page: OnPage,
    ) -> CrawlMap:
        """Map a site anew, or what of it is not in a map; a site that is down keeps its map."""
        site = wanted.site
        more = known.find_missing(wanted.seeds) if known else wanted.seeds
        if known and (more or lost) and known.is_sufficient(0, self._age):
            # The known pages stay in the map: all but the lost ones are in the cache.
            more = (*(page.url for page in known.pages), *more)
        new = max(1, wanted.pages - len(more)) if lost else wanted.pages
        try:
            found = await crawl(self._documents, self._maps, site, new, seeds=more, on_page=on_page)
        except WebError as error:
            kept = tuple(page for page in known.pages if page.url not in lost) if known else ()
            if known is None or not kept:
                raise
            note = f"An older map is used: {error.what}"
            return replace(known, pages=kept, notes=(*known.notes, note))
        where = urlsplit(site).netloc
        LOG.info("surveyed %s: %d pages", where, len(found.pages))
        if found.surveyed:
            await asyncio.to_thread(
                self._crawls.keep_survey,
                found.site,
                found.surveyed,
                lambda: write_survey(found, self._cache),
            )
        if lost:
            await current_meter().warn(LOST_WARNING.format(where=where, count=len(lost)))
        return found

    def _lost_pages(self, known: CrawlMap | None) -> frozenset[str]:
        """The URLs of a map's pages that are not stored any more."""
        pages = known.pages if known else ()
        lost = self._blobs.find_missing(page.blob for page in pages)
        return frozenset(page.url for page in pages if page.blob in lost)

    async def find_map(self, site: str) -> CrawlMap | None:
        """The stored map of a site, or that of another machine, without any request.

        A session that another machine has left goes on here after its survey. Raises StoreError.
        """
        if known := self.load_map(site):
            return known
        await asyncio.to_thread(self._take_kept, urls.page_key(site), 0.0)
        return self.load_map(site)

    def load_map(self, site: str) -> CrawlMap | None:
        """Load the stored map of a site, without any request. Raises StoreError."""
        return self._maps.load(site)

    async def aclose(self) -> None:
        """Close connections, threads, processes and files."""
        await asyncio.to_thread(self._documents.close)
        await self._fetcher.aclose()
        self._database.close()
