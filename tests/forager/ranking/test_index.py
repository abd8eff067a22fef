"""The index agrees with counting by hand, also after saving and loading."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.ranking.index import (
    Index,
    Postings,
    Source,
    build_index,
    dump_index,
    load_index,
    split_units,
)
from forager.text.tokens import tokenize

SENTENCES = st.sampled_from(
    [
        "The cache keeps every page for one day and 15 hours.",
        "Ada Lovelace wrote the first program in 1843.",
        "黄帝发明了历法。",
        "# Heading",
        "name | size | 3.7.15",
        "Yes.",
    ]
)
HEADINGS = st.sampled_from(["Cache", "The first program", "历法"])


@st.composite
def sources(draw: st.DrawFn) -> Source:
    text = "\n\n".join(draw(st.lists(SENTENCES, max_size=9)))
    offsets = sorted(draw(st.sets(st.integers(0, max(0, len(text) - 1)), max_size=3)))
    return Source(
        url=f"http://host/{draw(st.sampled_from('abc'))}/page{draw(st.integers(0, 99))}.html",
        title=draw(st.sampled_from(["", "Cache", "Ada's program", "手册"])),
        text=text,
        headings=tuple((offset, draw(HEADINGS)) for offset in offsets),
        anchors=tuple(draw(st.lists(st.sampled_from(["cache", "Read more"]), max_size=2))),
        depth=draw(st.integers(0, 3)),
    )


SITES = st.lists(sources(), max_size=4)


def counted(postings: Postings, index: Index, term: str) -> dict[int, int]:
    items, counts = postings.items_with(index.terms.get(term))
    return dict(zip(items.tolist(), counts.tolist(), strict=True))


@given(SITES)
def test_postings_equal_a_count_by_hand(site: list[Source]) -> None:
    index = build_index(site)
    by_unit = [Counter(tokenize(index.unit_text(unit))) for unit in range(index.size)]
    every = {term for counts in by_unit for term in counts}
    assert every <= set(index.terms)
    for term in index.terms:
        expected = {unit: counts[term] for unit, counts in enumerate(by_unit) if counts[term]}
        assert counted(index.unit_postings, index, term) == expected
    assert index.length.tolist() == [counts.total() for counts in by_unit]


@given(SITES)
def test_a_page_counts_its_units_its_name_and_the_links_to_it(site: list[Source]) -> None:
    index = build_index(site)
    for number, source in enumerate(site):
        body = Counter(tokenize(source.text))
        named = set(tokenize(source.title)) | set(tokenize(source.url.partition("host/")[2]))
        anchors = Counter(tokenize(" ".join(source.anchors)))
        for term in index.terms:
            found = counted(index.page_postings, index, term).get(number, 0)
            assert (found > 0) == (term in body or term in named or term in anchors)
            assert found >= body[term] + anchors[term]
            assert (found > body[term] + anchors[term]) == (term in named)


@given(SITES)
def test_units_are_those_of_the_pages_in_order(site: list[Source]) -> None:
    index = build_index(site)
    expected = [
        (number, source.text[unit.start : unit.end], unit.heading)
        for number, source in enumerate(site)
        for unit in split_units(source.text, [offset for offset, _ in source.headings])
    ]
    assert [(index.page[unit], index.unit_text(unit)) for unit in range(index.size)] == [
        (page, text) for page, text, _ in expected
    ]
    for unit, (page, _, heading) in enumerate(expected):
        source = site[page]
        under = source.headings[heading][1] if heading >= 0 else source.title
        assert index.heading_text(unit) == under


@given(SITES)
def test_an_index_is_unchanged_after_saving_and_loading(site: list[Source]) -> None:
    index = build_index(site)
    again = load_index(dump_index(index))
    assert dump_index(again) == dump_index(index)
    for name in ("terms", "urls", "titles", "depths", "texts", "headings"):
        assert getattr(again, name) == getattr(index, name)
    for name in ("page", "start", "end", "heading", "length", "page_length"):
        assert np.array_equal(getattr(again, name), getattr(index, name))
        assert getattr(again, name).dtype == getattr(index, name).dtype
    for term in index.terms:
        for postings in ("unit_postings", "page_postings", "heading_postings"):
            assert counted(getattr(again, postings), again, term) == counted(
                getattr(index, postings), index, term
            )


@given(SITES, st.integers(0, 12))
def test_same_page_compares_units_by_pairs(site: list[Source], step: int) -> None:
    index = build_index(site)
    assert index.same_page(step).tolist() == [
        unit + step < index.size and bool(index.page[unit + step] == index.page[unit])
        for unit in range(index.size)
    ]


@given(SITES)
def test_a_span_is_the_text_from_one_unit_through_another(site: list[Source]) -> None:
    index = build_index(site)
    for first in range(index.size):
        last = first + bool(index.same_page(1)[first])
        text = index.span_text(first, last)
        assert text in site[index.page[first]].text
        assert text.startswith(index.unit_text(first))
        assert text.endswith(index.unit_text(last))


def test_absent_terms_have_no_postings() -> None:
    index = build_index([Source("http://host/", "Cache", "It keeps pages.")])
    assert counted(index.unit_postings, index, "elsewhere") == {}
    assert counted(index.unit_postings, index, "cach") == {}
    assert counted(index.page_postings, index, "cach") == {0: 3}


def test_headings_are_found_by_their_words() -> None:
    text = "# The cache\n\nIt keeps pages.\n\n# The index\n\nIt keeps words."
    second = text.index("# The index")
    headings = ((0, "The cache"), (second, "The index"))
    index = build_index([Source("http://host/", "Guide", text, headings)])
    assert counted(index.heading_postings, index, "cach") == {0: 1}
    assert counted(index.heading_postings, index, "index") == {1: 1}


def test_a_page_has_stems_in_its_language_and_terms() -> None:
    german = Source("http://host/", "Häuser", "Das Haus und die Häuser", language="de")
    english = Source("http://host/en", "", "The Häuser of Berlin")
    index = build_index([german, english])
    assert counted(index.unit_postings, index, "haus") == {0: 2}
    assert counted(index.unit_postings, index, "hauser") == {0: 1, 1: 1}
    assert index.length.tolist() == [5, 4]
    assert index.languages == ("de", "en")
    assert load_index(dump_index(index)).languages == ("de", "en")


@pytest.mark.parametrize("data", [b"", b"PK", b"no archive at all"])
def test_invalid_bytes_are_not_loaded_as_an_index(data: bytes) -> None:
    with pytest.raises((ValueError, EOFError)):
        load_index(data)
