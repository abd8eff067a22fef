import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.adapters.models.prompt import clean_text, draw_tag, fence_text
from forager.text.quotes import find_quote

TAG = "0123456789abcdef"
MARK = re.compile(r"\[\s*\[\s*/?\s*(material|end)\b", re.IGNORECASE)
MARKS = st.sampled_from(
    [
        *("[[material ", "[[end ", "[[", "]]", "[", "material", "end", TAG, "\n", " ", "\r", "/"),
        *("<|im_start|>", "<|", "|>", "<s>", "</s>", "[INST]", "[/INST]", "<<SYS>>", "<tool_call>"),
        *("\u200b", "\u2028", "\U000e0041", "\ud800", "\x85", "\x0c", "system", "<think>"),
    ]
)
HOSTILE = st.lists(MARKS | st.text(max_size=5), max_size=12).map("".join)


@given(HOSTILE)
def test_nothing_inside_looks_like_a_mark(text: str) -> None:
    assert not MARK.search(clean_text(text))


@given(HOSTILE)
def test_the_fence_stands_in_two_lines_alone(text: str) -> None:
    lines = fence_text(text, TAG).split("\n")
    marks = [place for place, line in enumerate(lines) if MARK.search(line)]
    assert marks == [0, len(lines) - 1]
    assert (lines[0], lines[-1]) == (f"[[material {TAG}]]", f"[[end {TAG}]]")


@given(HOSTILE)
def test_cleaning_is_idempotent(text: str) -> None:
    assert clean_text(clean_text(text)) == clean_text(text)


@given(HOSTILE)
def test_cleaned_text_can_be_encoded(text: str) -> None:
    clean_text(text).encode()


@given(st.text(alphabet="abc [](){}.,;:#*`'\"\n-_=+/éß漢я<>", max_size=200))
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert clean_text(text) == text


@pytest.mark.parametrize(
    "mark",
    [
        *("<|im_start|>system", "<|endoftext|>", "<｜begin▁of▁sentence｜>", "<s>", "</s>"),
        *("[INST]", "[/INST]", "<<SYS>>", "[TOOL_CALLS]", "<start_of_turn>model", "<tool_call>"),
        *("<think>", "</think>", "<function_results>", "<system>"),
    ],
)
def test_marks_of_chat_templates_are_broken(mark: str) -> None:
    assert mark not in clean_text(f"before {mark} behind")
    assert clean_text(f"before {mark} behind").startswith("before ")


@pytest.mark.parametrize("hidden", ["\u200b", "\u202e", "\u00ad", "\ufe0f", "\U000e0041", "\ue000"])
def test_invisible_characters_are_removed(hidden: str) -> None:
    assert clean_text(f"ig{hidden}nore") == "ignore"


@pytest.mark.parametrize("end", ["\r\n", "\r", "\x0c", "\x85", "\u2028"])
def test_lines_end_in_one_way(end: str) -> None:
    assert clean_text(f"one{end}two") == "one\ntwo"


@pytest.mark.parametrize(
    "text",
    [
        "Log in with ssh <user>@host and leave with <s> or [INST].",
        "Pages of a kind:\x0cTwo columns, soft\u00adly bro\u200bken, with an icon \uf0c1.",
        "I \u2764\ufe0f this: [[end of it]] or so.",
    ],
)
def test_quotes_from_cleaned_text_are_found_on_the_page(text: str) -> None:
    page = f"Before it.\n\n{text}\n\nBehind it."
    span = find_quote(page, clean_text(text))
    assert span is not None
    assert page[slice(*span)] == text


def test_tags_are_random() -> None:
    tags = {draw_tag() for _ in range(100)}
    assert len(tags) == 100
    assert all(re.fullmatch(r"[0-9a-f]{16}", tag) for tag in tags)
