"""Maps a site breadth first, from its root and its sitemap (sitemaps.org).

Pages are processed and stored as they arrive.
"""

import asyncio
import hashlib
import html
import re
import time
import zlib
from collections import Counter, deque
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from urllib.parse import urlsplit

from forager.adapters.web.crawl.crawl_frontier import CrawlCandidate, CrawlFrontier
from forager.adapters.web.crawl.site_maps import CrawlMap, LinkGraph, MapStore
from forager.adapters.web.document_store import DocumentStore
from forager.adapters.web.fetch.fetcher import Fetcher
from forager.adapters.web.read.markdown_blocks import MAX_LINKS
from forager.browsing.safety.address_verbs import link_side_effect
from forager.budget import current_meter
from forager.domain import urls
from forager.domain.documents import ASKS_FOR_LOGIN, Document, OpenedPage
from forager.domain.survey import ClosedPage
from forager.domain.urls import same_site
from forager.errors import CLOSED_STATUSES, LateError, RobotsError, WebError
from forager.text.tokens import keywords, tokenize

LOCATION = re.compile(
    rb"<(?:\w+:)?loc>\s*(?:<!\[CDATA\[)?\s*(.*?)\s*(?:\]\]>)?\s*</(?:\w+:)?loc>", re.S
)
MAX_FILES = 20
MAX_UNPACKED = 50_000_000
GZIP = b"\x1f\x8b"


def parse_sitemap(body: bytes) -> tuple[list[str], bool]:
    """Return the URLs in a sitemap or a plain list, and whether they are sitemaps themselves."""
    index = b"<sitemapindex" in body[:2000]
    if b"<" not in body[:200]:
        lines = body.decode("utf-8", "replace").split()
        return [line for line in lines if line.startswith(("http://", "https://"))], False
    found = LOCATION.findall(body)
    return [html.unescape(address.decode("utf-8", "replace")) for address in found], index


def unpack_body(body: bytes) -> bytes:
    """Decompress a sitemap if it is gzipped; cut at MAX_UNPACKED bytes, empty if damaged."""
    if not body.startswith(GZIP):
        return body
    try:
        return zlib.decompressobj(zlib.MAX_WBITS | 32).decompress(body, MAX_UNPACKED)
    except zlib.error:
        return b""


async def read_sitemaps(fetcher: Fetcher, root: str, most: int) -> list[str]:
    """The pages of a site in its sitemaps, at most `most`; empty without a sitemap."""
    named = (await fetcher.robots_rules(root)).sitemaps()
    queue = [url for url in (urls.resolve_link(root, name) for name in named) if url]
    queue = queue or [urls.resolve_link(root, "/sitemap.xml") or root]
    pages: dict[str, None] = {}
    for number, url in enumerate(queue):
        if number >= MAX_FILES or len(pages) >= most:
            break
        if link_side_effect(url):
            continue
        try:
            body = await fetcher.fetch_sitemap(url)
        except WebError:
            continue  # the crawl works without a sitemap
        found, index = parse_sitemap(unpack_body(body))
        known = [address for address in (urls.resolve_link(url, name) for name in found) if address]
        if index:
            queue.extend(address for address in known if address not in queue)
        else:
            pages.update(dict.fromkeys(known))
    fit = (url for url in pages if same_site(root, url) and urls.looks_like_page(url))
    return list(fit)[:most]


WINDOW = 16
BATCH = 50
MIN_DUPLICATE_LENGTH = 200
MAX_NOTES = 20
MAX_CLOSED = 500
LOGIN = CLOSED_STATUSES[401]
HELPED_WAVE = 20
HIDES_SUBJECT = "does not say what the links to it name"
MAX_HIDING_TEXT = 1500
"""Characters of a page that may stand in place of another, such as a wall or a check."""
LINKS_AT_ONCE = 500
"""Links of a page that are followed before the deadline, other work and Ctrl-C get a turn."""
ROOT_SECONDS = 2.0
"""The time that the root page has, however little the budget leaves for the survey."""


@dataclass(frozen=True, slots=True)
class CrawledPage:
    """A page of a crawl as it arrives; `depth` is the smallest known so far."""

    url: str
    depth: int
    document: Document
    blob: str


OnPage = Callable[[CrawledPage], None]
Result = tuple[CrawlCandidate, OpenedPage | WebError]


async def crawl(  # noqa: PLR0913
    documents: DocumentStore,
    maps: MapStore,
    root: str,
    limit: int,
    *,
    seeds: Sequence[str] = (),
    on_page: OnPage = lambda _: None,
) -> CrawlMap:
    """Map at most `limit` pages of a site, after its `seeds`.

    Pages in the cache are not fetched again. A crawl that is interrupted keeps its pages.

    Raises WebError if the root cannot be fetched, and StoreError.
    """
    run = _CrawlRun(documents, maps, urls.canonical_url(root), limit + len(seeds), on_page)
    complete = False
    left = current_meter().survey_seconds_left()
    try:
        async with asyncio.timeout(None if left is None else max(left, ROOT_SECONDS)):
            complete = await run.run(seeds)
    except TimeoutError:
        run.end_early()
    finally:
        site_map = run.finish(complete)
    return site_map


class _CrawlRun:
    def __init__(
        self, documents: DocumentStore, maps: MapStore, root: str, limit: int, on_page: OnPage
    ) -> None:
        self._documents = documents
        self._maps = maps
        self._limit = limit
        self._most_attempts = limit if current_meter().limits_pages else 2 * limit + 50
        self._on_page = on_page
        self._site = urls.page_key(root)
        self._root = root
        self._frontier = CrawlFrontier(root)
        self._graph = LinkGraph()
        self._texts: dict[bytes, str] = {}
        self._notes: list[str] = []
        self._more_notes = 0
        self._closed: dict[str, str] = {}
        self._changing: dict[str, str] = {}
        self._fetched = 0
        self._kept = 0
        self._attempts = 0
        self._done = False

    async def run(self, seeds: Sequence[str]) -> bool:
        """Crawl the site; returns whether every page was reached."""
        self._frontier.add(self._root)
        [first] = self._frontier.next_wave()
        wanted = self._frontier.add_seeds(url for url in seeds if not link_side_effect(url))
        opened = await self._open_page(self._root)
        self._attempts += 1
        self._root = opened.document.url
        await self._take_page(first, opened)
        if self._limit > 1:
            await self._add_sitemap()
        while not self._has_enough() and (wave := wanted or self._frontier.next_wave()):
            wanted = []
            if len(wave) > HELPED_WAVE:
                await asyncio.to_thread(self._documents.start_helper)
            await self._open_wave(wave)
        if self._is_late():
            self.end_early()
            return False
        self._done = True
        return not self._has_enough() and self._frontier.trapped == 0

    def _is_late(self) -> bool:
        return current_meter().survey_seconds_left() == 0

    def end_early(self) -> None:
        """Keep what there is as the map. Raises LateError if there is nothing."""
        if not len(self._graph):
            fetched = self._documents.is_fetched(self._root)
            what = "answered, but its first page was not read" if fetched else "did not answer"
            raise LateError(
                f"{urlsplit(self._root).netloc} {what} within the time of the survey.",
                "Allow more seconds: --budget seconds=600.",
            )
        self._notes.append(f"The time of the survey ended after {len(self._graph)} pages.")
        self._limit = len(self._graph)
        self._done = True

    async def _add_sitemap(self) -> None:
        """Add the pages in the site's sitemaps."""
        for url in await read_sitemaps(self._documents.fetcher, self._root, 10 * self._limit):
            if not link_side_effect(url):
                self._frontier.add(url)

    async def _open_wave(self, wave: list[CrawlCandidate]) -> None:
        async with aclosing(self._open_all(wave)) as results:
            async for candidate, result in results:
                if isinstance(result, OpenedPage):
                    await self._take_page(candidate, result)
                else:
                    self._note_error(candidate, result)
                await self._report_progress()

    async def _report_progress(self) -> None:
        pages = f"{len(self._graph):,} of at most {self._limit:,} pages"
        await current_meter().report_progress(
            f"{urlsplit(self._root).netloc}: {pages} mapped", self._site
        )

    async def _open_all(self, wave: list[CrawlCandidate]) -> AsyncGenerator[Result]:
        """Open a wave concurrently; yields the results in its order."""
        waiting = deque(wave)
        tasks: deque[asyncio.Task[Result]] = deque()
        try:
            while tasks or (waiting and not self._has_enough()):
                while waiting and len(tasks) < WINDOW and not self._has_enough(len(tasks)):
                    candidate = waiting.popleft()
                    if self._frontier.is_exhausted(candidate) or self._is_changing(candidate):
                        continue
                    self._attempts += 1
                    tasks.append(asyncio.create_task(self._open_candidate(candidate)))
                if tasks:
                    yield await tasks.popleft()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def _is_changing(self, candidate: CrawlCandidate) -> bool:
        """Do the links to a page, found since it was added, say that it changes something?"""
        why = link_side_effect(candidate.url, self._graph.link_texts(candidate.url))
        if why:
            self._changing.setdefault(candidate.url, why)
        return bool(why)

    async def _open_candidate(self, candidate: CrawlCandidate) -> Result:
        try:
            return candidate, await self._open_page(candidate.url)
        except WebError as error:
            return candidate, error

    async def _open_page(self, url: str) -> OpenedPage:
        """Open a page, which counts as fetched at once: the crawl may be abandoned."""
        opened = await self._documents.open(url)
        self._fetched += not opened.cached
        current_meter().pages_fetched += not opened.cached
        return opened

    def _has_enough(self, expected: int = 0) -> bool:
        """Is a limit reached, counting `expected` pages still being opened?"""
        if self._attempts >= self._most_attempts or self._is_late():
            return True
        return len(self._graph) + expected >= self._limit

    async def _take_page(self, candidate: CrawlCandidate, opened: OpenedPage) -> None:
        document = opened.document
        if document.note == ASKS_FOR_LOGIN:
            self._closed[candidate.url] = LOGIN
        elif _hides_subject(document, self._graph.link_texts(candidate.url)):
            self._closed[candidate.url] = HIDES_SUBJECT
        if not same_site(self._root, document.url):
            return
        self._frontier.observe(candidate, f"{document.title}\n{document.text}")
        if (first := self._find_duplicate(document)) is not None:
            self._graph.add_alias(candidate.url, first)
            return
        self._graph.add_alias(candidate.url, document.url)
        depth = self._graph.add_page(document.url, document.title, opened.blob)
        self._on_page(CrawledPage(document.url, depth, document, opened.blob))
        await self._follow_links(document, candidate)
        if len(self._graph) - self._kept >= BATCH:
            self._save_pages()

    async def _follow_links(self, document: Document, candidate: CrawlCandidate) -> None:
        if len(document.links) >= MAX_LINKS:
            self._notes.append(f"{document.url} has more links than the {MAX_LINKS:,} kept.")
        texts: dict[str, list[str]] = {}
        for link in document.links:
            texts.setdefault(link.url, []).append(link.text)
        for number, (url, words) in enumerate(texts.items(), start=1):
            if number % LINKS_AT_ONCE == 0:
                await asyncio.sleep(0)
            if same_site(self._root, url):
                self._follow_link(document.url, url, words, candidate)

    def _follow_link(
        self, page: str, url: str, texts: Sequence[str], candidate: CrawlCandidate
    ) -> None:
        """Note a link, and crawl its page unless that may change something on the site."""
        self._graph.add_links(page, url, texts)
        if self._frontier.has_seen(urls.page_key(url)):
            return
        if why := link_side_effect(url, texts):
            self._changing.setdefault(url, why)
        else:
            self._changing.pop(url, "")
            self._frontier.add(url, candidate)

    def _find_duplicate(self, document: Document) -> str | None:
        """The URL of an earlier page with the same URL or the same text."""
        if document.url in self._graph:
            return document.url
        if len(document.text) < MIN_DUPLICATE_LENGTH:
            return None
        digest = hashlib.sha256(document.text.encode()).digest()
        first = self._texts.setdefault(digest, document.url)
        return first if first != document.url else None

    def _note_error(self, candidate: CrawlCandidate, error: WebError) -> None:
        if error.closed:
            self._closed[candidate.url] = error.closed
        if isinstance(error, RobotsError):
            return
        self._frontier.observe(candidate, "")
        if len(self._notes) < MAX_NOTES:
            self._notes.append(error.what)
        else:
            self._more_notes += 1

    def _save_pages(self) -> None:
        pages = self._graph.pages_from(self._kept)
        self._maps.add_pages(self._site, self._kept, pages)
        self._kept += len(pages)

    def finish(self, complete: bool) -> CrawlMap:
        """Store and return the map, with final depths and the texts of all links."""
        notes = [*self._note_changing_links(), *self._notes]
        if self._more_notes:
            notes.append(f"{self._more_notes} more pages could not be fetched.")
        why = Counter(self._closed.values())
        if disallowed := why[RobotsError.closed]:
            notes.append(f"{disallowed} pages are disallowed by robots.txt.")
        if walled := why[LOGIN]:
            notes.append(f"{walled} pages ask for a login.")
        if self._frontier.trapped:
            notes.append(
                f"{self._frontier.trapped} addresses look like a crawler trap or repeat other pages"
                " but for numbers, and were skipped."
            )
        site_map = CrawlMap(
            site=self._site,
            pages=self._graph.final_pages(),
            notes=tuple(notes),
            surveyed=time.time() if self._done else 0.0,
            asked=self._limit,
            complete=complete,
            closed=tuple(self._closed_pages()),
            fetched=self._fetched,
        )
        if self._done or len(site_map.pages) > self._count_known_pages():
            self._maps.replace(site_map)
        return site_map

    def _closed_pages(self) -> Iterator[ClosedPage]:
        for url, why in list(self._closed.items())[:MAX_CLOSED]:
            yield ClosedPage(url=url, why=why, texts=self._graph.link_texts(url))

    def _note_changing_links(self) -> Iterator[str]:
        for url, why in list(self._changing.items())[:1]:
            count = len(self._changing)
            yield f"{count} links may change something and were not followed, as {url}: {why}."

    def _count_known_pages(self) -> int:
        before = self._maps.load(self._site)
        return len(before.pages) if before and before.surveyed else 0


def _hides_subject(document: Document, texts: Sequence[str]) -> bool:
    """Does a short page hold none of the words of the links to it, two or more?"""
    named = {term for text in texts for term in keywords(text)}
    if len(named) <= 1 or len(document.text) > MAX_HIDING_TEXT:
        return False
    return named.isdisjoint(tokenize(f"{document.title} {document.text}"))
