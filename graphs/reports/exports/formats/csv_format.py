"""A session as a table for a spreadsheet: the answer's own, or else the ledger."""

import re
from collections.abc import Iterable, Iterator, Sequence

from forager.domain.answers import Table
from graphs.reports.exports.document import Export, ExportedEvidence

LEDGER_COLUMNS = (
    "id",
    "cited",
    "round",
    "part",
    "title",
    "url",
    "quote",
    "start",
    "end",
    "blob",
    "link",
)
TURN_COLUMNS = ("turn", "question")
SOURCE_COLUMNS = ("id", "quote", "url", "start", "end", "blob")
"""What is told of a quote that a cell rests on; its address leads to the quote on its page."""
SHARED_SOURCE = "source"
"""What the quotes are called where all cells of a row rest on the same."""
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
QUOTE = '"'
NEEDS_QUOTES = re.compile(r'[,"\n\r]')
"""What a cell is put in quotes for (RFC 4180); Python's own writer forgets a lone line return."""


def as_csv(export: Export) -> str:
    """Rows under a heading; line ends are plain, cells quoted where they must be."""
    made = _table_rows(export.table, export) if export.table else _ledger_rows(export)
    return "".join(f"{','.join(_csv_cell(value) for value in row)}\n" for row in made)


def _ledger_rows(export: Export) -> Iterator[Iterable[object]]:
    """Of a conversation also what earlier answers cite, and behind each row its question."""
    names = (*LEDGER_COLUMNS, *TURN_COLUMNS) if export.turns else LEDGER_COLUMNS
    yield names
    for turn in export.turns:
        asked = {"turn": turn.number, "question": turn.question}
        for quote in turn.citations:
            said = asked | quote.model_dump() | {"cited": True, "link": quote.url}
            yield [said.get(name, "") for name in names]
    asked = {"turn": len(export.turns) + 1, "question": export.question}
    cited = {item.id for item in export.citations}
    for item in export.evidence:
        said = asked | item.model_dump(include=set(LEDGER_COLUMNS)) | {"cited": item.id in cited}
        yield [said[name] for name in names]


def _table_rows(table: Table, export: Export) -> Iterator[Iterable[object]]:
    """The table, and behind it the quotes that its cells rest on, for each column or each row."""
    together = all(len({cell.cites for cell in row if cell.cites}) <= 1 for row in table.rows)
    sources = [SHARED_SOURCE] if together else list(table.columns)
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
    """A line for each entry, in each column; a quote has as many characters as its offsets say."""
    for what in SOURCE_COLUMNS:
        told = (
            (entry.link or entry.url) if what == "url" else getattr(entry, what)
            for entry in entries
        )
        yield "\n".join(map(str, told))


def _csv_cell(value: object) -> str:
    """A page's text must not become a formula in a spreadsheet."""
    text = str(value)
    text = f"'{text}" if text.startswith(FORMULA_STARTS) else text
    return f'"{text.replace(QUOTE, QUOTE * 2)}"' if NEEDS_QUOTES.search(text) else text
