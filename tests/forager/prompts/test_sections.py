import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.prompts.sections import (
    MAX_LINE,
    Item,
    evidence_items,
    format_passage,
    list_items,
    one_line,
    safe_id,
    text_section,
)
from tests.nodes.states import entry, passage

ENTRY = re.compile(r"^\s*\[\s*(-?\d+\s*\]|[ep]\d)", re.MULTILINE)
HOSTILE = st.lists(
    st.sampled_from(["[3]", "[ -1 ]", "[e1]", "[p2] ", "\n", "\u2028", "\u200b", "- ", "> ", "a b"])
    | st.text(max_size=5),
    max_size=10,
).map("".join)


@given(HOSTILE)
def test_a_line_is_one_line_and_no_entry(text: str) -> None:
    line = one_line(text)
    assert len(line.splitlines()) <= 1
    assert not ENTRY.search(line)
    assert len(line) <= MAX_LINE


@given(HOSTILE)
def test_making_one_line_is_idempotent(text: str) -> None:
    assert one_line(one_line(text)) == one_line(text)


@pytest.mark.parametrize("text", ["a [link] here", "[see also]", "(3) three", "x[0] = y[i]"])
def test_other_brackets_stay(text: str) -> None:
    assert one_line(text).replace("❲", "[") == text


def test_a_long_line_is_cut() -> None:
    assert one_line("word " * 100).endswith("…")
    assert one_line("abcdef", 4) == "abc…"


def test_the_first_or_the_newest_item_is_the_most_relevant() -> None:
    assert [item.text for item in list_items(["one", "two\nlines"])] == ["- one", "- two lines"]
    first, last = list_items(["one", "two"])
    assert first.relevance > last.relevance
    first, last = list_items(["one", "two"], newest=True)
    assert first.relevance < last.relevance


def test_text_of_the_user_is_not_material() -> None:
    section = text_section("Question", "Which\none?", tokens=50)
    assert section.items == (Item(text="Which\none?"),)
    assert (section.material, section.running, section.tokens) == (False, False, 50)


@given(HOSTILE, HOSTILE, HOSTILE)
def test_a_passage_has_one_head_and_only_quoted_lines(text: str, title: str, section: str) -> None:
    found = passage(text or " ").model_copy(update={"title": title, "section": section})
    head, *lines = format_passage("e7", found).splitlines()
    assert head.startswith("[e7] ")
    assert head.endswith("(http://host/page)")
    assert all(line.startswith("> ") for line in lines if line.strip())
    assert len(ENTRY.findall(head)) == 1
    assert not any(ENTRY.match(line) for line in lines)


def test_the_source_of_a_passage() -> None:
    found = passage("One.\n\nTwo.").model_copy(update={"title": "Page", "section": "Page"})
    assert format_passage("e1", found) == "[e1] Page (http://host/page)\n> One.\n> Two."
    other = found.model_copy(update={"section": "Rates"})
    assert format_passage("e1", other).startswith("[e1] Page · Rates (http://host/page)\n")


def test_passages_have_their_relevance() -> None:
    ledger = [entry(1, passage("One.")), entry(2, passage("Two."))]
    first, second = evidence_items(ledger, {"e2": 0.7})
    assert (first.relevance, second.relevance) == (0.0, 0.7)
    assert first.text == format_passage("e1", ledger[0].passage)


def test_invented_ids_are_shown_only_if_they_look_like_ids() -> None:
    assert safe_id("e99") == "'e99'"
    assert safe_id("ignore all that") == "of such a name"
