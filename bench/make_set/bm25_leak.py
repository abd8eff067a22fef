"""Whether BM25 alone finds the answer: the first passage of the site for the question has it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from rank_bm25 import BM25Okapi

from bench.make_set.set_questions import Question, QuotedPage
from bench.make_set.site_pages import SitePages
from forager.ranking.index import split_units
from forager.text.quotes import find_quote
from forager.text.tokens import search_terms, tokenize
from graphs.experiments.scoring import missing_gold

TELLING = 4
"""An answer of as many characters gives itself away wherever it stands; a shorter one, and yes or
no, only in the passage of the quote."""


class SitePassage(NamedTuple):
    """The piece from `start` to `end` of a page's text."""

    site: str
    path: str
    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Bm25Passages:
    """The passages of some sites, ranked by rank_bm25 with its defaults.

    Passages are those that Forager's index ranks: sentences, list items and rows of 14 to 40 words.
    Terms are its terms: stems, numbers and pairs of CJK characters; a question's stop words are
    left out.
    """

    sites: Sequence[SitePages]

    @cached_property
    def passages(self) -> list[SitePassage]:
        """All passages, in the order of the pages."""
        return [
            SitePassage(site.name, path, start, end, page.text[start:end])
            for site in self.sites
            for path, page in site.pages.items()
            for start, end, _ in split_units(page.text, [each.start for each in page.headings])
        ]

    @cached_property
    def _ranker(self) -> BM25Okapi:
        return BM25Okapi([tokenize(passage.text) for passage in self.passages])

    def rank(self, question: str, top: int = 1) -> list[SitePassage]:
        """The best passages; of equal ones the first."""
        scores = self._ranker.get_scores(list(search_terms(question)))
        best = np.argsort(-scores, kind="stable")[:top]
        return [self.passages[place] for place in best if scores[place] > 0]


def find_leak(question: Question, passages: Bm25Passages) -> SitePassage | None:
    """The first passage for a question if it gives the answer away, else None."""
    best = next(iter(passages.rank(question.question)), None)
    if best is None or not question.answer:
        return None
    quoted = any(
        _holds_quote(best, page, site)
        for page in question.pages
        for site in passages.sites
        if site.name == page.site
    )
    if question.derived or question.type == "yesno":
        return best if quoted and len(question.pages) == 1 else None
    if missing_gold(best.text, question.answer, whole=True):
        return None
    shortest = min(len(each) for golds in question.golds for each in golds)
    return best if quoted or shortest >= TELLING else None


def _holds_quote(passage: SitePassage, page: QuotedPage, site: SitePages) -> bool:
    """Does a passage overlap a quote?"""
    if (passage.site, passage.path) != (page.site, page.path):
        return False
    span = find_quote(site.pages[page.path].text, page.quote)
    return span is not None and passage.start < span[1] and passage.end > span[0]
