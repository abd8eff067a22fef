"""What is done against orders does not keep honest pages from being quoted word for word."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.adapters.models.prompt import clean_text
from forager.text.quotes import find_quote
from tests.hostile.attacks import ENDS, TOKENS, TOOLS

HONEST = [
    "if [[ -f x ]]; then echo [[:alpha:]]; fi",
    "local text = [[a long string]] .. [==[ end ]==] and [[end]]",
    "Use <s> for struck out words, <user>@<host> and </system>.",
    "std::vector<T> a = b<c>(d); x < y and y > z; <<SYS>>",
    "Ein Schiff\u00adfahrts\u00adamt am Do\u00adnau\u00adufer.",
    "A family 👨\u200d👩\u200d👧, a heart ❤\ufe0f, a flag 🏴\U000e0067\U000e0062\U000e007f.",
    "Icons \uf0c1 of a font \ue001 stand here \U000f0001.",
    "می\u200cخواهم \u2066left\u2069 \u202bright\u202c \u200fmark",
    "क्\u200dष and ক্\u200cষ",
    "See [1], [e7], [p2] and [99] below.",
    "The mark [INST] begins, [/INST] ends; <|im_end|> and <｜User｜> do too.",
    "A ﹤ b ＜ c ❮ d, ［e］ and 【f】.",
    "ab\x07c\x00d \x1b[0m e\x7f",
    "one\x0btwo\x0cthree\x85four\u2028five\u2029six",
    "한글\u3164 and 한\u115f글",
    *TOKENS,
    *TOOLS,
    *ENDS,
]


@pytest.mark.parametrize("words", HONEST)
def test_what_is_copied_from_a_prompt_is_found_on_the_page(words: str) -> None:
    text = f"Before it.\n\n{words}\n\nBehind it."
    for shown in (clean_text(words), clean_text(text).split("\n\n")[1]):
        span = find_quote(text, shown)
        assert span is not None
        assert clean_text(text[slice(*span)]).strip() == shown.strip()


PIECES = st.sampled_from(
    [
        "<s>",
        "[[",
        "end",
        "]]",
        "[INST]",
        "<|x|>",
        "word",
        "12",
        "a\u00adb",
        "c\u200bd",
        "❤\ufe0f",
        "x\ue001y",
    ]
)


@given(st.lists(PIECES, min_size=1, max_size=12), st.data())
def test_any_words_of_a_cleaned_page_are_found(pieces: list[str], data: st.DataObject) -> None:
    text = f"Before {' '.join(pieces)} behind."
    shown = clean_text(text).split(" ")
    first = data.draw(st.integers(0, len(shown) - 1))
    last = data.draw(st.integers(first, len(shown) - 1))
    quote = " ".join(shown[first : last + 1])
    assert find_quote(text, quote) is not None or not any(map(str.isalnum, quote))


def test_signs_that_compare_are_not_taken_for_one_another() -> None:
    assert find_quote("It holds where a < b.", "where a > b") is None
    assert find_quote("It holds where a < b.", "where a ❮ b") == (9, 20)
