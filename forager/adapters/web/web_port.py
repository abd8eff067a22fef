"""The Web port: pages and sites, with the ranking that surveyed sites allow."""

import asyncio
import time
from collections.abc import Sequence
from urllib.parse import urlsplit

import numpy as np

from forager.adapters.web.crawl.site_indexes import SiteIndexes
from forager.adapters.web.crawl.site_maps import CrawlMap
from forager.adapters.web.fetch.politeness import Traffic
from forager.adapters.web.library import WebLibrary
from forager.budget import current_meter
from forager.domain.documents import Document, OpenedPage
from forager.domain.state import SubQuestion
from forager.domain.survey import Form, Hit, Ranking, SiteSurvey, TermStatistics
from forager.domain.urls import page_identity
from forager.ports import Blobs, Embedder
from forager.ranking import scoring
from forager.ranking.bm25 import PageOkapi
from forager.ranking.expansion import find_variants
from forager.ranking.index import Index
from forager.ranking.scoring import Doubles
from forager.settings import Settings
from forager.text.tokens import own_stems, search_terms

PAGES_WITH_FORMS = 40
"""Pages of a map whose forms are told of."""
MAX_FORMS = 12
MAX_EMBEDDED = 24
"""Units per part compared by embeddings: about 0.2 s when none is known yet."""


class WebAdapter:
    """Opens no file and no connection before it is asked."""

    def __init__(
        self,
        settings: Settings,
        blobs: Blobs,
        embedder: Embedder,
        since: float | None = None,
        traffic: Traffic | None = None,
    ) -> None:
        """`since` (epoch, s): what was fetched after it is never fetched again."""
        self._blobs = blobs
        self._library = WebLibrary(settings, blobs, traffic=traffic)
        self._atlas = SiteIndexes(settings.data / "index", blobs, embedder)
        self._embedder = embedder
        self._since = time.time() if since is None else since

    async def open(self, url: str) -> OpenedPage:
        """One page, fetched once per session. Raises WebError and StoreError."""
        opened = await self._library.open(url, self._since)
        if opened.cached:
            current_meter().pages_cached += 1
        else:
            current_meter().pages_fetched += 1
        return opened

    async def survey(self, site: str, pages: int, seeds: Sequence[str] = ()) -> SiteSurvey:
        """Map and index a site, or reuse both. Raises WebError and StoreError."""
        found = await self._library.survey(site, pages, seeds)
        current_meter().pages_fetched += found.fetched
        doing = (
            f"{urlsplit(site).netloc}: {len(found.pages):,} pages mapped, now read for their words"
        )
        await current_meter().report_progress(doing, found.site, new=True)
        await asyncio.to_thread(self._atlas.index_site, found)
        first = await asyncio.to_thread(self._read_first_pages, found)
        root = first[0]
        return SiteSurvey(
            site=site,
            pages=len(found.pages),
            whole=found.complete,
            title=root.title,
            lang=root.lang,
            notes=found.notes,
            forms=_collect_forms(first),
        )

    async def term_statistics(self, site: str, text: str) -> TermStatistics:
        """What a surveyed site knows of a text's index terms; nothing of one not surveyed."""
        found = self._library.load_map(site)
        charted = await asyncio.to_thread(self._atlas.index_site, found) if found else None
        if found is None or charted is None or not charted.index.size:
            return TermStatistics()
        index, words = charted.index, charted.words
        terms, stems = search_terms(text), own_stems(text, dict.fromkeys(index.languages))
        near = await asyncio.to_thread(find_variants, words, text, self._embedder) if words else {}
        return TermStatistics(
            idf=scoring.idf(index, terms, stems),
            share=scoring.page_shares(index, terms, stems),
            variants={
                term: {**near.get(term, {}), **dict.fromkeys(stems.get(term, ()), 1.0)}
                for term in dict.fromkeys((*near, *stems))
            },
            unit_length=scoring.mean_context_length(index),
            page_length=float(index.page_length.mean()),
            whole=found.complete,
        )

    async def rank(
        self,
        question: str,
        parts: Sequence[SubQuestion],
        top: int,
        method: Ranking = "hybrid",
        also: Sequence[str] = (),
    ) -> tuple[Hit, ...]:
        """The best `top` pages for each part on its site and those named, part after part."""
        if method == "bm25":
            parts = list({part.site: part for part in reversed(parts)}.values())
        score = _score_by_question if method == "bm25" else self._score_pages
        hits: list[Hit] = []
        wanted = frozenset(map(page_identity, also))
        for part in parts:
            found = self._library.load_map(part.site)
            charted = await asyncio.to_thread(self._atlas.index_site, found) if found else None
            if found and charted and charted.index.size:
                scores = await asyncio.to_thread(score, charted.index, question, part)
                best = _select_hits(charted.index, part.id, scores, top, wanted)
                blobs = {page.url: page.blob for page in found.pages}
                hits += [hit.model_copy(update={"blob": blobs.get(hit.url, "")}) for hit in best]
        return tuple(hits)

    async def aclose(self) -> None:
        """Close connections, threads and files."""
        await self._library.aclose()

    def _read_first_pages(self, found: CrawlMap) -> list[Document]:
        """The root, and what stands next to it."""
        blobs = (page.blob for page in found.pages[:PAGES_WITH_FORMS])
        return [Document.model_validate_json(self._blobs.get(blob)) for blob in blobs]

    def _score_pages(self, index: Index, question: str, part: SubQuestion) -> Doubles:
        """Per page the score of its best unit."""
        score = scoring.score_units(index, part, question, self._embedder, MAX_EMBEDDED)
        best = np.full(len(index.urls), -1.0)
        np.maximum.at(best, index.page, score)
        return best


def _collect_forms(pages: Sequence[Document]) -> tuple[Form, ...]:
    """The forms of pages, each with the first page that has it."""
    found: dict[Form, Form] = {}
    for page in pages:
        for form in page.forms:
            found.setdefault(form, form.model_copy(update={"url": page.url}))
    return tuple(found.values())[:MAX_FORMS]


def _score_by_question(index: Index, question: str, part: SubQuestion) -> Doubles:
    return PageOkapi(index).score_pages(search_terms(question))


def _select_hits(
    index: Index, part: str, scores: Doubles, top: int, also: frozenset[str]
) -> list[Hit]:
    order = enumerate(np.argsort(-scores, kind="stable"))
    return [
        Hit(
            url=index.urls[page],
            title=index.titles[page],
            depth=index.depths[page],
            part=part,
            score=float(scores[page]),
        )
        for place, page in order
        if scores[page] > 0 and (place < top or _is_named(index, page, also))
    ]


def _is_named(index: Index, page: int, also: frozenset[str]) -> bool:
    return bool(also) and page_identity(index.urls[page]) in also
