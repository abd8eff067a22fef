"""Splits a document's text into blocks: headings, lists, tables, definitions, code, paragraphs.

A block ends at an empty line. Only lists, tables, definitions (a term and its meaning) and code
have several lines (see forager.adapters.web.read.markdown_blocks).
"""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from forager.text.sentences import BLOCK, HEADING, ITEM, Span

BLOCK_MARK = re.compile(r"(?m)^(?:#{1,6} |- |```\w*$)")


BlockKind = Literal["heading", "items", "table", "entry", "column", "code", "text"]
MIN_COLUMN_LINES = 4
"""From this many lines on, plain lines count as the rows of a table with one column."""
MAX_TERM_LENGTH = 100
SENTENCE_ENDS = ".!?:。！？："
CELL_SEPARATOR = re.compile(r"(?<!\S)\|(?!\S)")


class Block(NamedTuple):
    """A block, with the spans of its lines without outer white space, and a heading's `level`."""

    kind: BlockKind
    start: int
    end: int
    lines: tuple[Span, ...]
    level: int = 0


def split_blocks(text: str) -> Iterator[Block]:
    """Yield the blocks of a text in order."""
    lines: list[Span] = []
    for found in BLOCK.finditer(text):
        start, end = _strip_span(text, *found.span())
        code = found["ticks"] is not None
        heading = not code and HEADING.match(text, start) is not None
        if lines and (code or heading or text.count("\n", lines[-1][1], start) != 1):
            yield _make_block(text, lines)
            lines = []
        if code:
            yield Block("code", start, end, ((start, end),))
        elif heading:
            mark = text.find(" ", start)
            inner = _strip_span(text, mark, end)
            yield Block("heading", start, end, (inner,), level=mark - start)
        else:
            lines.append((start, end))
    if lines:
        yield _make_block(text, lines)


def _make_block(text: str, lines: list[Span]) -> Block:
    start, end = lines[0][0], lines[-1][1]
    return Block(_block_kind(text, lines), start, end, tuple(lines))


def _block_kind(text: str, lines: list[Span]) -> BlockKind:
    rows = sum(CELL_SEPARATOR.search(text, *line) is not None for line in lines)
    if rows * 2 >= len(lines):
        return "table"
    if all(ITEM.match(text, line_start(text, first)) for first, _ in lines):
        return "items"
    short = all(end - start <= MAX_TERM_LENGTH for start, end in lines[:-1])
    if len(lines) >= MIN_COLUMN_LINES:
        stops = [text[end - 1] in SENTENCE_ENDS for _, end in lines]
        return "entry" if short and stops[-1] and not any(stops[:-1]) else "column"
    return "entry" if len(lines) > 1 and short else "text"


def line_start(text: str, offset: int) -> int:
    """The offset at which the line around an offset begins."""
    return text.rfind("\n", 0, offset) + 1


def _strip_span(text: str, start: int, end: int) -> Span:
    """The span without outer white space."""
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())
