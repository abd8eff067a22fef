"""Units cover a document in order and verbatim, and none crosses a heading."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.ranking.index import split_units
from forager.text.sentences import split_sentences

PAGE = """# Cache

The cache keeps every page for one day. It is emptied at midnight. It grows to at most 40 MB in
that time and no more than that.

Yes. No. Maybe so.

## Limits

- One
- Two
- Three of them are kept by default

name | size
small | 10
large | 4000
"""
HEADINGS = [PAGE.index("# Cache"), PAGE.index("## Limits")]


def test_a_page_is_split_into_readable_units() -> None:
    found = list(split_units(PAGE, HEADINGS))
    texts = [PAGE[unit.start : unit.end] for unit in found]
    assert any(text.startswith("# Cache") for text in texts)
    assert any("It is emptied at midnight." in text for text in texts)
    assert any("small | 10" in text for text in texts)
    assert all(unit.heading == (unit.start >= HEADINGS[1]) for unit in found)


def test_a_heading_is_joined_to_the_sentence_it_leads_to() -> None:
    text = "# Cache\n\nIt keeps every page.\n\n# Index"
    [first, _] = split_units(text, [0, text.index("# Index")])
    assert text[first.start : first.end] == "# Cache\n\nIt keeps every page."


def test_full_sentences_stand_alone() -> None:
    text = "The cache keeps every page for one day. The index keeps every word of every page."
    assert [text[start:end] for start, end, _ in split_units(text)] == [text[:39], text[40:]]


@pytest.mark.parametrize("text", ["", " ", "\n\n \n"])
def test_an_empty_text_has_no_units(text: str) -> None:
    assert list(split_units(text)) == []


BLOCKS = st.lists(
    st.sampled_from(
        [
            "# Heading",
            "The cache keeps every page for one day, and then some more of it.",
            "Yes. No.",
            "- an item",
            "a | b | 15",
            "```\ncode = 1\n```",
            "黄帝发明了历法。他活了一百岁。",
            "word " * 50,
            "x",
        ]
    ),
    max_size=12,
)
SEPARATORS = st.sampled_from(["\n", "\n\n", " "])


@st.composite
def documents(draw: st.DrawFn) -> tuple[str, list[int]]:
    """A text, and offsets of lines that serve as headings."""
    text = draw(SEPARATORS).join(draw(BLOCKS)) if draw(st.booleans()) else draw(st.text())
    starts = [0, *(place + 1 for place, letter in enumerate(text) if letter == "\n")]
    return text, sorted(draw(st.sets(st.sampled_from(starts), max_size=4)))


@given(documents())
def test_units_cover_the_text_in_order(document: tuple[str, list[int]]) -> None:
    text, headings = document
    end = 0
    for unit in split_units(text, headings):
        assert not text[end : unit.start].strip()
        assert unit.start < unit.end
        assert text[unit.start : unit.end].strip() == text[unit.start : unit.end]
        end = unit.end
    assert not text[end:].strip()


@given(documents())
def test_units_are_made_of_whole_sentences(document: tuple[str, list[int]]) -> None:
    text, headings = document
    spans = split_sentences(text)
    starts, ends = {start for start, _ in spans}, {end for _, end in spans}
    for unit in split_units(text, headings):
        assert unit.start in starts
        assert unit.end in ends


@given(documents())
def test_every_unit_belongs_to_the_last_heading_before_it(
    document: tuple[str, list[int]],
) -> None:
    text, headings = document
    for unit in split_units(text, headings):
        before = [place for place in headings if place <= unit.start]
        assert unit.heading == len(before) - 1


@given(documents())
def test_joined_units_stay_short(document: tuple[str, list[int]]) -> None:
    text, headings = document
    spans = split_sentences(text)
    for unit in split_units(text, headings):
        joined = [span for span in spans if unit.start <= span[0] and span[1] <= unit.end]
        if len(joined) > 1:
            assert len(text[unit.start : unit.end].split()) <= 60
