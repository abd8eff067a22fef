"""Answering units rank first, and spans contain them without overlap."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from forager.adapters.web.read import page_reader
from forager.domain.documents import Document
from forager.domain.state import SubQuestion
from forager.ports import Embedder
from forager.ranking import scoring
from forager.ranking.index import Index, Source, build_index
from forager.ranking.scoring import (
    choose_spans,
    idf,
    lexical_scores,
    odds_shares,
    odds_to_score,
    page_shares,
    score_to_odds,
    scores_to_odds,
)
from forager.text.tokens import keywords, tokenize
from tests.fakes import FakeEmbedder, FakeRater
from tests.observatory import ANOTHER, FOUNDED, GROUND, PAGES, TICKETS

SITE = "http://127.0.0.1:1"
LEXICAL = FakeEmbedder(available=False)


def part_of(index: Index, ask: str) -> SubQuestion:
    return SubQuestion(
        id="p1",
        text=ask,
        query=ask,
        site=SITE,
        terms=idf(index, keywords(ask)),
        unit_length=scoring.mean_context_length(index),
        page_length=float(index.page_length.mean()) if len(index.urls) else 1.0,
    )


def scored(index: Index, ask: str, embedder: Embedder = LEXICAL) -> scoring.Doubles:
    return scoring.score_units(index, part_of(index, ask), ask, embedder, embedded=8)


def site_of(*texts: str) -> Index:
    return build_index([Source(f"{SITE}/{n}", "", text) for n, text in enumerate(texts)])


@pytest.fixture(scope="module")
def observatory() -> Index:
    documents: list[Document] = [
        page_reader.read_page(body.encode(), "text/html; charset=utf-8", f"{SITE}{path}")
        for path, body in PAGES.items()
    ]
    return build_index(
        [
            Source(d.url, d.title, d.text, tuple((head.start, head.text) for head in d.headings))
            for d in documents
        ]
    )


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        ("Who founded the observatory?", FOUNDED),
        ("In which year was the observatory founded?", FOUNDED),
        ("Who ground the lens of the great refractor?", GROUND),
        (ANOTHER, TICKETS),
        ("How long is the tube?", "The tube is nine metres long and weighs four tonnes."),
    ],
)
@pytest.mark.parametrize("embedder", [LEXICAL, FakeEmbedder(available=True)])
def test_the_answering_unit_outranks_the_others(
    observatory: Index, ask: str, said: str, embedder: Embedder
) -> None:
    score = scored(observatory, ask, embedder)
    assert said in observatory.unit_text(int(score.argmax()))
    [span] = choose_spans(observatory, [scores_to_odds(score)], 1)
    assert said in observatory.span_text(span.first, span.last)


def test_only_the_best_units_are_embedded(observatory: Index) -> None:
    embedder = FakeEmbedder(available=True)
    part = part_of(observatory, ANOTHER)
    scoring.score_units(observatory, part, ANOTHER, embedder, embedded=3)
    assert len(embedder.asked) <= 3 + 2
    embedder.asked.clear()
    scoring.score_units(observatory, part, ANOTHER, embedder, embedded=0)
    assert embedder.asked == []


def test_a_site_without_the_terms_scores_nothing(observatory: Index) -> None:
    assert not scored(observatory, "Which submarine carries telegrams?").any()


@pytest.mark.parametrize("texts", [(), ("",), ("", "")])
def test_an_empty_site_can_be_ranked(texts: tuple[str, ...]) -> None:
    index = site_of(*texts)
    assert scored(index, "Who founded it?").size == 0
    assert choose_spans(index, [], 5) == []
    assert choose_spans(index, [np.zeros(0)], 5) == []


# ---- terms

WORDS = ["ant", "bee", "cat", "dog", "elk"]
ONE_UNIT_PAGES = st.lists(
    st.lists(st.sampled_from(WORDS), min_size=6, max_size=6).map(" ".join),
    min_size=1,
    max_size=8,
)


@given(ONE_UNIT_PAGES)
def test_rarer_terms_weigh_more_and_absent_ones_nothing(texts: list[str]) -> None:
    index = site_of(*texts)
    weights = idf(index, [*WORDS, "absent"])
    held = {word: sum(word in text.split() for text in texts) for word in WORDS}
    assert weights["absent"] == 0
    for word in WORDS:
        assert (weights[word] > 0) == (held[word] > 0)
        for other in WORDS:
            if 0 < held[word] < held[other]:
                assert weights[word] > weights[other]


def test_a_term_occurs_where_its_stem_occurs() -> None:
    index = site_of("sun", "moon", "star", "moon star")
    assert idf(index, ["sun"], {"sun": ["moon"]}) == idf(
        index, ["sun"], {"sun": ["moon", "absent"]}
    )
    assert 0 < idf(index, ["sun"], {"sun": ["moon"]})["sun"] < idf(index, ["sun"])["sun"]
    assert page_shares(index, ["sun", "star"], {"sun": ["moon"]}) == {"sun": 0.75, "star": 0.5}


@given(ONE_UNIT_PAGES)
def test_terms_are_ordered_as_okapi_orders_them(texts: list[str]) -> None:
    """Okapi's frequencies turn negative, and are replaced, where half of the pages hold a term."""
    okapi = BM25Okapi([tokenize(text) for text in texts]).idf
    weights = idf(site_of(*texts), WORDS)
    rare = [
        word for word in WORDS if 0 < sum(word in text.split() for text in texts) < len(texts) / 2
    ]
    for word in rare:
        for other in rare:
            assert (weights[word] > weights[other]) == (okapi[word] > okapi[other])


@given(ONE_UNIT_PAGES, st.sampled_from(WORDS))
def test_pages_are_ordered_by_one_term_as_okapi_orders_them(texts: list[str], word: str) -> None:
    index = site_of(*texts)
    ours = lexical_scores(index, part_of(index, word))
    # All pages are of one length, so saturation alone decides; 0.8 and 0.75 are ranking's own.
    okapi = BM25Okapi([tokenize(text) for text in texts], k1=0.8, b=0.75)
    okapi.idf = dict.fromkeys(okapi.idf, 1.0)
    theirs = okapi.get_scores([word])
    assert np.array_equal(np.sign(ours[:, None] - ours), np.sign(theirs[:, None] - theirs))


# ---- scores

FILLER = "plain words that say nothing of what anybody asks about here today"


@given(st.integers(0, 10))
def test_each_further_mention_adds_and_adds_less(count: int) -> None:
    def score(mentions: int) -> float:
        words = FILLER.split()
        words[:mentions] = ["cache"] * mentions
        index = site_of(" ".join(words), FILLER)
        part = part_of(index, "cache").model_copy(update={"terms": {"cach": 1.0}})
        return float(lexical_scores(index, part)[0])

    gains = [score(n + 1) - score(n) for n in range(count + 1)]
    assert all(gain > 0 for gain in gains)
    assert gains == sorted(gains, reverse=True)


def test_the_same_mention_in_a_shorter_page_counts_more() -> None:
    index = site_of("The cache keeps it.", f"The cache keeps it. {FILLER}. " + f"{FILLER}. " * 8)
    score = scored(index, "cache")
    assert score[0] > score[1] > 0


@given(st.permutations(range(4)), st.sampled_from(["cache", "Who wrote 1843?", "the program"]))
def test_pages_are_scored_independently(order: list[int], ask: str) -> None:
    texts = [
        "The cache keeps it.\n\nIt was written by Ada in 1843.\n\nThere is more.",
        "A program runs.\n\nNothing else is said.",
        "",
        "1843 was a year.\n\nThe cache is empty.",
    ]
    plain, shuffled = site_of(*texts), site_of(*(texts[place] for place in order))
    before, after = scored(plain, ask), scored(shuffled, ask)
    found = {
        (order[shuffled.page[unit]], shuffled.unit_text(unit)): after[unit]
        for unit in range(plain.size)
    }
    for unit in range(plain.size):
        assert found[int(plain.page[unit]), plain.unit_text(unit)] == pytest.approx(before[unit])


def test_text_below_a_heading_or_after_a_mention_scores_too() -> None:
    text = "# Cache\n\nIt was made late.\n\n# Index\n\nIt was made soon."
    headings = ((0, "Cache"), (text.index("# Index"), "Index"))
    index = build_index([Source(SITE, "", text, headings)])
    score = scored(index, "When was the cache made?")
    late = next(n for n in range(index.size) if "late" in index.unit_text(n))
    soon = next(n for n in range(index.size) if "soon" in index.unit_text(n))
    assert score[late] > score[soon]


def test_a_related_word_of_the_site_counts() -> None:
    index = site_of("Every parlour pays a tax.", "Every bakery pays a tax.")
    part = part_of(index, "Does a hairdresser pay?")
    near = part.model_copy(update={"variants": {"hairdress": {"parlour": 0.7}}})
    near = near.model_copy(update={"terms": {**part.terms, "hairdress": 1.0}})
    score = lexical_scores(index, near)
    assert score[0] > score[1]


# ---- spans and shares


@st.composite
def masses(draw: st.DrawFn) -> tuple[Index, list[scoring.Doubles]]:
    sentence = "Sentence {} of page {} has enough words to stand there alone."
    sizes = draw(st.lists(st.integers(0, 7), max_size=4))
    index = site_of(
        *("\n\n".join(sentence.format(n, p) for n in range(size)) for p, size in enumerate(sizes))
    )
    held = st.lists(
        st.floats(0, 1e6, allow_subnormal=False), min_size=index.size, max_size=index.size
    )
    return index, [np.array(draw(held)) for _ in range(draw(st.integers(1, 3)))]


@given(masses(), st.integers(0, 6))
def test_spans_are_short_disjoint_and_on_one_page_each(
    found: tuple[Index, list[scoring.Doubles]], count: int
) -> None:
    index, held = found
    chosen = choose_spans(index, held, count)
    assert len(chosen) <= count
    units = [unit for span in chosen for unit in range(span.first, span.last + 1)]
    assert len(units) == len(set(units))
    for span in chosen:
        assert 0 <= span.first <= span.last < index.size
        assert span.last - span.first < 3
        assert len(set(index.page[span.first : span.last + 1].tolist())) == 1
        assert span.mass > 0


@given(masses(), st.integers(1, 6))
def test_the_first_span_has_the_greatest_mass(
    found: tuple[Index, list[scoring.Doubles]], count: int
) -> None:
    index, held = found
    chosen = choose_spans(index, held, count)
    total = np.sum(held, axis=0)
    runs = [
        total[first : last + 1].sum()
        for first in range(index.size)
        for last in range(first, min(first + 3, index.size))
        if index.page[first] == index.page[last]
    ]
    best = max(runs, default=0.0)
    assert bool(chosen) == (best > 0)
    if chosen:
        assert chosen[0].mass == pytest.approx(best)
    assert [span.mass for span in chosen] == sorted((s.mass for s in chosen), reverse=True)


def test_a_span_is_in_one_section() -> None:
    text = "Size\n\nThe size of it. It is small.\n\nPort\n\nThe port of it. It is 1234."
    source = Source(SITE, "", text, headings=((0, "Size"), (text.index("Port"), "Port")))
    index = build_index([source])
    spans = choose_spans(index, [np.ones(index.size)], 9)
    texts = [index.span_text(span.first, span.last) for span in spans]
    assert len(texts) > 1
    assert not [each for each in texts if "size" in each.lower() and "port" in each.lower()]


def test_equal_texts_are_chosen_once() -> None:
    index = site_of("The cache keeps pages.", "The cache keeps pages.", "It keeps words.")
    assert len(choose_spans(index, [np.array([3.0, 2.0, 1.0])], 3)) == 2


def test_no_span_is_longer_than_a_quote_may_be() -> None:
    index = site_of(f"Brandt built it in that year. {'a' * 9_000}. It stands on the hill.")
    spans = choose_spans(index, [np.array([2.0, 3.0, 1.0])], 3)
    texts = [index.span_text(span.first, span.last) for span in spans]
    assert texts == ["Brandt built it in that year.", "It stands on the hill."]


PARTS = st.dictionaries(st.sampled_from(["p1", "p2", "p3"]), st.floats(0, 3), max_size=3)


@given(st.lists(PARTS, max_size=6))
def test_the_shares_of_a_part_sum_to_one(passages: list[dict[str, float]]) -> None:
    held = odds_shares(passages)
    assert [set(share) for share in held] == [set(scores) for scores in passages]
    for part in {part for scores in passages for part in scores}:
        values = [share[part] for share in held if part in share]
        assert sum(values) == pytest.approx(1)
        assert all(0 <= value <= 1 for value in values)
        by_score = sorted(scores[part] for scores in passages if part in scores)
        best = max(range(len(passages)), key=lambda n: passages[n].get(part, -math.inf))
        assert passages[best][part] == by_score[-1]
        assert held[best][part] == max(values)


@given(st.floats(0, 2))
def test_odds_and_score_are_inverse(score: float) -> None:
    assert odds_to_score(score_to_odds(score)) == pytest.approx(score, abs=1e-9)
    assert scores_to_odds(np.array([score]))[0] == pytest.approx(score_to_odds(score))
    assert odds_to_score(0.0) == 0.0


def test_a_rating_puts_the_answering_unit_before_one_with_the_same_words() -> None:
    index = site_of(
        "The port of the server is named in the file for the server. It has a port.",
        "The server opens port 4022 once it starts up for the first time on a machine.",
    )
    rater = FakeRater(4.0, "4022")
    embedder = FakeEmbedder(available=True, rater=rater)
    score = scored(index, "Which port has the server?", embedder)
    assert "4022" in index.unit_text(int(score.argmax()))
    assert "4022" not in index.unit_text(int(scored(index, "Which port has the server?").argmax()))


@pytest.mark.parametrize("asked", ["sort_mem", "hash_sort_mem", "sort_mem_limit"])
def test_a_setting_is_not_taken_for_one_with_a_similar_name(asked: str) -> None:
    names = ["hash_sort_mem", "sort_mem", "sort_mem_limit"]
    says = [f"Its default value is {n} megabytes on every machine that has some." for n in range(3)]
    text = "\n\n".join(says)
    starts = tuple((text.index(said), name) for said, name in zip(says, names, strict=True))
    index = build_index([Source(f"{SITE}/1", "Settings", text, starts)])
    embedder = FakeEmbedder(available=True, rater=FakeRater(4.0, "default"))
    score = scored(index, f"What is the default value of {asked}?", embedder)
    assert index.heading_text(int(score.argmax())) == asked


def test_a_unit_is_rated_with_its_place_and_what_stands_before() -> None:
    text = (
        "The tower stands on the hill above the sea. It has a light that burns every night. "
        "It was built of stone by Brandt in a year."
    )
    index = build_index([Source(f"{SITE}/1", "Tower", text, ((0, "Light"),))])
    rater = FakeRater(4.0, "Brandt")
    scored(index, "Who built it of stone?", FakeEmbedder(available=True, rater=rater))
    [built] = [each for each in rater.asked if "Brandt" in each.text]
    assert built.heading == "Tower > Light"
    assert built.before.endswith("It has a light that burns every night.")
