"""Reads back from a CSV export which quotes its cells rest on, so that they can be verified."""

import csv
import io
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from graphs.exports.as_csv import SOURCE

DIRECTIVE = "#:~:text="
LONGEST_CELL = 10_000_000


class Source(NamedTuple):
    """A quote and where it stands."""

    id: str
    quote: str
    url: str
    start: int
    end: int
    blob: str


def sources(text: str) -> tuple[Source, ...] | None:
    """The quotes of a CSV export, each once; None where the text is none."""
    csv.field_size_limit(LONGEST_CELL)
    try:
        rows = list(csv.DictReader(io.StringIO(text, newline=""), strict=True))
    except csv.Error:
        return None
    names = list(rows[0]) if rows else []
    groups = [name.removesuffix("id") for name in names if name == "id" or name.endswith(": id")]
    whole = [group for group in groups if all(f"{group}{what}" in names for what in SOURCE)]
    if not whole:
        return None
    try:
        found = [each for row in rows for group in whole for each in _cited(row, group)]
    except (ValueError, KeyError):
        return None
    return tuple(dict.fromkeys(found))


def _cited(row: Mapping[str, str | None], group: str) -> Iterator[Source]:
    """The quotes of one cell. Raises ValueError where their numbers differ."""
    told = {what: row[f"{group}{what}"] or "" for what in SOURCE}
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
        yield Source(id, quote, url.partition(DIRECTIVE)[0], int(start), int(end), blob)
        done += size + 1
