"""Other words for the words of a question: a site's own vocabulary, by the nearness of embeddings.

A question says "hairdressing shops" where the page says "parlours". Single words have embeddings
too; those of a site's vocabulary are kept with its index, and a question's words are met by the
nearest of them, worth their cosine.
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

LEAST_COSINE = 0.6
MOST_VARIANTS = 5
LEAST_LETTERS = 3
LEAST_UNITS = 2
"""A term that stands in one unit only is seldom another word for anything."""
PLAIN_WORD = re.compile(rf"[a-z]{{{LEAST_LETTERS},}}")


class Vocabulary(NamedTuple):
    """Terms of a site and the unit vectors of a word for each, shape (terms, dimensions)."""

    terms: tuple[str, ...]
    vectors: NDArray[np.float16]


def build_vocabulary(index: Index, embedder: Embedder) -> Vocabulary:
    """The plain words of a site, embedded."""
    found: set[str] = set()
    for text, language in zip(index.texts, index.languages, strict=True):
        found.update(set(PLAIN_WORD.findall(text.lower())) - stop_words(language))
    by_term: dict[str, str] = {}
    for word in sorted(found, key=lambda word: (len(word), word)):
        term = terms_of(word)[0]
        if len(index.unit_postings.items_with(index.terms.get(term))[0]) >= LEAST_UNITS:
            by_term.setdefault(term, word)
    vectors = embedder.embed(list(by_term.values()))
    return Vocabulary(tuple(by_term), vectors.astype(np.float16))


def find_variants(
    known: Vocabulary, question: str, embedder: Embedder
) -> Mapping[str, dict[str, float]]:
    """For each index term of the question the site's nearest others, with their cosine."""
    words = {
        terms_of(word)[0]: word.lower()
        for word in content_words(question)
        if PLAIN_WORD.fullmatch(word.lower())
    }
    if not words or not known.terms:
        return {}
    near = embedder.embed(list(words.values())) @ known.vectors.T.astype(np.float32)
    return {
        term: _nearest_terms(term, known.terms, row) for term, row in zip(words, near, strict=True)
    }


def _nearest_terms(
    term: str, terms: tuple[str, ...], cosines: NDArray[np.float32]
) -> dict[str, float]:
    best = np.argsort(-cosines, kind="stable")[: MOST_VARIANTS + 1]
    near = {terms[place]: round(float(cosines[place]), 3) for place in best}
    kept = [(other, cosine) for other, cosine in near.items() if cosine >= LEAST_COSINE]
    return dict([pair for pair in kept if pair[0] != term][:MOST_VARIANTS])
