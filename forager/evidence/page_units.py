"""The units of a page, for a prompt that may show only some of them."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from forager.domain.documents import Document
from forager.domain.state import SubQuestion
from forager.prompts.sections import Item
from forager.ranking import scoring
from forager.ranking.index import Index, Source, build_index
from forager.text.languages import page_language

NEIGHBOUR_SHARE = 0.95
"""The share of its relevance that a unit passes on to its neighbours."""


def index_page(document: Document) -> Index:
    """The index of a single page."""
    headings = tuple((heading.start, heading.text) for heading in document.headings)
    language = page_language(document.lang, document.text)
    page = Source(document.url, document.title, document.text, headings, language=language)
    return build_index([page])


def text_items(document: Document, parts: Sequence[SubQuestion]) -> tuple[Item, ...]:
    """The units of the page, each as relevant as itself or nearly as its best neighbour.

    Words alone decide: embeddings would only reorder the best few, which fit anyway.
    """
    index = index_page(document)
    if not index.size:
        return (Item(text=document.text),) if document.text else ()
    scored = [scoring.lexical_scores(index, part) for part in parts]
    worth = np.max(scored, axis=0)
    near = [np.roll(worth, step) * NEIGHBOUR_SHARE for step in (-1, 1, 2)]
    worth = np.max([worth, *near], axis=0)
    bounds = [0, *(int(start) for start in index.start[1:]), len(document.text)]
    return tuple(
        Item(text=document.text[start:end], relevance=float(value))
        for (start, end), value in zip(pairwise(bounds), worth, strict=True)
    )
