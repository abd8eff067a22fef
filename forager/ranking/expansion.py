"""Query expansion: related words from a site's own vocabulary, by similarity of embeddings.

A question says "hairdressing shops" where the page says "parlours". Embeddings of the words of a
site are stored with its index; each word of a question is expanded by the most similar ones,
weighted by their cosine.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from forager.ports import Embedder
from forager.ranking.index import Index
from forager.text.languages import stop_words
from forager.text.tokens import content_words, terms_of

MIN_COSINE = 0.6
MAX_VARIANTS = 5
MIN_LETTERS = 3
MIN_UNITS = 2
"""A term in fewer units is rarely a synonym of anything."""
PLAIN_WORD = re.compile(rf"[a-z]{{{MIN_LETTERS},}}")


class Vocabulary(NamedTuple):
    """Terms of a site, and the unit vector of one word for each; shape (terms, dimensions)."""

    terms: tuple[str, ...]
    vectors: NDArray[np.float16]


def build_vocabulary(index: Index, embedder: Embedder) -> Vocabulary:
    """Embed the plain words of a site."""
    words: set[str] = set()
    for text, language in zip(index.texts, index.languages, strict=True):
        words.update(set(PLAIN_WORD.findall(text.lower())) - stop_words(language))
    by_term: dict[str, str] = {}
    for word in sorted(words, key=lambda word: (len(word), word)):
        term = terms_of(word)[0]
        if len(index.unit_postings.items_with(index.terms.get(term))[0]) >= MIN_UNITS:
            by_term.setdefault(term, word)
    vectors = embedder.embed(list(by_term.values()))
    return Vocabulary(tuple(by_term), vectors.astype(np.float16))


def find_variants(
    vocabulary: Vocabulary, question: str, embedder: Embedder
) -> Mapping[str, dict[str, float]]:
    """For each index term of the question, the most similar other terms of the site by cosine."""
    words = {
        terms_of(word)[0]: word.lower()
        for word in content_words(question)
        if PLAIN_WORD.fullmatch(word.lower())
    }
    if not words or not vocabulary.terms:
        return {}
    cosines = embedder.embed(list(words.values())) @ vocabulary.vectors.T.astype(np.float32)
    return {
        term: _nearest_terms(term, vocabulary.terms, row)
        for term, row in zip(words, cosines, strict=True)
    }


def _nearest_terms(
    term: str, terms: tuple[str, ...], cosines: NDArray[np.float32]
) -> dict[str, float]:
    best = np.argsort(-cosines, kind="stable")[: MAX_VARIANTS + 1]
    near = {terms[place]: round(float(cosines[place]), 3) for place in best}
    kept = [(other, cosine) for other, cosine in near.items() if cosine >= MIN_COSINE]
    return dict([pair for pair in kept if pair[0] != term][:MAX_VARIANTS])
