"""What a page raises or lowers stays apart from what it stands behind."""

import pytest

from forager.text.numbers import find_numerals
from forager.text.quotes import find_quote
from forager.text.tokens import keywords, tokenize
from tests.forager.adapters.web.html_reader import read_html

RAISED = {
    "at most 2<sup>64</sup> rows": "at most 2⁶⁴ rows",
    "10<sup>&minus;9</sup> s": "10⁻⁹ s",
    "10<sup>-9</sup> s": "10⁻⁹ s",
    "H<sub>2</sub>O and <b>x</b><sup>2</sup>": "H₂O and x²",
    "x<b><sup><i>n</i>+1</sup></b>": "xⁿ⁺¹",
    "x<sup>2<sup>n</sup></sup>": "x^2ⁿ",
    "x<sup>T</sup>, C<sub><em>nm</em></sub>": "x^T, C_nm",
    "(a + b)<sup>1/2</sup>": "(a + b)^(1/2)",
    "<a href=n>O(n<sup>2</sup>)</a>": "O(n²)",
    "<table><tr><td>a<td>b<sup>2</sup></table>": "a | b²",
    "<h2>2<sup>8</sup> keys</h2>": "## 2⁸ keys",
    "<pre>2<sup>64</sup></pre>": "```\n2⁶⁴\n```",
}
NOTES = {
    "It was so.<sup>[1]</sup> Then": "It was so.[1] Then",
    "It was so<sup><a href=#n>[b]</a></sup>": "It was so[b]",
    "a word<sup>*</sup> and<sup>†</sup>": "a word* and†",
    "10 MB<sup><a href=#n>1</a></sup> a day": "10 MB¹ a day",
    "10 MB<a href=#n><sup>1</sup></a> a day": "10 MB¹ a day",
    "so<sup>1, 2</sup>": "so¹, ²",
    "so<sup><a href=#n>note</a></sup>": "so note",
    "so<sup>(a)</sup>": "so(a)",
    "so<sup>new</sup>": "so new",
}
ENDS = {
    "the 1<sup>st</sup> of the 20<sup>th</sup>": "the 1st of the 20th",
    "le XX<sup>e</sup> siècle": "le XXe siècle",
    "Lamp<sup>TM</sup>": "LampTM",
    "<sup>44100 samples</sup>/<sub>s</sub> or 1.4<sup>Mbit</sup>/<sub>s</sub>": (
        "44100 samples/s or 1.4Mbit/s"
    ),
    "<sup>1</sup>/<sub>2</sub>": "¹/₂",
    "<sub>A line in small print</sub>": "A line in small print",
}


@pytest.mark.parametrize(("source", "expected"), [*RAISED.items(), *NOTES.items(), *ENDS.items()])
def test_superscripts_and_subscripts_can_be_read(source: str, expected: str) -> None:
    assert read_html(source).text == expected


@pytest.mark.parametrize("tag", ["sup", "sup><span", "a href=n><sup"])
def test_scripts_within_scripts_take_no_longer_than_other_text(tag: str) -> None:
    assert read_html(f"<p>a<{tag}>" * 20_000 + "b").text.endswith("b")


def test_links_keep_the_text_that_the_page_shows() -> None:
    (link,) = read_html("<p>See <a href='/n'>O(n<sup>2</sup>)</a> for it.").links
    assert (link.text, link.context) == ("O(n²)", "See O(n²) for it.")


def test_a_power_is_found_by_its_words_quoted_and_read_as_a_number() -> None:
    text = read_html("<p>A table has at most 2<sup>64</sup> rows of H<sub>2</sub>O.").text
    for question in ("2^64 rows", "2**64 rows", "2⁶⁴ rows", "rows of H2O"):
        assert set(keywords(question)) <= set(tokenize(text))
    assert find_quote(text, "at most 2⁶⁴ rows") == (12, 28)
    assert next(number.value for number in find_numerals(text)) == 2**64
