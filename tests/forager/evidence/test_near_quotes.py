"""A nearly verbatim quote stands for the sentences of the page, and other words for none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.evidence.near_quotes import find_near_quote
from forager.text.sentences import split_sentences

PAGE = """# History

The house was founded in 1887 by Ottilie Brandt, who was a clockmaker of the town of Weyer.
She sold three tower clocks for it. A storm tore the dome down in 1911; it was not rebuilt.
"""
FOUNDED, SOLD, STORM = (PAGE[start:end] for start, end in split_sentences(PAGE)[1:])


def found(quote: str) -> str:
    span = find_near_quote(PAGE, quote)
    return PAGE[slice(*span)] if span else ""


@pytest.mark.parametrize(
    ("quote", "sentences"),
    [
        ("The house was **founded** in `1887` by [Ottilie Brandt]", FOUNDED),
        ("the house (was founded in 1887) by Ottilie Brandt who was", FOUNDED),
        ("founded in 1887 by Otilie Brandt, who was a clockmaker of the town", FOUNDED),
        ("a clockmaker of the town of Weyer - She sold three", f"{FOUNDED}\n{SOLD}"),
        ("A storm tore the dome down in 1911 — it was not rebuilt", STORM),
    ],
)
def test_marks_and_a_slip_of_spelling_may_differ(quote: str, sentences: str) -> None:
    assert found(quote) == sentences


@pytest.mark.parametrize(
    "quote",
    [
        "The house was founded in 1888 by Ottilie Brandt, who was a clockmaker of the town",
        "The house was founded by Ottilie Brandt",
        "A storm tore the dome down in 1911; it was rebuilt",
        "A storm tore the dome down in 1911; it was now rebuilt",
        "founded in 1887 … three tower clocks for it",
        "three tower clocks",
        "",
    ],
)
def test_other_words_are_not_found(quote: str) -> None:
    assert not found(quote)


@given(st.lists(st.sampled_from(PAGE.split()), min_size=1, max_size=12), st.integers(0, 30))
def test_what_is_found_are_whole_sentences(words: list[str], first: int) -> None:
    spans = split_sentences(PAGE)
    for quote in (" ".join(words), " * ".join(PAGE.split()[first : first + 8])):
        span = find_near_quote(PAGE, quote)
        if span:
            assert span[0] in {start for start, _ in spans}
            assert span[1] in {end for _, end in spans}


@given(st.integers(1, 26), st.integers(6, 12))
def test_a_stretch_is_found_whatever_stands_between_its_words(first: int, count: int) -> None:
    stretch = PAGE.split()[1:][first : first + count]
    assert all(word.strip(",.;") in found(" ~ ".join(stretch)) for word in stretch)
