"""A session as a table for a spreadsheet: the answer's own, or else the ledger."""

import csv
import io
from collections.abc import Iterable, Iterator

from forager.table import Table
from graphs.exports.document import Export

LEDGER = ("id", "cited", "round", "part", "title", "url", "quote")


def as_csv(export: Export) -> str:
    """Rows under a heading; line ends are plain, cells quoted where they must be."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    made = _table(export.table, export) if export.table else _ledger(export)
    rows.writerows([_cell(value) for value in row] for row in made)
    return text.getvalue()


def _ledger(export: Export) -> Iterator[Iterable[object]]:
    yield LEDGER
    cited = {item.id for item in export.citations}
    for item in export.evidence:
        yield item.id, item.id in cited, item.round, item.part, item.title, item.url, item.quote


def _table(table: Table, export: Export) -> Iterator[Iterable[object]]:
    """The table, and behind it for each column the quotes and the pages that its cells rest on."""
    sources = [f"{column}: {what}" for column in table.columns for what in ("quote", "url")]
    yield [*table.columns, *sources]
    entries = {item.id: item for item in export.evidence}
    for row in table.rows:
        cells: list[str] = [cell.text for cell in row]
        for cell in row:
            cited = [entries[id] for id in cell.cites if id in entries]
            cells.append("\n".join(item.quote for item in cited))
            cells.append("\n".join(item.url for item in cited))
        yield cells


def _cell(value: object) -> str:
    """A page's text must not become a formula in a spreadsheet."""
    text = str(value)
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text
