"""Finds the enumerations of a document: tables, lists, definitions, sections, named paragraphs.

Every row and cell is a span of the document's text, so that it can be quoted.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

from forager.text.sentences import ITEM, Block, Span, line_start, split_blocks, split_sentences
from forager.text.tables import (
    MAX_NAME_LENGTH,
    MIN_ROWS,
    Row,
    read_table,
    without_navigation,
)

EnumerationKind = Literal["table", "items", "terms", "sections", "paragraphs"]
MAX_CELL_LENGTH = 300
"""The most characters of a cell with prose; of a longer text, the first sentences are taken."""
NAME_SEPARATOR = re.compile(r"\s*(?::| [—–-]) (?=\S)|：|——?")
"""The separator between a name and its description on one line."""
MAX_DATA_CELL_LENGTH = 1500
"""A table with longer cells (in characters) is page layout, not data."""


class Enumeration(NamedTuple):
    """Rows of equal structure; `columns` are the names in the header, if there is one.

    `caption` is the sentence before them, `headings` are those above, outermost first.
    """

    kind: EnumerationKind
    rows: tuple[Row, ...]
    columns: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()
    caption: str = ""

    @property
    def start(self) -> int:
        """The offset of the first row."""
        return self.rows[0].start


class Section(NamedTuple):
    """The blocks under a heading, and the headings above them, outermost first."""

    path: tuple[str, ...]
    heading: Block | None
    blocks: tuple[Block, ...]


def find_enumerations(text: str) -> list[Enumeration]:
    """Find all enumerations of at least three rows, ordered by where they begin."""
    sections = list(_split_sections(text))
    found = [each for section in sections for each in _enumerations_in(text, section)]
    found += _sibling_sections(text, sections)
    return sorted((each for each in found if len(each.rows) >= MIN_ROWS), key=lambda e: e.start)


def _split_sections(text: str) -> Iterator[Section]:
    path: list[tuple[int, str]] = []
    heading: Block | None = None
    inside: list[Block] = []
    for block in split_blocks(text):
        if block.kind != "heading":
            inside.append(block)
            continue
        yield Section(tuple(name for _, name in path), heading, tuple(inside))
        path = [each for each in path if each[0] < block.level]
        path.append((block.level, text[slice(*block.lines[0])]))
        heading, inside = block, []
    yield Section(tuple(name for _, name in path), heading, tuple(inside))


def _enumerations_in(text: str, section: Section) -> Iterator[Enumeration]:
    """The enumerations inside one section."""
    caption = ""
    for block in section.blocks:
        if block.kind in ("table", "column"):
            yield _read_table(text, block, section.path, caption)
        elif block.kind == "items":
            yield from _read_items(text, block, section.path, caption)
        caption = _last_sentence(text, block) if block.kind == "text" else ""
    for kind, find_rows in (
        ("terms", _definition_rows),
        ("items", _items_with_text),
        ("paragraphs", _named_paragraphs),
    ):
        found, first = find_rows(text, section.blocks)
        if found:
            yield Enumeration(
                kind,  # type: ignore[arg-type]
                tuple(found),
                headings=section.path,
                caption=_sentence_before(text, section.blocks, first),
            )


def _read_table(text: str, block: Block, path: tuple[str, ...], caption: str) -> Enumeration:
    columns, rows = read_table(text, without_navigation(text, block.lines))
    if any(end - start > MAX_DATA_CELL_LENGTH for row in rows for start, end in row.cells):
        columns, rows = (), []
    rows = [row for row in (rows[1:] if columns else rows) if row.cells]
    width = len(columns) or max((len(row.cells) for row in rows), default=0)
    groups = [row for row in rows if len(row.cells) > 1 or width == 1 or len(rows) < MIN_ROWS]
    return Enumeration("table", tuple(groups), columns, path, caption)


def _read_items(
    text: str, block: Block, path: tuple[str, ...], caption: str
) -> Iterator[Enumeration]:
    """The consecutive items of each level of a list."""
    levels: dict[int, list[Span]] = {}
    for start, end in block.lines:
        depth = start - line_start(text, start)
        for deeper in [level for level in levels if level > depth]:
            yield Enumeration("items", item_rows(text, levels.pop(deeper)), (), path, caption)
        levels.setdefault(depth, []).append((start, end))
    for lines in levels.values():
        yield Enumeration("items", item_rows(text, lines), (), path, caption)


def item_rows(text: str, lines: Sequence[Span]) -> tuple[Row, ...]:
    """A row for each item without its bullet; name and text are cells if most items have both."""
    bare = []
    for start, end in lines:
        mark = ITEM.match(text, line_start(text, start))
        bare.append((mark.end() if mark and mark.end() < end else start, end))
    return _split_items(text, bare)


def _split_items(text: str, lines: Sequence[Span]) -> tuple[Row, ...]:
    splits = [split_name(text, *line) for line in lines]
    if sum(split is not None for split in splits) * 5 < len(lines) * 3:
        return tuple(Row(start, end, ((start, end),)) for start, end in lines)
    return tuple(
        Row(start, end, split or ((start, end), (end, end)))
        for (start, end), split in zip(lines, splits, strict=True)
    )


def split_name(text: str, start: int, end: int) -> tuple[Span, Span] | None:
    """Split a line into a name and its description at a colon or dash; None if it has none."""
    separator = NAME_SEPARATOR.search(text, start, min(end, start + MAX_NAME_LENGTH))
    if separator is None or separator.start() == start or separator.end() >= end:
        return None
    return (start, separator.start()), (separator.end(), end)


Rows = tuple[list[Row], int]
"""Rows, and the index of the block in which the first row begins."""


def _definition_rows(text: str, inside: Sequence[Block]) -> Rows:
    """The definitions of a section: terms, each with its meaning."""
    entries = [(place, block) for place, block in enumerate(inside) if block.kind == "entry"]
    rows = []
    for _, block in entries:
        terms = block.lines[:-1]
        meaning = opening_sentences(text, *block.lines[-1])
        rows.append(Row(block.start, meaning[1], ((terms[0][0], terms[-1][1]), meaning)))
    return rows, entries[0][0] if entries else 0


def _items_with_text(text: str, inside: Sequence[Block]) -> Rows:
    """Single list items, each followed by a paragraph."""
    rows: list[Row] = []
    first = 0
    for place, (block, following) in enumerate(pairwise(inside)):
        if block.kind != "items" or len(block.lines) != 1 or following.kind != "text":
            continue
        item = item_rows(text, block.lines)[0]
        body = opening_sentences(text, *following.lines[0])
        first = first if rows else place
        rows.append(Row(item.start, body[1], ((item.start, item.end), body)))
    return rows, first


def _named_paragraphs(text: str, inside: Sequence[Block]) -> Rows:
    """The longest run of paragraphs that begin with a name and a colon or dash."""
    best: list[Row] = []
    run: list[Row] = []
    first = place_of_run = 0
    for place, block in enumerate(inside):
        split = split_name(text, block.start, block.end) if block.kind == "text" else None
        if split is None:
            run = []
            continue
        place_of_run = place_of_run if run else place
        body = opening_sentences(text, *split[1])
        run.append(Row(block.start, body[1], (split[0], body)))
        if len(run) > len(best):
            best, first = list(run), place_of_run
    return best, first


def _sibling_sections(text: str, sections: Sequence[Section]) -> Iterator[Enumeration]:
    """The sections under one heading, each with its opening sentences."""
    groups: dict[tuple[str, ...], list[Section]] = {}
    for section in sections:
        if section.heading is not None:
            groups.setdefault((*section.path[:-1], str(section.heading.level)), []).append(section)
    for group in groups.values():
        rows = []
        for section in group:
            assert section.heading is not None  # noqa: S101
            name = section.heading.lines[0]
            after = section.blocks[0] if section.blocks else None
            body = (
                opening_sentences(text, *after.lines[0]) if after and after.kind == "text" else None
            )
            end = body or (name[1], name[1])
            rows.append(Row(name[0], end[1], (name, end)))
        yield Enumeration("sections", tuple(rows), headings=group[0].path[:-1])


def opening_sentences(text: str, start: int, end: int) -> Span:
    """The span of a short text, or of the first sentences of a long one."""
    if end - start <= MAX_CELL_LENGTH:
        return start, end
    last = start
    for _, stop in split_sentences(text[start:end]):
        if last > start and stop > MAX_CELL_LENGTH:
            break
        last = start + stop
    return start, last


def _sentence_before(text: str, inside: Sequence[Block], place: int) -> str:
    """The last sentence of the paragraph before a block."""
    block = inside[place - 1] if place else None
    return _last_sentence(text, block) if block and block.kind == "text" else ""


def _last_sentence(text: str, block: Block) -> str:
    sentences = split_sentences(text[block.start : block.end])
    return text[block.start : block.end][slice(*sentences[-1])] if sentences else ""
