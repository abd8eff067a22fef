"""Sentences cover a document, in order, and break where a reader would."""

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from forager.text.sentences import MAX_SENTENCE_LENGTH, split_sentences


def cut(text: str) -> list[str]:
    return [text[start:end] for start, end in split_sentences(text)]


@pytest.mark.parametrize(
    "pieces",
    [
        ["Dr. Smith went to Washington, e.g. by train.", "He came back."],
        ["Version 3.7.15 was released on Jan. 5.", "It cost $3.50 in the U.S.", "The law changed."],
        ["J. R. Smith and No. 5 agreed, i.e. so.", "See Fig. 3 etc. and so on."],
        [
            "Is the answer no.",
            "Then why?",
            "Because!",
            "“Quoted.”",
            "(Bracketed.)",
            "Noted.[1]",
            "Noted.¹²",
            "End.",
        ],
        ["“Really?” he asked.", "Wait... she did.", "Well…", "Yes."],
        ["See https://x.org/a.b?c=d!e for more.", "Mail a.b@c.org."],
        ["Operators such as .LT.. .LE., &c.", "That is all."],
        [
            "Use git commands.",
            "git commit then makes it.",
            "Acme Inc. of Delaware paid approx. 5 p.m. today.",
        ],
        ["1. First thing.", "Second thing."],
        ["中文。", "第二句！", "第三？", "「引用。」と言った。", "円周率は３．１４です．", "末尾"],
    ],
)
def test_one_paragraph(pieces: list[str]) -> None:
    gap = "" if "中" in pieces[0] else " "
    assert cut(gap.join(pieces)) == pieces


def test_blocks_never_share_a_sentence() -> None:
    text = """# The title. Of it

A paragraph without a stop

- first item
- second item. With two
  - nested

name | no. | See also. This
a | 1 | b

1. one
2. two

term
The meaning"""
    assert cut(text) == [
        "# The title. Of it",
        "A paragraph without a stop",
        "- first item",
        "- second item.",
        "With two",
        "- nested",
        "name | no. | See also. This",
        "a | 1 | b",
        "1. one",
        "2. two",
        "term",
        "The meaning",
    ]


def test_lines_that_were_wrapped_are_joined() -> None:
    first = "A line of a document that was wrapped at a fixed"
    assert cut(f"{first}\nwidth goes on. Here\nand here") == [
        f"{first}\nwidth goes on.",
        "Here\nand here",
    ]


def test_code_stays_whole_when_short_and_is_cut_at_lines_when_long() -> None:
    short = "```\nx = 1. \n\ny = 2\n```"
    assert cut(f"Before.\n\n{short}\n\nAfter.") == ["Before.", short, "After."]
    lines = [f"call(number={number}). Then" for number in range(30)]
    assert cut("```\n" + "\n".join(lines) + "\n```\nAfter.") == [
        f"```\n{lines[0]}",
        *lines[1:-1],
        f"{lines[-1]}\n```",
        "After.",
    ]
    assert cut("```\nnever closed. Really") == ["```\nnever closed. Really"]


def test_long_rows_are_cut_like_paragraphs() -> None:
    row = "2008 | " + "A cell that tells a whole story. " * 20
    assert len(cut(row)) == 20


def test_overlong_sentences_are_cut_at_white_space() -> None:
    pieces = cut("word " * 1000)
    assert all(len(piece) <= MAX_SENTENCE_LENGTH for piece in pieces)
    assert cut("x" * 5000) == ["x" * 5000]


texts = st.lists(
    st.one_of(
        st.sampled_from(
            [
                "# ",
                "- ",
                "  - ",
                " | ",
                "```",
                "\n",
                "\n\n",
                ". ",
                "?",
                "!",
                "…",
                "...",
                "。",
                "」",
                "e.g.",
                "1.",
                "Dr.",
            ]
        ),
        st.sampled_from(
            [
                "A",
                "word",
                "goes",
                "3.7.15",
                "１．５",
                "中文",
                "https://a.org/b.c?d",
                "\u00a0",
                "\t",
                ")",
                '"',
            ]
        ),
        st.text(max_size=5),
    ),
    max_size=60,
).map("".join)


@given(texts)
@example("." * 50)
@example("```\n```\n```")
@example(" \u3000\n")
def test_sentences_are_ordered_disjoint_and_cover_all_but_white_space(text: str) -> None:
    spans = split_sentences(text)
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(left[1] <= right[0] for left, right in pairwise(spans))
    assert all(text[start:end] == text[start:end].strip() for start, end in spans)
    ends = [0, *(end for _, end in spans)]
    starts = [*(start for start, _ in spans), len(text)]
    assert all(not text[end:start].strip() for end, start in zip(ends, starts, strict=True))


@given(
    st.lists(
        st.sampled_from(["3.7.15", "1,000.5", "https://a.org/b.c?d=e!f.", "10:30"]), min_size=1
    )
)
def test_numbers_and_addresses_stay_whole(words: list[str]) -> None:
    text = "See " + " ".join(words)
    edges = {edge for span in split_sentences(text) for edge in span}
    assert all(
        edge in (0, len(text)) or text[edge].isspace() or text[edge - 1].isspace() for edge in edges
    )
