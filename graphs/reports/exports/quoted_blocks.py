"""A quote as its page had it: the marks of the document's blocks turned back into blocks."""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

CODE_FENCE = re.compile(r" *`{3,}\w*$")
BLOCK_START = re.compile(r" *(?:(#{1,6})|(-)|\|) +")


class QuoteBlock(NamedTuple):
    """A line of a quote, and what it was on the page."""

    kind: Literal["text", "heading", "item", "code"]
    text: str


def quote_blocks(quote: str) -> Iterator[QuoteBlock]:
    """The lines of a quote, without empty ones and without the marks in front."""
    code = False
    for line in quote.splitlines():
        if CODE_FENCE.fullmatch(line):
            code = not code
            continue
        if code and line.strip():
            yield QuoteBlock("code", line)
            continue
        mark = BLOCK_START.match(line)
        text = line[mark.end() :] if mark else line
        kind: Literal["text", "heading", "item"] = "text"
        if mark and (mark[1] or mark[2]):
            kind = "heading" if mark[1] else "item"
        if text.strip():
            yield QuoteBlock(kind, text.strip())
