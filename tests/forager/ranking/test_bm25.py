"""BM25 from postings equals rank-bm25's own result."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from forager.ranking.bm25 import PageOkapi
from forager.ranking.index import Source, build_index
from forager.text.tokens import tokenize

WORDS = st.sampled_from(["sun", "moon", "star", "planet", "comet", "orbit", "lens", "mirror"])
PAGES = st.lists(st.lists(WORDS, min_size=1, max_size=12), min_size=2, max_size=6)


@given(PAGES, st.lists(WORDS, min_size=1, max_size=4))
def test_scores_are_those_of_rank_bm25_over_the_words(
    pages: list[list[str]], asked: list[str]
) -> None:
    texts = [" ".join(words) for words in pages]
    index = build_index(Source("http://host/", "", text) for text in texts)
    plain = BM25Okapi([tokenize(text) for text in texts])
    terms = tokenize(" ".join(asked))
    assert np.allclose(PageOkapi(index).score_pages(terms), plain.get_scores(terms))


def test_a_page_without_the_terms_scores_nothing() -> None:
    index = build_index(
        [Source("http://host/a", "", "sun"), Source("http://host/b", "", "moon star")]
    )
    assert PageOkapi(index).score_pages(["comet"]).tolist() == [0.0, 0.0]
