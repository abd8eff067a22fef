"""Maps a site, breadth first: pages stream in, and each is kept as it comes."""

import asyncio
import hashlib
import time
from collections import deque
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import ExitStack, aclosing
from dataclasses import dataclass
from urllib.parse import urlsplit

from forager.adapters.web.crawl import sitemap
from forager.adapters.web.crawl.crawl_frontier import Candidate, Frontier
from forager.adapters.web.crawl.link_graph import Sketch
from forager.adapters.web.crawl.site_maps import CrawlMap, Maps
from forager.adapters.web.document_store import Documents
from forager.budget import current_meter
from forager.domain import urls
from forager.domain.documents import Document, OpenedPage
from forager.domain.urls import same_site
from forager.errors import RobotsError, WebError

WINDOW = 16
BATCH = 50
SAME_TEXT = 200
MAX_NOTES = 20
MANY = 20


@dataclass(frozen=True, slots=True)
class Crawled:
    """A page of a crawl as it comes; `depth` as known by then."""

    url: str
    depth: int
    document: Document
    blob: str


OnPage = Callable[[Crawled], None]
Result = tuple[Candidate, OpenedPage | WebError]


async def crawl(  # noqa: PLR0913
    documents: Documents,
    maps: Maps,
    root: str,
    limit: int,
    *,
    seeds: Sequence[str] = (),
    on_page: OnPage = lambda _: None,
) -> CrawlMap:
    """At most `limit` pages of one site, and its `seeds`, which come first.

    What was fetched before is not fetched again.

    Raises WebError when the root cannot be had, and StoreError. Broken off, it keeps what it has.
    """
    run = _Crawl(documents, maps, urls.canonical_url(root), limit + len(seeds), on_page)
    complete = False
    try:
        complete = await run.run(seeds)
    finally:
        found = run.finish(complete)
    return found


class _Crawl:
    def __init__(
        self, documents: Documents, maps: Maps, root: str, limit: int, on_page: OnPage
    ) -> None:
        self._documents = documents
        self._maps = maps
        self._limit = limit
        self._on_page = on_page
        self._site = urls.page_key(root)
        self._root = root
        self._frontier = Frontier(root)
        self._sketch = Sketch()
        self._texts: dict[bytes, str] = {}
        self._notes: list[str] = []
        self._more_notes = 0
        self._closed = 0
        self._fetched = 0
        self._kept = 0
        self._attempts = 0
        self._done = False

    async def run(self, seeds: Sequence[str]) -> bool:
        """Crawl; True when nothing was left out."""
        self._frontier.add(self._root)
        [first] = self._frontier.wave()
        wanted = self._frontier.all(seeds)
        opened = await self._documents.open(self._root)
        self._attempts += 1
        self._root = opened.document.url
        self._take(first, opened)
        if self._limit > 1:
            await self._list()
        with ExitStack() as stack:
            helped = False
            while not self._spent() and (wave := wanted or self._frontier.wave()):
                wanted = []
                if len(wave) > MANY and not helped:
                    stack.enter_context(self._documents.helped())
                    helped = True
                await self._open_wave(wave)
        self._done = True
        return not self._spent() and self._frontier.trapped == 0

    async def _list(self) -> None:
        """Take in what the site lists itself."""
        for url in await sitemap.read(self._documents.fetcher, self._root, 10 * self._limit):
            self._frontier.add(url)

    async def _open_wave(self, wave: list[Candidate]) -> None:
        async with aclosing(self._open_all(wave)) as results:
            async for candidate, result in results:
                if isinstance(result, OpenedPage):
                    self._take(candidate, result)
                else:
                    self._note(candidate, result)
                await self._tell()

    async def _tell(self) -> None:
        pages = f"{len(self._sketch):,} of at most {self._limit:,} pages"
        await current_meter().report_progress(
            f"{urlsplit(self._root).netloc}: {pages} mapped", self._site
        )

    async def _open_all(self, wave: list[Candidate]) -> AsyncGenerator[Result]:
        """Open a wave, several at a time, and give the results in its order."""
        waiting = deque(wave)
        tasks: deque[asyncio.Task[Result]] = deque()
        try:
            while tasks or (waiting and not self._spent()):
                while waiting and len(tasks) < WINDOW and not self._spent(len(tasks)):
                    self._attempts += 1
                    tasks.append(asyncio.create_task(self._open(waiting.popleft())))
                yield await tasks.popleft()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _open(self, candidate: Candidate) -> Result:
        try:
            return candidate, await self._documents.open(candidate.url)
        except WebError as error:
            return candidate, error

    def _spent(self, expected: int = 0) -> bool:
        """Are there pages enough, when those under way come?"""
        return len(self._sketch) + expected >= self._limit or self._attempts > 2 * self._limit + 50

    def _take(self, candidate: Candidate, opened: OpenedPage) -> None:
        document = opened.document
        self._fetched += not opened.cached
        if not same_site(self._root, document.url):
            return
        if (first := self._same(document)) is not None:
            self._sketch.alias(candidate.url, first)
            return
        self._sketch.alias(candidate.url, document.url)
        depth = self._sketch.add(document.url, document.title, opened.blob)
        self._on_page(Crawled(document.url, depth, document, opened.blob))
        texts: dict[str, list[str]] = {}
        for link in document.links:
            texts.setdefault(link.url, []).append(link.text)
        for url, words in texts.items():
            if same_site(self._root, url):
                self._sketch.link(document.url, url, words)
                self._frontier.add(url, candidate)
        if len(self._sketch) - self._kept >= BATCH:
            self._keep()

    def _same(self, document: Document) -> str | None:
        """The page that was taken before under another address, or with the same text."""
        if document.url in self._sketch:
            return document.url
        if len(document.text) < SAME_TEXT:
            return None
        digest = hashlib.sha256(document.text.encode()).digest()
        first = self._texts.setdefault(digest, document.url)
        return first if first != document.url else None

    def _note(self, candidate: Candidate, error: WebError) -> None:
        if isinstance(error, RobotsError):
            self._closed += 1
        elif len(self._notes) < MAX_NOTES:
            self._notes.append(error.what)
        else:
            self._more_notes += 1

    def _keep(self) -> None:
        pages = self._sketch.pages(self._kept)
        self._maps.add(self._site, self._kept, pages)
        self._kept += len(pages)

    def finish(self, complete: bool) -> CrawlMap:
        """Keep everything found, with final depths and the texts of all links."""
        notes = list(self._notes)
        if self._more_notes:
            notes.append(f"{self._more_notes} more pages could not be had.")
        if self._closed:
            notes.append(f"{self._closed} pages are closed by robots.txt.")
        if self._frontier.trapped:
            notes.append(f"{self._frontier.trapped} addresses look endless and were left out.")
        found = CrawlMap(
            site=self._site,
            pages=self._sketch.final(),
            notes=tuple(notes),
            surveyed=time.time() if self._done else 0.0,
            asked=self._limit,
            complete=complete,
            fetched=self._fetched,
        )
        if self._done or len(found.pages) > self._known():
            self._maps.replace(found)
        return found

    def _known(self) -> int:
        before = self._maps.load(self._site)
        return len(before.pages) if before and before.surveyed else 0
