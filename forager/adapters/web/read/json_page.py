"""Reads JSON as a document: fields as a list, records as a table, what is nested under headings."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from pydantic import JsonValue

from forager.adapters.web.read.markdown_blocks import (
    Block,
    BlockKind,
    assemble_text,
    number_links,
)
from forager.adapters.web.read.page_reader import CONTROL_CHARACTER
from forager.domain.documents import Document
from forager.errors import ContentError

UNPRINTABLE = re.compile(f"[\ud800-\udfff]|{CONTROL_CHARACTER.pattern}")
MAX_DEPTH = 60
MAX_CELL = 200
MAX_LEVEL = 6
NAMES = ("title", "name", "label", "id")
"""Fields that name a record, best first."""
Record = Mapping[str, JsonValue]


def read_json(body: bytes, url: str, title: str = "") -> Document:
    """The document of a JSON body. Raises ContentError if it is none."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise ContentError(f"{url} is not valid JSON: {error}.", "Check the address.") from error
    return document_of(value, url, title)


def document_of(value: JsonValue, url: str, title: str = "") -> Document:
    """The document of a JSON value. Raises ContentError if it nests too deep."""
    blocks = [block for block in _blocks_of(value, title, 1, url) if block.text]
    text, headings, _ = assemble_text(blocks)
    note = "" if text.strip() else "The reply holds no text."
    links = number_links(blocks, url, url) if url.startswith("http") else ()
    return Document(url=url, title=title, text=text, headings=headings, note=note, links=links)


def _blocks_of(value: JsonValue, name: str, level: int, url: str) -> Iterator[Block]:
    if level > MAX_DEPTH:
        raise ContentError(f"{url} nests more than {MAX_DEPTH} values.", "Ask for a part of it.")
    if isinstance(value, Mapping):
        yield from _record_blocks(value, level, url)
    elif isinstance(value, list):
        yield from _list_blocks(value, name, level, url)
    else:
        yield _line("text", _plain(value))


def _record_blocks(record: Record, level: int, url: str) -> Iterator[Block]:
    """Its plain fields, then each of the others under a heading."""
    for name, value in record.items():
        if (plain := _plain(value)) and not _is_nested(value):
            yield _line("item", f"{_plain(name)}: {plain}")
    for name, value in record.items():
        if _is_nested(value):
            yield Block("heading", _plain(name), min(level + 1, MAX_LEVEL))
            yield from _blocks_of(value, name, level + 1, url)


def _list_blocks(values: Sequence[JsonValue], name: str, level: int, url: str) -> Iterator[Block]:
    records = [value for value in values if isinstance(value, Mapping)]
    if len(records) == len(values) > 1 and (columns := _columns(records)):
        yield _row([_plain(column) for column in columns])
        for record in records:
            yield _row([_plain(record.get(column)) for column in columns])
        return
    for place, value in enumerate(values, start=1):
        if _is_nested(value):
            called = _name_of(value, f"{name} {place}".strip())
            yield Block("heading", called, min(level + 1, MAX_LEVEL))
            yield from _blocks_of(value, name, level + 1, url)
        else:
            yield _line("item", _plain(value))


def _columns(records: Sequence[Record]) -> list[str]:
    """The columns of records that are rows of one table; none if they are not."""
    columns = list(dict.fromkeys(name for record in records for name in record))
    cells = (value for record in records for value in record.values())
    fits = len(columns) > 1 and all(
        not _is_nested(value) and len(_plain(value)) <= MAX_CELL for value in cells
    )
    return columns if fits else []


def _is_nested(value: JsonValue) -> bool:
    """Does it need more than a line? A list of plain values does not."""
    if isinstance(value, list):
        return any(isinstance(each, Mapping | list) for each in value) or len(_plain(value)) > (
            MAX_CELL
        )
    return isinstance(value, Mapping) and bool(value)


def _plain(value: JsonValue) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case list():
            return ", ".join(map(_plain, value))
        case dict():
            return ""
        case _:
            return " ".join(UNPRINTABLE.sub("", str(value)).split())


def _name_of(value: JsonValue, otherwise: str) -> str:
    fields = value if isinstance(value, Mapping) else {}
    named = (_plain(fields[name]) for name in NAMES if name in fields)
    return next(filter(None, named), otherwise)[:MAX_CELL]


def _row(cells: Sequence[str]) -> Block:
    text = " | ".join(cell.replace("|", "¦") for cell in cells)
    return Block("row", text, links=_links_in(text))


def _line(kind: BlockKind, text: str) -> Block:
    return Block(kind, text, 1, _links_in(text))


def _links_in(text: str) -> list[tuple[str, str]]:
    return [(word, word) for word in text.split() if word.startswith(("http://", "https://"))]
