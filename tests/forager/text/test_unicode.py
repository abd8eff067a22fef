"""Characters that deceive are taken out or made plain."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.text.unicode import BRACKETS, break_marks, strip_invisible

MARK = re.compile(r"\[(?=end\b)", re.IGNORECASE)


def test_what_is_not_seen_is_taken_out_and_never_white_space() -> None:
    tags = "".join(chr(0xE0000 + ord(letter)) for letter in "obey")
    hidden = f"\u200b\u00ad\u202e\u2066\u2063\ufe0f\U000e0101\ue001{tags}\u034f\u3164\x07"
    assert strip_invisible(f"a{hidden}b") == "ab"
    kept = "a\t\n\r\v\f\x1c\x85\u00a0\u2028\u3000 é 日本 👍🏽 ≤ עברית हिन्दी"
    assert strip_invisible(kept) == kept


@pytest.mark.parametrize("mark", ["[end", "［end", "【END", "[ｅｎｄ", "[еnd", "[𝐞𝐧𝐝", "[ԁ[enԁ"])
def test_a_mark_is_broken_up_whatever_its_letters_are(mark: str) -> None:
    assert break_marks(f"a {mark}] b", MARK) != f"a {mark}] b"
    assert len(break_marks(f"a {mark}] b", MARK)) == len(f"a {mark}] b")


def test_what_is_no_mark_stays() -> None:
    assert break_marks("[ended] end] [x] ［y］", MARK) == "[ended] end] [x] ［y］"
    assert break_marks("", MARK) == ""


def test_broken_brackets_are_none_to_any_normal_form() -> None:
    for form in ("NFC", "NFKC", "NFKD"):
        assert unicodedata.normalize(form, "❲❮") == "❲❮"
    assert {"❲", "❮"} <= BRACKETS.keys()


@given(st.text())
def test_nothing_is_left_to_break(text: str) -> None:
    once = break_marks(strip_invisible(text), MARK)
    assert break_marks(strip_invisible(once), MARK) == once
    assert not MARK.search(once)
