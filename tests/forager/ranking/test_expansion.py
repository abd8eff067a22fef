"""A question's words are expanded by related words of a site."""

import numpy as np
import pytest

from forager.ports import Vectors
from forager.ranking.expansion import Vocabulary, build_vocabulary, find_variants
from forager.ranking.index import Source, build_index
from tests.fakes import FakeEmbedder

PARLOURS = "Every parlour pays a tax. The parlour closes at noon. A tax is paid at noon."
NEAR = {"parlour": 0, "hairdressers": 0, "tax": 1, "levy": 1, "noon": 2}


class Meanings(FakeEmbedder):
    """Words of one meaning have the same vector, others different ones."""

    def embed(self, texts: object) -> Vectors:
        words = [str(text) for text in texts]  # type: ignore[attr-defined]
        self.asked += words
        rows = [NEAR.get(word, 3 + len(word)) for word in words]
        return np.eye(32, dtype=np.float32)[rows].reshape(len(words), 32)


@pytest.fixture
def known() -> Vocabulary:
    return build_vocabulary(
        build_index([Source("http://host/", "", PARLOURS)]), Meanings(available=True)
    )


def test_a_vocabulary_has_the_terms_of_more_than_one_unit(known: Vocabulary) -> None:
    assert {"parlour", "tax", "noon"} <= set(known.terms)
    assert "close" not in known.terms
    assert "the" not in known.terms
    assert known.vectors.shape == (len(known.terms), 32)


def test_a_vocabulary_leaves_out_the_stop_words_of_each_page() -> None:
    text = "Die war die. War die war."
    english = build_vocabulary(
        build_index([Source("http://host/", "", text)]), Meanings(available=True)
    )
    german = Source("http://host/", "", text, language="de")
    assert set(english.terms) <= {"die", "war"}
    assert build_vocabulary(build_index([german]), Meanings(available=True)).terms == ()


def test_words_of_the_same_meaning_are_found(known: Vocabulary) -> None:
    found = find_variants(known, "Do hairdressers pay the levy?", Meanings(available=True))
    assert found["hairdress"] == {"parlour": 1.0}
    assert found["levi"] == {"tax": 1.0}
    assert found["pay"] == {}


def test_a_term_is_no_variant_of_itself(known: Vocabulary) -> None:
    assert find_variants(known, "Which tax?", Meanings(available=True)) == {"tax": {}}


@pytest.mark.parametrize("question", ["", "?", "黄帝发明了什么？", "Is it 15?", "Who was it?"])
def test_a_question_without_plain_words_has_none(known: Vocabulary, question: str) -> None:
    embedder = Meanings(available=True)
    assert find_variants(known, question, embedder) == {}
    assert embedder.asked == []


def test_a_site_without_plain_words_has_none() -> None:
    index = build_index([Source("http://host/", "", "黄帝发明了历法。黄帝发明了历法。")])
    empty = build_vocabulary(index, Meanings(available=True))
    assert empty.terms == ()
    assert find_variants(empty, "Which calendar?", Meanings(available=True)) == {}
