"""What a browser finds by a text fragment, after the specification's own algorithm."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from graphs.reports.text_fragments import link_to_quote, text_fragment

PAGE = """\
# Lighthouses

The Skarn lighthouse was built in 1874, by Marta Lindqvist - an engineer & a diver.

- Lamp: rape oil
- Lamp: paraffin

Name | Height | Built
Skarn | 32 m | 1874
Holm | 41 m | 1881

```
def light(on):
    return  on
```

灯塔建于1874年，由玛尔塔设计。后来改用煤油，一直用到1920年。它高三十二米。

The Skarn lighthouse was built in stone. It burned rape oil for twenty years, and was then turned
"""


class Asked(NamedTuple):
    prefix: str
    start: str
    end: str
    suffix: str


def asked(value: str) -> Asked:
    """The parts of a text directive; each is decoded by itself."""
    found = re.fullmatch(r"(?:([^,]+)-,)?([^,]+?)(?:,([^,-][^,]*?))?(?:,-([^,]+))?", value)
    assert found, value
    return Asked(*(unquote(part or "") for part in found.groups()))


@lru_cache(maxsize=1)
def blocks(text: str) -> list[tuple[int, str]]:
    """Each block of a document's text with its offset, without the marks that a page lacks."""
    found = []
    for line in re.finditer(r"[^\n]+", text):
        mark = re.match(r" *(?:#{1,6} |- |`{3,}$|\|)?", line[0])
        at = mark.end() if mark else 0
        for cell in re.split(r"( \| |\s{2,})", line[0][at:]):
            found.append((line.start() + at, cell))
            at += len(cell)
    return found


def finds(text: str, words: str, since: int = 0) -> Iterator[tuple[int, int]]:
    """The places where a block has these words, whole, in any case."""
    inner = r"\s".join(map(re.escape, words.split()))
    before, after = ("[a-z0-9é]" if re.match(r"\w", words[end]) else "$." for end in (0, -1))
    whole = re.compile(rf"(?<!{before})(?=({inner})(?!{after}))", re.IGNORECASE)
    for offset, block in blocks(text):
        for found in whole.finditer(block, max(0, since - offset)):
            yield offset + found.start(1), offset + found.end(1)


def next_word(text: str, at: int) -> int:
    """Where the text goes on behind white space, and behind what only the document has."""
    for offset, block in blocks(text):
        found = re.compile(r"\S").search(block, max(0, at - offset))
        if found and block.strip(" |"):
            return offset + found.start()
    return len(text)


def shown(text: str, value: str) -> tuple[int, int] | None:
    """The span that a browser shows: `find a range from a text directive`."""
    prefix, start, end, suffix = asked(value)
    behind = {next_word(text, stop) for _, stop in finds(text, prefix)} if prefix else set()
    for begin, stop in finds(text, start):
        if prefix and begin not in behind:
            continue
        for last in [stop for _, stop in finds(text, end, stop)] if end else [stop]:
            follows = {at for at, _ in finds(text, suffix, last)} if suffix else set()
            if not suffix or next_word(text, last) in follows:
                return begin, last
    return None


def spoken(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))


@pytest.mark.parametrize(
    ("quote", "expected"),
    [
        (
            "by Marta Lindqvist - an engineer & a diver.",
            "by%20Marta%20Lindqvist%20%2D,engineer%20%26%20a%20diver",
        ),
        (
            "It burned rape oil for twenty years, and was then turned",
            "It%20burned%20rape%20oil,and%20was%20then%20turned",
        ),
        ("paraffin", "Lamp%3A-,paraffin"),
        ("41 m", "41%20m,-1881"),
        ("Skarn | 32 m | 1874\nHolm | 41 m | 1881", "Built-,Skarn,1881"),
    ],
)
def test_a_quote_is_named_by_its_words(quote: str, expected: str) -> None:
    start = PAGE.index(quote)
    assert text_fragment(PAGE, start, start + len(quote)) == expected


@pytest.mark.parametrize("quote", ["1874", "built in 1874, by", "Lamp: rape oil", "on"])
def test_a_repeated_quote_is_named_with_its_context(quote: str) -> None:
    for found in re.finditer(re.escape(quote), PAGE):
        if PAGE[found.start() - 1].isspace():
            assert shown(PAGE, text_fragment(PAGE, *found.span())) == found.span()


def test_a_quote_without_words_has_no_fragment() -> None:
    assert text_fragment("a … b", 2, 3) == ""
    assert text_fragment("", 0, 0) == ""
    assert link_to_quote("http://h/", "…", 0, 1) == "http://h/"


def test_the_result_of_a_tool_has_no_fragment() -> None:
    assert link_to_quote("mcp://h/tool?a=b", "One word.", 0, 9) == "mcp://h/tool?a=b"


def test_the_fragment_is_appended_to_the_address() -> None:
    assert link_to_quote("http://h/a?b", "One word.", 0, 9) == "http://h/a?b#:~:text=One%20word"
    assert link_to_quote("http://h/a#b", "One word.", 0, 9) == "http://h/a#b:~:text=One%20word"


WORDS = st.sampled_from(
    ["a", "b", "Ab", "x-ray", "a,b", "c&d", "7%", "don't", "né", "灯塔高", "，"]
)
UNLIKE = [f"w{number}{sign}" for number, sign in enumerate(["", ",", "-", "&", "%", "é", "."] * 9)]


def texts(words: st.SearchStrategy[list[str]]) -> st.SearchStrategy[str]:
    """Documents of a few blocks; the words are dealt out to them."""
    breaks = st.lists(st.sampled_from([" ", " ", " ", "\n", "\n- ", "\n## ", " | "]), min_size=24)
    return st.builds(
        lambda said, between: "".join(f"{a}{b}" for a, b in zip(said, between, strict=False)),
        words,
        breaks,
    )


def chosen(text: str, data: st.DataObject) -> tuple[int, int]:
    """The span of some whole words."""
    starts = [found.start() for found in re.finditer(r"(?<!\S)\S", text)]
    first, last = (data.draw(st.sampled_from([*starts, len(text)])) for _ in range(2))
    return min(first, last), max(first, last)


@given(text=texts(st.permutations(UNLIKE).map(lambda words: words[:20])), data=st.data())
def test_a_browser_finds_the_quote(text: str, data: st.DataObject) -> None:
    start, end = chosen(text, data)
    value = text_fragment(text, start, end)
    span = shown(text, value) if value else (start, start)
    assert span is not None
    assert spoken(text[slice(*span)]) == spoken(text[start:end])


@given(text=texts(st.lists(WORDS, min_size=1, max_size=20)), data=st.data())
def test_repeated_words_are_found(text: str, data: st.DataObject) -> None:
    start, end = chosen(text, data)
    value = text_fragment(text, start, end)
    span = shown(text, value) if value else (start, start)
    assert span is not None
    said, wanted = spoken(text[slice(*span)]).split(), spoken(text[start:end]).split()
    assert said[:1] == wanted[:1]
    assert said[-1:] == wanted[-1:]


@given(st.text(), st.integers(0, 40), st.integers(0, 40))
@example("0\x1c0", 0, 3)
def test_any_text_has_a_well_formed_fragment(text: str, start: int, length: int) -> None:
    value = text_fragment(text, start, start + length)
    assert re.fullmatch(r"[\w.~%,-]*", value, re.ASCII)
    assert not value or asked(value).start.strip()
