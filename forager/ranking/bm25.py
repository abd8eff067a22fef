"""Plain BM25 over whole pages, by rank-bm25, as Mango (arXiv 2604.18779) ranks a crawl."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray
from rank_bm25 import BM25Okapi

from forager.ranking.index import Index


class PageOkapi(BM25Okapi):  # type: ignore[misc]  # rank-bm25 has no types
    """BM25Okapi over a non-empty index, computed from its postings instead of the pages' words."""

    def __init__(self, index: Index) -> None:
        self._index = index
        super().__init__(())

    def score_pages(self, terms: Sequence[str]) -> NDArray[np.float64]:
        """One score per page; 0 for a page without any of the terms."""
        found: NDArray[np.float64] = self.get_scores(list(terms))
        return found

    def _initialize(self, corpus: Iterable[Sequence[str]]) -> dict[str, int]:
        """Fill the counts of the base class; returns the number of pages with each term."""
        index = self._index
        self.corpus_size = len(index.urls)
        self.doc_len = index.page_length.tolist()
        self.avgdl = float(index.page_length.mean())
        self.doc_freqs: list[dict[str, int]] = [{} for _ in index.urls]
        page_counts: dict[str, int] = {}
        for term, number in index.terms.items():
            pages, counts = index.page_postings.items_with(number)
            for page, count in zip(pages.tolist(), counts.tolist(), strict=True):
                self.doc_freqs[page][term] = count
            if len(pages):
                page_counts[term] = len(pages)
        return page_counts
