"""A quote as its page had it: the marks of the document's blocks turned back into blocks."""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

FENCE = re.compile(r" *`{3,}\w*$")
MARK = re.compile(r" *(?:(#{1,6})|(-)|\|) +")


class Block(NamedTuple):
    """A line of a quote, and what it was on the page."""

    kind: Literal["text", "heading", "item", "code"]
    text: str


def blocks(quote: str) -> Iterator[Block]:
    """The lines of a quote, without empty ones and without the marks in front."""
    code = False
    for line in quote.splitlines():
        if FENCE.fullmatch(line):
            code = not code
            continue
        if code and line.strip():
            yield Block("code", line)
            continue
        mark = MARK.match(line)
        text = line[mark.end() :] if mark else line
        kind: Literal["text", "heading", "item"] = "text"
        if mark and (mark[1] or mark[2]):
            kind = "heading" if mark[1] else "item"
        if text.strip():
            yield Block(kind, text.strip())
