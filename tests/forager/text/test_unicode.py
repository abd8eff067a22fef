"""Deceptive characters are removed or replaced."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.text.unicode import BRACKETS, break_marks, strip_invisible

MARK = re.compile(r"\[(?=end\b)", re.IGNORECASE)


def test_invisible_characters_are_removed_but_not_white_space() -> None:
    tags = "".join(chr(0xE0000 + ord(letter)) for letter in "obey")
    hidden = f"\u200b\u00ad\u202e\u2066\u2063\ufe0f\U000e0101\ue001{tags}\u034f\u3164\x07"
    assert strip_invisible(f"a{hidden}b") == "ab"
    kept = "a\t\n\r\v\f\x1c\x85\u00a0\u2028\u3000 é 日本 👍🏽 ≤ עברית हिन्दी"
    assert strip_invisible(kept) == kept


@pytest.mark.parametrize("mark", ["[end", "［end", "【END", "[ｅｎｄ", "[еnd", "[𝐞𝐧𝐝", "[ԁ[enԁ"])
def test_a_mark_is_broken_up_even_with_look_alike_letters(mark: str) -> None:
    assert break_marks(f"a {mark}] b", MARK) != f"a {mark}] b"
    assert len(break_marks(f"a {mark}] b", MARK)) == len(f"a {mark}] b")


def test_other_text_is_unchanged() -> None:
    assert break_marks("[ended] end] [x] ［y］", MARK) == "[ended] end] [x] ［y］"
    assert break_marks("", MARK) == ""


def test_broken_brackets_stay_broken_in_every_normal_form() -> None:
    for form in ("NFC", "NFKC", "NFKD"):
        assert unicodedata.normalize(form, "❲❮") == "❲❮"
    assert {"❲", "❮"} <= BRACKETS.keys()


@given(st.text())
def test_breaking_marks_is_idempotent(text: str) -> None:
    once = break_marks(strip_invisible(text), MARK)
    assert break_marks(strip_invisible(once), MARK) == once
    assert not MARK.search(once)
