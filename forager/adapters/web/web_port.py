"""The Web port: opens pages, surveys sites and ranks the pages of surveyed sites."""

import asyncio
import time
from collections.abc import Sequence
from contextlib import suppress
from urllib.parse import urlsplit

import numpy as np

from forager.adapters.web.crawl.site_indexes import IndexWork, SiteIndexes, promising_pages
from forager.adapters.web.crawl.site_maps import CrawlMap
from forager.adapters.web.fetch.politeness import Traffic
from forager.adapters.web.library import WebLibrary
from forager.budget import PROGRESS_SECONDS, current_meter
from forager.domain.actions import ApiRequest
from forager.domain.documents import Document, OpenedPage
from forager.domain.state import SubQuestion
from forager.domain.survey import Form, Hit, Ranking, SiteSurvey, TermStatistics
from forager.domain.urls import page_identity
from forager.errors import MissingBlobError
from forager.ports import Blobs, Embedder
from forager.questions.required_terms import unwritten_identifiers
from forager.ranking import scoring
from forager.ranking.bm25 import PageOkapi
from forager.ranking.gloss import Glossary, apply_gloss
from forager.ranking.index import Index
from forager.ranking.scoring import Doubles
from forager.settings import Settings
from forager.text.languages import page_language
from forager.text.tokens import own_stems, search_terms

PAGES_WITH_FORMS = 40
"""Pages of a map whose forms are listed."""
MAX_FORMS = 12
MAX_EMBEDDED = 24
"""Text units compared by embedding per sub-question: about 0.2 s if none is cached."""


class WebAdapter:
    """Opens files and connections on first use."""

    def __init__(  # noqa: PLR0913, PLR0917
        self,
        settings: Settings,
        blobs: Blobs,
        embedder: Embedder,
        since: float | None = None,
        traffic: Traffic | None = None,
        glossary: Glossary | None = None,
    ) -> None:
        """Pages fetched after `since` (epoch, s; now by default) are not fetched again.

        With a glossary, questions are compared with pages in other languages too.
        """
        self._blobs = blobs
        self._library = WebLibrary(settings, blobs, traffic=traffic)
        self._indexes = SiteIndexes(settings.data / "index", blobs, embedder)
        self._embedder = embedder
        self._glossary = glossary
        self._since = time.time() if since is None else since
        self._hurried_for: str | None = None

    async def open(self, url: str) -> OpenedPage:
        """Open a page, fetched once per session. Raises WebError and StoreError."""
        opened = await self._library.open(url, self._since)
        if opened.cached:
            current_meter().pages_cached += 1
        else:
            current_meter().pages_fetched += 1
        return opened

    async def send(self, request: ApiRequest) -> OpenedPage:
        """Send a request to an API. Raises WebError, StoreError and UsageError."""
        opened = await self._library.send(request)
        current_meter().pages_fetched += 1
        return opened

    async def survey(self, site: str, pages: int, seeds: Sequence[str] = ()) -> SiteSurvey:
        """Map and index a site, or reuse both. Raises WebError and StoreError."""
        site_map = await self._library.survey(site, pages, seeds)
        count = len(site_map.pages)
        try:
            first = await self._index_and_read(site_map)
        except MissingBlobError:
            site_map = await self._restore_pages(site, site_map, pages, seeds)
            first = await self._index_and_read(site_map)
        root = first[0]
        return SiteSurvey(
            site=site,
            pages=count,
            whole=site_map.complete,
            title=root.title,
            lang=page_language(root.lang, root.text),
            notes=site_map.notes,
            forms=_collect_forms(first),
            closed=site_map.closed,
        )

    def hurry(self, text: str) -> None:
        """From now on index, in about a second, only what of a map promises most for a text.

        A map that was indexed before is used whole. Pages are ranked by words alone.
        """
        self._hurried_for = text

    async def term_statistics(self, site: str, text: str) -> TermStatistics:
        """Statistics of a text's index terms on a surveyed site; empty if it was not surveyed."""
        site_map, index = await self._index_site(site)
        if site_map is None or index is None or not index.size:
            return TermStatistics()
        told = await asyncio.to_thread(self._gloss, text, site, index)
        both = (text, apply_gloss(text, told)) if told else (text,)
        terms = dict.fromkeys(term for each in both for term in search_terms(each))
        stems = {
            term: known
            for each in both
            for term, known in own_stems(each, dict.fromkeys(index.languages)).items()
        }
        return TermStatistics(
            idf=scoring.idf(index, terms, stems),
            share=scoring.page_shares(index, terms, stems),
            variants={term: dict.fromkeys(known, 1.0) for term, known in stems.items()},
            unit_length=scoring.mean_context_length(index),
            page_length=float(index.page_length.mean()),
            whole=site_map.complete,
            gloss=told,
            unwritten=await asyncio.to_thread(unwritten_identifiers, text, index.texts),
        )

    async def rank(
        self,
        question: str,
        parts: Sequence[SubQuestion],
        top: int,
        method: Ranking = "hybrid",
        also: Sequence[str] = (),
    ) -> tuple[Hit, ...]:
        """The `top` best pages for each sub-question on its site, and those in `also` that score.

        Hits come in the order of `parts`. `bm25` ranks by the question alone, once per site. Else,
        if any page of a site with at most `top` pages scores, the others come last.
        """
        if method == "bm25":
            parts = list({part.site: part for part in reversed(parts)}.values())
        score = _score_by_question if method == "bm25" else self._score_pages
        hits: list[Hit] = []
        wanted = frozenset(map(page_identity, also))
        for part in parts:
            site_map, index = await self._index_site(part.site)
            if site_map and index and index.size:
                scores = await asyncio.to_thread(score, index, question, part)
                best = _select_hits(index, part.id, scores, top, wanted, vain=method != "bm25")
                blobs = {page.url: page.blob for page in site_map.pages}
                hits += [hit.model_copy(update={"blob": blobs.get(hit.url, "")}) for hit in best]
        return tuple(hits)

    async def aclose(self) -> None:
        """Close connections, threads and files."""
        await self._library.aclose()

    async def _index_site(self, site: str) -> tuple[CrawlMap, Index] | tuple[None, None]:
        """The map of a surveyed site and its index; pages not stored any more are fetched anew."""
        site_map = await self._library.find_map(site)
        if site_map is None:
            return None, None
        try:
            return site_map, await self._index_map(site_map)
        except MissingBlobError:
            site_map = await self._restore_pages(site, site_map, len(site_map.pages))
            return site_map, await self._index_map(site_map)

    async def _restore_pages(
        self, site: str, site_map: CrawlMap, pages: int, seeds: Sequence[str] = ()
    ) -> CrawlMap:
        """The map; pages that are damaged or not stored any more are fetched anew."""
        await asyncio.to_thread(self._drop_damaged, site_map)
        return await self._library.survey(site, pages, seeds)

    def _drop_damaged(self, site_map: CrawlMap) -> None:
        """Read every page once, after which the store has no damaged ones."""
        for page in site_map.pages:
            with suppress(MissingBlobError):
                self._blobs.get(page.blob)

    async def _index_and_read(self, site_map: CrawlMap) -> list[Document]:
        work = IndexWork()
        telling = asyncio.create_task(_tell_progress(site_map, work))
        try:
            await self._index_map(site_map, work)
        finally:
            telling.cancel()
        return await asyncio.to_thread(self._read_first_pages, site_map)

    async def _index_map(self, site_map: CrawlMap, work: IndexWork | None = None) -> Index:
        """The index of a map; if it is not wanted any more, its thread ends after a page."""
        work = work or IndexWork()
        try:
            return await asyncio.to_thread(self._index_now, site_map, work)
        finally:
            work.unwanted = True

    def _index_now(self, site_map: CrawlMap, work: IndexWork) -> Index:
        if self._hurried_for is not None and not self._indexes.is_indexed(site_map):
            site_map = promising_pages(site_map, self._hurried_for)
            work.hurried = True
        return self._indexes.index_site(site_map, work)

    def _read_first_pages(self, site_map: CrawlMap) -> list[Document]:
        """The root and the pages nearest to it."""
        blobs = (page.blob for page in site_map.pages[:PAGES_WITH_FORMS])
        return [Document.model_validate_json(self._blobs.get(blob)) for blob in blobs]

    def _gloss(self, text: str, site: str, index: Index) -> dict[str, str]:
        return self._glossary.gloss(text, site, index) if self._glossary else {}

    def _score_pages(self, index: Index, question: str, part: SubQuestion) -> Doubles:
        """The score of each page's best unit, as an array of shape (pages,)."""
        compared = MAX_EMBEDDED if self._hurried_for is None else 0
        score = scoring.score_units(index, part, question, self._embedder, compared)
        best = np.full(len(index.urls), -1.0)
        np.maximum.at(best, index.page, score)
        return best


async def _tell_progress(site_map: CrawlMap, work: IndexWork) -> None:
    """Tell how many pages are indexed, until it is cancelled."""
    meter, host, count = current_meter(), urlsplit(site_map.site).netloc, len(site_map.pages)
    await meter.report_progress(f"{host}: indexing {count:,} pages", site_map.site, new=True)
    while True:
        await asyncio.sleep(PROGRESS_SECONDS)
        told = f"{host}: indexing {count:,} pages ({work.pages:,} done)"
        await meter.report_progress(told, site_map.site)


def _collect_forms(pages: Sequence[Document]) -> tuple[Form, ...]:
    """The distinct forms of the pages, each with the URL of the first page that has it."""
    found: dict[Form, Form] = {}
    for page in pages:
        for form in page.forms:
            found.setdefault(form, form.model_copy(update={"url": page.url}))
    return tuple(found.values())[:MAX_FORMS]


def _score_by_question(index: Index, question: str, part: SubQuestion) -> Doubles:
    return PageOkapi(index).score_pages(search_terms(question))


def _select_hits(  # noqa: PLR0913
    index: Index, part: str, scores: Doubles, top: int, also: frozenset[str], *, vain: bool
) -> list[Hit]:
    order = enumerate(np.argsort(-scores, kind="stable"))
    whole = vain and len(scores) <= top and scores.max() > 0
    return [
        Hit(
            url=index.urls[page],
            title=index.titles[page],
            depth=index.depths[page],
            part=part,
            score=max(0.0, float(scores[page])),
        )
        for place, page in order
        if (scores[page] > 0 or whole) and (place < top or _is_named(index, page, also))
    ]


def _is_named(index: Index, page: int, also: frozenset[str]) -> bool:
    return bool(also) and page_identity(index.urls[page]) in also
