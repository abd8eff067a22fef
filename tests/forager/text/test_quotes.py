"""A quote is found in every spelling of a document, and nowhere else."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.text.quotes import find_quote, verify_quote

PAGE = """# Bug tracker

Hosting of the “Python bug tracker” is kindly provided
by Upfront\u00a0Systems of Stellen\u00adbosch,
South Africa — since 2006… It's 10–20 GB; use --force.

- One release cycle
- On the day of the release

id | name | 725
xdes | 725 | 1 | 16777215

```
echo 1 | Gravity
```
"""


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("Hosting of the “Python bug tracker”", "Hosting of the “Python bug tracker”"),
        ('hosting OF the "Python bug tracker"', "Hosting of the “Python bug tracker”"),
        (
            "Upfront Systems of Stellenbosch, South",
            "Upfront\u00a0Systems of Stellen\u00adbosch,\nSouth",
        ),
        ("South Africa - since 2006...", "South Africa — since 2006…"),
        ("South Africa -- since 2006", "South Africa — since 2006"),
        ("it’s 10-20 GB", "It's 10–20 GB"),
        ('"...provided by Upfront Systems..."', "provided\nby Upfront\u00a0Systems"),
        ("  Bug  tracker ", "Bug tracker"),
        ("cycle On the day", "cycle\n- On the day"),
        ("XDES 725 1 16777215", "xdes | 725 | 1 | 16777215"),
        ("16777215 echo 1 Gravity", "16777215\n\n```\necho 1 | Gravity"),
        ("**South Africa**", "South Africa"),
    ],
)
def test_other_spellings_are_found(quote: str, found: str) -> None:
    span = find_quote(PAGE, quote)
    assert span is not None
    assert PAGE[slice(*span)] == found


@pytest.mark.parametrize(
    "quote",
    [
        "",
        "  ",
        "Hosting ... is kindly provided",
        "Hosting is kindly provided",
        "Hosted by Upfront Systems",
        "Up front Systems",
        "10.20 GB",
        "It is 10–20 GB",
        "xdes 725 16777215",
        "- one release cycle - on",
    ],
)
def test_changed_words_are_not_found(quote: str) -> None:
    assert find_quote(PAGE, quote) is None


def test_the_exact_spelling_wins_over_an_earlier_folded_one() -> None:
    assert find_quote("The Cat. the cat.", "the cat") == (9, 16)


def test_a_quote_is_verified_only_at_its_offsets() -> None:
    assert verify_quote("abcabc", 3, 6, "abc")
    assert not verify_quote("abcabc", 2, 5, "abc")
    assert not verify_quote("abc", 1, 1, "")
    assert not verify_quote("abc", -3, 3, "abc")
    assert not verify_quote("abc", 1, 9, "bc")


ALPHABET = "abİßΣς .,…-–—\"'“”‘’«»`|#\n\t\u00a0\u00ad\u200b中。0"
texts = st.text(ALPHABET, max_size=80)


@given(texts, st.data())
def test_any_piece_of_a_text_is_found(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    quote = text[start:end]
    span = find_quote(text, quote)
    if quote.strip():
        assert span == (text.find(quote), text.find(quote) + len(quote))
        assert verify_quote(text, *span, quote)
    else:
        assert span is None


WORDS = st.lists(
    st.sampled_from(["Foo", "bar's", "“x”", "1–2", "end—so", "中文", "…", "(a)"]), min_size=1
)
RESPELT = str.maketrans({"'": "’", "“": '"', "”": "«", "–": "-", "—": "―", "F": "f", "x": "X"})


@given(
    texts,
    WORDS,
    texts,
    st.sampled_from([" ", "\n", "  \u200b", "\u00a0", "\n- ", " | ", "\n\n## "]),
)
def test_a_respelt_piece_is_found_with_the_same_words(
    before: str, words: list[str], after: str, gap: str
) -> None:
    text = f"{before} {gap.join(words)} {after}"
    quote = " ".join(words).translate(RESPELT).replace("…", ". . .")
    span = find_quote(text, quote)
    if not any(map(str.isalnum, quote)):
        return
    assert span is not None
    assert _bare(text[slice(*span)]) == _bare(quote)


@given(texts, texts)
def test_a_found_span_has_the_words_of_the_quote(text: str, quote: str) -> None:
    span = find_quote(text, quote)
    if span:
        assert 0 <= span[0] < span[1] <= len(text)
        assert _bare(text[slice(*span)]) == _bare(quote)


def _bare(text: str) -> str:
    """Letters and digits only, in lower case."""
    return re.sub(r"[\W_]+", "", text.lower().replace("ς", "σ").replace("i̇", "i"))
