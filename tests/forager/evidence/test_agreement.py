"""What two passages say of the same part: no alarm where both may be right."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forager.domain.state import Passage, SubQuestion
from forager.evidence.agreement import (
    compare_passages,
    find_clash,
    have_same_words,
    repeats_passage,
)
from forager.text.tokens import keywords
from tests.nodes.states import part

ASK = "How tall is the Skarn lighthouse?"
TALL = "The Skarn lighthouse is {} tall and stands on granite."
WORDS = [
    "the", "Skarn", "lighthouse", "is", "32", "34", "metres", "feet", "tall", "not", "in", "1874",
    "when", "about", "version", "3.11", "Holm", "by", "Marta", "Hansen", "default", ".", "\n", "# ",
]  # fmt: skip


def said(
    text: str, page: str, title: str = "Skarn", section: str = "", score: float = 0.9
) -> Passage:
    return Passage(
        url=f"http://host/{page}",
        title=title,
        blob=page,
        start=0,
        end=len(text),
        text=text,
        part="p1",
        section=section,
        scores={"p1": score},
    )


def asked(text: str = ASK) -> SubQuestion:
    return part("p1", text).model_copy(update={"terms": dict.fromkeys(keywords(text), 1.0)})


def between(one: str, other: str, ask: str = ASK) -> str:
    """What the rule says of two pages on one thing; words that neither has weigh nothing."""
    known = set(keywords(f"Skarn {one} {other}"))
    terms = {term: 1.0 for term in keywords(ask) if term in known}
    of = part("p1", ask).model_copy(update={"terms": terms})
    return compare_passages(said(one, "a"), said(other, "b"), of, 1.0)


CONFLICTS = [
    (ASK, TALL.format("32 metres"), TALL.format("34 metres")),
    (ASK, TALL.format("32 m"), TALL.format("150 feet")),
    ("What is the height of the Skarn lighthouse?", "Height | 32 m", "Height | 34 m"),
    (
        "When was the Holm lighthouse built?",
        "The Holm lighthouse was built in 1874 by the board.",
        "The Holm lighthouse was built in May 1881 by the board.",
    ),
    (
        "When was the Holm lighthouse built?",
        "The Holm lighthouse was built on 3 May 1874.",
        "The Holm lighthouse was built on 1874-05-04.",
    ),
    (
        "Which version of the protocol does Skarn speak?",
        "Skarn speaks version 1.2 of the lamp protocol.",
        "Skarn speaks version 1.3 of the lamp protocol.",
    ),
    (
        "Who designed the Skarn lighthouse?",
        "The Skarn lighthouse was designed by Marta Hansen.",
        "The Skarn lighthouse was designed by Ole Berg.",
    ),
    (
        "How many lamps has the Skarn lighthouse?",
        "The Skarn lighthouse has seven lamps with mirrors.",
        "The Skarn lighthouse has 8 lamps with mirrors.",
    ),
    ("灯塔何时？", "灯塔建于1874年，由海港局出资建造。", "灯塔建于1881年，由海港局出资建造。"),
]


@pytest.mark.parametrize(("ask", "one", "other"), CONFLICTS)
def test_other_values_of_the_same_thing_conflict(ask: str, one: str, other: str) -> None:
    assert between(one, other, ask) == "conflict"


NONE = [
    (ASK, TALL.format("32 metres"), "The Holm lighthouse is 34 metres tall and stands on granite."),
    (ASK, TALL.format("32 metres"), "The Skarn lighthouse is 34 metres wide and leans east."),
    (ASK, TALL.format("32 metres"), "The Skarn lighthouse is not 34 metres tall and on granite."),
    (ASK, TALL.format("at least 32 m"), TALL.format("40 m")),
    (ASK, TALL.format("32 metres"), TALL.format("34 metres, with 5 m of base,")),
    (ASK, TALL.format("32 metres"), "In 1874 the Skarn lighthouse was 28 metres tall, on granite."),
    (ASK, "Height | 32 m", "Width | 34 m"),
    (ASK, TALL.format("32 metres"), TALL.format("2 km")[:30]),
    (ASK, TALL.format("32 metres"), "The Skarn lighthouse is 34 m tall on Windows and granite."),
    (ASK, TALL.format("32 metres"), TALL.format("34 kg")),
    (
        "What is the default timeout of the pool?",
        "The default timeout of the pool is 30 seconds for reading.",
        "The default timeout of the pool is 60 seconds for writing.",
    ),
    (
        "What is the default timeout of the pool?",
        "The default timeout of the pool is 30 seconds with --fast.",
        "The default timeout of the pool is 60 seconds with --slow.",
    ),
    (
        "What is the default timeout of the pool?",
        "In version 2 the default timeout of the pool is 30 seconds.",
        "In version 3 the default timeout of the pool is 60 seconds.",
    ),
    (
        "In which version was it added?",
        "The function json_tree was added in version 3.9 of the library.",
        "The function json_each was added in version 3.8 of the library.",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("ask", "one", "other"), NONE)
def test_two_statements_that_may_both_hold_do_not(ask: str, one: str, other: str) -> None:
    assert between(one, other, ask) in ("", "agree")


AGREEING = [
    (TALL.format("32 metres"), "The tall Skarn lighthouse, of 32 m, has a red lamp."),
    (TALL.format("32 metres"), "The lighthouse of Skarn, 32 metres tall, is white."),
    (TALL.format("32 metres"), "The Skarn lighthouse: tall, with its 105 feet, and white."),
    (TALL.format("32 metres"), "The Skarn lighthouse is about 30 metres tall and white."),
    (TALL.format("32 metres"), "The Skarn lighthouse is 32.4 metres tall and white."),
]


@pytest.mark.parametrize(("one", "other"), AGREEING)
def test_the_same_value_agrees(one: str, other: str) -> None:
    assert between(one, other) == "agree"


def test_pages_on_different_things_do_not_conflict() -> None:
    """The sentence does not name its subject: the titles do."""
    ask = "What is the default timeout of the connection?"
    one, other = (f"The default timeout is {n} seconds." for n in (30, 60))
    apart = said(one, "a", "psql"), said(other, "b", "pg_dump")
    assert compare_passages(apart[0], apart[1], asked(ask), 1.0) == ""
    near = said(one, "a", "Pool timeout"), said(other, "b", "Pool timeout, explained")
    ask = "What is the default pool timeout?"
    assert compare_passages(near[0], near[1], asked(ask), 1.0) == "conflict"


@pytest.mark.parametrize("text", ["New in version 3.{}.", "Part of the stable layer since 3.{}."])
def test_what_every_page_of_a_site_says_of_itself_does_not_conflict(text: str) -> None:
    ask = "In which version was it new, part of the stable layer?"
    one = said(text.format(6), "a", "Code objects — Tool 2 manual")
    other = said(text.format(9), "b", "Date objects — Tool 2 manual")
    assert compare_passages(one, other, asked(ask), 1.0) == ""


@pytest.mark.parametrize(
    ("titles", "sections"),
    [
        (("Skarn 3.11", "Skarn 3.12"), ("", "")),
        (("Skarn in 2019", "Skarn in 2024"), ("", "")),
        (("Skarn", "Skarn"), ("On Linux", "On Windows")),
        (("Skarn", "Old Skarn"), ("", "")),
    ],
)
def test_what_titles_tell_apart_does_not_conflict(
    titles: Sequence[str], sections: Sequence[str]
) -> None:
    texts = (TALL.format("32 m"), TALL.format("34 m"))
    one, other = (
        said(text, page, title, section)
        for text, page, title, section in zip(texts, "ab", titles, sections, strict=True)
    )
    assert compare_passages(one, other, asked(), 1.0) == ""


def test_only_what_answers_the_part_well_is_compared() -> None:
    one, other = said(TALL.format("32 m"), "a"), said(TALL.format("34 m"), "b", score=0.6)
    assert compare_passages(one, other, asked(), 0.9) == ""
    strong = said(TALL.format("34 m"), "b", score=0.7)
    assert compare_passages(one, strong, asked(), 0.9) == "conflict"
    assert compare_passages(one, strong, asked(), 1.5) == ""
    assert (
        compare_passages(one, strong.model_copy(update={"url": f"{one.url}#x"}), asked(), 0.9) == ""
    )


def test_the_same_words_are_known() -> None:
    one = said("# Skarn\n\nThe Skarn lighthouse is 32 metres tall and it stands on granite.", "a")
    other = said("# Visit us\n\nThe Skarn lighthouse is 32 metres tall and stands on granite.", "b")
    assert compare_passages(one, other, asked(), 1.0) == "same words"
    longer = said(f"{other.text} Tea is served at four.", "c")
    assert repeats_passage(one, longer)
    assert not repeats_passage(longer, one)


@pytest.mark.parametrize(
    "other",
    [
        "The Skarn lighthouse is 33 metres tall and was built of red granite by the harbour board.",
        "The Holm lighthouse is 32 metres tall and was built of red granite by the harbour board.",
        "The Skarn lighthouse is 32 metres tall, and was not built of red granite by the board.",
        "The Skarn lighthouse is forty metres tall and was built of red granite by the board.",
    ],
)
def test_one_fact_more_or_less_is_not_the_same(other: str) -> None:
    one = (
        "The Skarn lighthouse is 32 metres tall and was built of red granite by the harbour board."
    )
    assert not have_same_words(said(one, "a"), said(other, "b"))


TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=24).map(" ".join)


@given(TEXTS, TEXTS, st.sampled_from([ASK, "When was Skarn built?", "Which version?", "Who?"]))
def test_it_is_mutual(one: str, other: str, ask: str) -> None:
    left, right, of = said(one, "a"), said(other, "b", "Skarn tower"), asked(ask)
    assert compare_passages(left, right, of, 0.9) == compare_passages(right, left, of, 0.9)
    assert have_same_words(left, right) == have_same_words(right, left)


@given(TEXTS, st.sampled_from([ASK, "When was Skarn built?", "Which version?", "Who?"]))
def test_nothing_conflicts_with_itself(text: str, ask: str) -> None:
    one, other = said(text, "a"), said(text, "b", "Skarn tower")
    assert find_clash(one, other, asked(ask)) is None
    assert compare_passages(one, one, asked(ask), 0.9) == ""
    assert compare_passages(one, other, asked(ask), 0.9) != "conflict"
