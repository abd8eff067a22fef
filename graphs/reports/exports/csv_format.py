"""A session as CSV: its answer table, or else the ledger; and the quotes read back from it."""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from forager.domain.answers import Table
from graphs.reports.exports.document import Export, ExportedEvidence
from graphs.reports.exports.markup import CONTROL_CHARACTERS

LEDGER_COLUMNS = (
    *("id", "cited", "round", "part", "title", "url", "quote", "start", "end", "blob", "link"),
)
TURN_COLUMNS = ("turn", "question")
SOURCE_COLUMNS = ("id", "quote", "url", "start", "end", "blob")
"""The columns of a quote that a cell rests on. Its address shows the quote on the page."""
SHARED_SOURCE = "source"
"""The name of the quotes where all cells of a row rest on the same ones."""
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
QUOTE = '"'
NEEDS_QUOTES = re.compile(r'[,"\n\r]')
"""What puts a cell in quotes (RFC 4180). Python's own writer misses a lone carriage return."""
TEXT_DIRECTIVE = "#:~:text="
MAX_CELL_CHARACTERS = 10_000_000
REPLACED = {code: "\ufffd" for code in CONTROL_CHARACTERS if not chr(code).isspace()}
"""Shown as unknown characters; white space stays, so that a quote is the page's own."""


def as_csv(export: Export) -> str:
    """Rows under a heading, ending in plain line feeds, cells quoted where they must be."""
    table = export.table if export.has("answer") else None
    rows = _table_rows(table, export) if table else _ledger_rows(export)
    return "".join(f"{','.join(csv_cell(value) for value in row)}\n" for row in rows)


def _ledger_rows(export: Export) -> Iterator[Iterable[object]]:
    """The ledger. Of a conversation also the earlier citations, each row with its question."""
    names = (*LEDGER_COLUMNS, *TURN_COLUMNS) if export.turns else LEDGER_COLUMNS
    yield names
    for turn in export.turns if export.has("sources") else ():
        asked = {"turn": turn.number, "question": turn.question}
        for quote in turn.citations:
            said = asked | quote.model_dump() | {"cited": True, "link": quote.url}
            yield [said.get(name, "") for name in names]
    asked = {"turn": len(export.turns) + 1, "question": export.question}
    cited = {item.id for item in export.citations}
    for item in export.evidence:
        if not export.has("sources" if item.id in cited else "evidence"):
            continue
        said = asked | item.model_dump(include=set(LEDGER_COLUMNS)) | {"cited": item.id in cited}
        yield [said[name] for name in names]


def _table_rows(table: Table, export: Export) -> Iterator[Iterable[object]]:
    """The table, and after it the quotes of its cells, by column or, where they agree, by row."""
    together = all(len({cell.cites for cell in row if cell.cites}) <= 1 for row in table.rows)
    sources = [SHARED_SOURCE] if together else list(table.columns)
    if not export.has("sources"):
        yield table.columns
        yield from ([cell.text for cell in row] for row in table.rows)
        return
    yield [*table.columns, *(f"{name}: {what}" for name in sources for what in SOURCE_COLUMNS)]
    entries = {item.id: item for item in export.evidence}
    for row in table.rows:
        groups = [cell.cites for cell in row]
        if together:
            groups = [next((cites for cites in groups if cites), ())]
        cells: list[str] = [cell.text for cell in row]
        for cites in groups:
            cells += _source_cells([entries[id] for id in cites if id in entries])
        yield cells


def _source_cells(entries: Sequence[ExportedEvidence]) -> Iterator[str]:
    """The columns of some quotes, a line for each. A quote is as long as its offsets say."""
    for what in SOURCE_COLUMNS:
        told = (
            (entry.link or entry.url) if what == "url" else getattr(entry, what)
            for entry in entries
        )
        yield "\n".join(map(str, told))


def csv_cell(value: object) -> str:
    """The cell as text; what would be a formula in a spreadsheet gets an apostrophe."""
    text = str(value).translate(REPLACED)
    text = f"'{text}" if text.startswith(FORMULA_STARTS) else text
    return f'"{text.replace(QUOTE, QUOTE * 2)}"' if NEEDS_QUOTES.search(text) else text


class CsvSource(NamedTuple):
    """A quote and its place, as read from a CSV export."""

    id: str
    quote: str
    url: str
    start: int
    end: int
    blob: str


def read_sources(text: str) -> tuple[CsvSource, ...] | None:
    """The quotes of a CSV export, each once; None where the text is no such export."""
    csv.field_size_limit(MAX_CELL_CHARACTERS)
    try:
        names, *rows = list(csv.reader(io.StringIO(text, newline=""), strict=True)) or [[]]
    except csv.Error:
        return None
    groups = list(_source_groups(names))
    if not rows or not groups:
        return None
    try:
        found = [
            each for row in rows if row for group in groups for each in _cell_sources(row, group)
        ]
    except (ValueError, IndexError):
        return None
    return tuple(dict.fromkeys(found))


def _source_groups(names: Sequence[str]) -> Iterator[dict[str, int]]:
    """The indices of the columns of each group of quotes, by column name."""
    for place, name in enumerate(names):
        if name != "id" and not name.endswith(": id"):
            continue
        wanted = {what: name.removesuffix("id") + what for what in SOURCE_COLUMNS}
        rest = names[place:]
        if set(wanted.values()) <= set(rest):
            yield {what: place + rest.index(column) for what, column in wanted.items()}


def _cell_sources(row: Sequence[str], group: Mapping[str, int]) -> Iterator[CsvSource]:
    """The quotes of one group in a row. Raises ValueError and IndexError for a damaged row."""
    told = {what: row[place] for what, place in group.items()}
    if not told["id"]:
        return
    lines = [told[what].split("\n") for what in ("id", "url", "start", "end", "blob")]
    quotes = told["quote"]
    sizes = [int(end) - int(start) for start, end in zip(lines[2], lines[3], strict=True)]
    if quotes.startswith("'") and len(quotes) == sum(sizes) + len(sizes):
        quotes = quotes[1:]  # what keeps it from being a formula
    done = 0
    for (id, url, start, end, blob), size in zip(zip(*lines, strict=True), sizes, strict=True):
        last = len(sizes) == 1
        quote = quotes if last else quotes[done : done + size]
        yield CsvSource(id, quote, url.partition(TEXT_DIRECTIVE)[0], int(start), int(end), blob)
        done += size + 1
