"""Reads back from a CSV export which quotes its cells rest on, so that they can be verified."""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from graphs.reports.exports.formats.csv_format import SOURCE_COLUMNS

TEXT_DIRECTIVE = "#:~:text="
MAX_CELL_CHARACTERS = 10_000_000


class CsvSource(NamedTuple):
    """A quote and where it stands."""

    id: str
    quote: str
    url: str
    start: int
    end: int
    blob: str


def read_sources(text: str) -> tuple[CsvSource, ...] | None:
    """The quotes of a CSV export, each once; None where the text is none."""
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
    """The places of the columns that tell of a quote; columns of one name each have their own."""
    for place, name in enumerate(names):
        if name != "id" and not name.endswith(": id"):
            continue
        wanted = {what: name.removesuffix("id") + what for what in SOURCE_COLUMNS}
        rest = names[place:]
        if set(wanted.values()) <= set(rest):
            yield {what: place + rest.index(column) for what, column in wanted.items()}


def _cell_sources(row: Sequence[str], group: Mapping[str, int]) -> Iterator[CsvSource]:
    """The quotes of one cell. Raises ValueError where their numbers differ, and IndexError."""
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
