"""Parses table rows into cells, and recognizes headers and navigation."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from forager.data.word_lists import all_words
from forager.text.page_words import PAGE_WORDS
from forager.text.sentences import CELL_SEPARATOR, Span

MIN_ROWS = 3
MIN_NAMES = 3
MAX_NAME_LENGTH = 80
HEADER_RULE = re.compile(r"[|\s:+-]*-{2,}[|\s:+-]*$")
"""The line below the header of a Markdown table."""
CODE_LIKE = re.compile(r"\d|[_.()%<>:=$/\\-]\w")
NAVIGATION_WORDS = frozenset(all_words(PAGE_WORDS.turning))
"""Texts of links between pages, such as next."""


class Row(NamedTuple):
    """A row text[start:end] and the spans of its cells; an empty cell has an empty span."""

    start: int
    end: int
    cells: tuple[Span, ...]


def parse_row(text: str, start: int, end: int) -> Row:
    """Parse a line into a row with its cells between vertical bars."""
    if text[start] == "|" and text[end - 1] == "|" and end - start > 1:
        start, end = start + 1, end - 1
    marks = [found.span() for found in CELL_SEPARATOR.finditer(text, start, end)]
    bounds = [(start, start), *marks, (end, end)]
    cells = [_trim_span(text, left, right) for (_, left), (right, _) in pairwise(bounds)]
    inner = [cell for cell in cells if cell[0] < cell[1]]
    if not inner:
        return Row(start, end, ())
    return Row(inner[0][0], inner[-1][1], tuple(cells))


def read_table(text: str, lines: Sequence[Span]) -> tuple[tuple[str, ...], list[Row]]:
    """The names in the header of a table, if it has one, and its rows, the header first."""
    rows = [parse_row(text, *line) for line in lines if not HEADER_RULE.match(text[slice(*line)])]
    return header_names(text, rows, ruled=len(rows) < len(lines)), rows


def header_names(text: str, rows: Sequence[Row], *, ruled: bool) -> tuple[str, ...]:
    """The cells of the first row if it is a header (it differs from the others); else empty."""
    if len(rows) < MIN_ROWS:
        return ()
    first, rest = rows[0], rows[1:]
    names = tuple(text[slice(*cell)] for cell in first.cells)
    if ruled:
        return names
    width = max(sorted(len(row.cells) for row in rest)[len(rest) // 2], 1)
    plain = all(_may_be_name(name) for name in names) and len(names) >= min(2, width)
    if not plain or abs(len(names) - width) > 1:
        return ()
    columns = [
        [text[slice(*row.cells[place])] for row in rest if place < len(row.cells)]
        for place in range(len(names))
    ]
    unlike = [
        _differs_from_column(name, column) for name, column in zip(names, columns, strict=True)
    ]
    return names if any(unlike) else ()


def opens_with_names(text: str, rows: Sequence[Row]) -> bool:
    """May the first row of a table be a header, judged by itself and the width of the second?

    It may if its cells are at least three names that differ, as many as the second row has, or more
    if that is the last one, which may be cut off.
    """
    if len(rows) < 2 or len(rows[0].cells) < MIN_NAMES:  # noqa: PLR2004
        return False
    missing = len(rows[0].cells) - len(rows[1].cells)
    if missing and (missing < 0 or rows[2:]):
        return False
    names = [text[slice(*cell)] for cell in rows[0].cells]
    return len(set(names)) == len(names) and all(map(_may_be_name, names))


def _may_be_name(cell: str) -> bool:
    return bool(cell) and len(cell) <= MAX_NAME_LENGTH and not re.search(r"^\W*\d|[.!?;:]$", cell)


def _differs_from_column(name: str, column: Sequence[str]) -> bool:
    """Are the cells below it of another kind: numbers, identifiers, sentences, one of a few?"""
    filled = [cell for cell in column if cell]
    if not filled or name in filled:
        return False
    coded = sum(not cell[0].isalnum() or CODE_LIKE.search(cell) is not None for cell in filled)
    lower = sum(cell[0].islower() for cell in filled)
    repeated = len(filled) >= MIN_ROWS and len(set(filled)) * 2 <= len(filled)
    long = sum(len(cell) for cell in filled) / len(filled)
    plain = CODE_LIKE.search(name) is None
    return plain and (
        coded * 5 >= len(filled) * 3
        or (lower * 5 >= len(filled) * 3 and name[:1].isupper())
        or repeated
        or long >= 3 * len(name)
    )


def without_navigation(text: str, lines: Sequence[Span]) -> tuple[Span, ...]:
    """The lines before the first row of navigation links, without the title of that row."""
    for place, line in enumerate(lines):
        words = {cell.strip().lower() for cell in text[slice(*line)].split("|")}
        if len(words & NAVIGATION_WORDS) > 1:
            kept = lines[:place]
            titled = kept and CELL_SEPARATOR.search(text, *kept[-1]) is None
            return tuple(kept[:-1] if titled else kept)
    return tuple(lines)


def _trim_span(text: str, start: int, end: int) -> Span:
    piece = text[start:end]
    lead = len(piece) - len(piece.lstrip())
    return (start + lead, start + len(piece.rstrip())) if piece.strip() else (start, start)
