"""The questions of a batch, read from CSV or JSON lines; what is wrong is said in plain words."""

import csv
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from pydantic import Field, ValidationError, field_validator

from forager.domain.base import MAX_INTEGER, Frozen
from forager.errors import UsageError

MOST_ROWS = 1_000_000
MOST_BYTES = 200_000_000
BETWEEN_SITES = re.compile(r"[\s|]+")
COLUMNS = ("id", "question", "sites", "seed")
ALIASES = {"site": "sites"}
"""Other names of columns, of which a person thinks first."""
DELIMITERS = ",;\t"
"""What may stand between cells: spreadsheets of many countries write a semicolon."""
BINARY = re.compile(r"[\x00-\x08\x0e-\x19]")
"""What no text has."""
UTF_16 = (b"\xff\xfe", b"\xfe\xff")
SPREADSHEET = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
"""How the files of Excel and LibreOffice begin."""
MEND = "Columns of CSV or members of JSON lines: question, and if wanted id, sites and seed."
ENCODE = "Save it as UTF-8; Excel calls that “CSV UTF-8”."

Record = Mapping[str, Any]


class BatchRow(Frozen):
    """A question of a batch; `id` is unique in it, by default the number of the row, from 1."""

    id: str
    question: str
    sites: tuple[str, ...] = ()
    seed: Annotated[int, Field(ge=-MAX_INTEGER, le=MAX_INTEGER)] = 0

    @field_validator("id", mode="before")
    @classmethod
    def _id_as_text(cls, value: object) -> object:
        return str(value) if isinstance(value, int) else value

    @field_validator("sites", mode="before")
    @classmethod
    def _split_sites(cls, value: object) -> object:
        """Several addresses in one text have spaces or `|` between them."""
        return tuple(filter(None, BETWEEN_SITES.split(value))) if isinstance(value, str) else value


class BatchFile(NamedTuple):
    """The questions of a file, and how many rows were skipped as they ask nothing."""

    rows: tuple[BatchRow, ...]
    skipped: int


def read_rows(path: Path) -> BatchFile:
    """The questions of a CSV or JSON lines file. Raises UsageError, which names the row."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise _too_long(path.name, path.stat().st_size, MOST_BYTES)
        data = path.read_bytes()
    except OSError as error:
        what = error.strerror or error
        raise UsageError(f"{path} cannot be read: {what}.", "Name a file of questions.") from error
    return parse_file(path.name, data)


def parse_rows(name: str, data: bytes, most_bytes: int = MOST_BYTES) -> tuple[BatchRow, ...]:
    """The questions in the bytes of a file. Raises UsageError, which names the row."""
    return parse_file(name, data, most_bytes).rows


def parse_file(name: str, data: bytes, most_bytes: int = MOST_BYTES) -> BatchFile:
    """What is in the bytes of a file of this name; `.csv` means CSV, all else JSON lines.

    Raises UsageError, which names the row.
    """
    if len(data) > most_bytes:
        raise _too_long(name, len(data), most_bytes)
    text = _decode(name, data)
    if not text.strip():
        raise UsageError(f"{name} is empty.", MEND)
    read = _read_csv if name.lower().endswith(".csv") else _read_json_lines
    found = list(enumerate(read(name, text), 1))
    asking = [(number, each) for number, each in found if each.keys() - {"id", "seed"}]
    rows = tuple(_make_row(name, number, each) for number, each in asking)
    if not 0 < len(rows) <= MOST_ROWS:
        raise UsageError(f"{name} has {len(rows):,} questions.", f"Ask 1 to {MOST_ROWS:,}.")
    _refuse_doubles(name, rows)
    return BatchFile(rows, len(found) - len(rows))


def _too_long(name: str, size: int, most: int) -> UsageError:
    mega = 1_000_000
    return UsageError(
        f"{name} has {size / mega:,.0f} MB.", f"Split it into files of at most {most // mega:,} MB."
    )


def _decode(name: str, data: bytes) -> str:
    if data.startswith(SPREADSHEET):
        raise UsageError(f"{name} is a spreadsheet, not text.", "Save it as “CSV UTF-8”.")
    try:
        text = data.decode("utf-16" if data.startswith(UTF_16) else "utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UsageError(f"{name} is not UTF-8 text: see line {line:,}.", ENCODE) from error
    if binary := BINARY.search(text):
        line = text.count("\n", 0, binary.start()) + 1
        raise UsageError(f"{name} is not UTF-8 text: see line {line:,}.", ENCODE)
    return text


def _refuse_doubles(name: str, rows: Sequence[BatchRow]) -> None:
    seen: dict[str, int] = {}
    for number, row in enumerate(rows, 1):
        if row.id in seen:
            raise UsageError(
                f"{name} has the id {row.id!r} twice, in rows {seen[row.id]:,} and {number:,}.",
                "Give each row its own.",
            )
        seen[row.id] = number


def _read_csv(name: str, text: str) -> Iterator[Record]:
    mark, columns = _find_columns(text)
    if "question" not in columns:
        found = ", ".join(filter(None, columns)) or "none"
        raise UsageError(f"{name} has no column question. Its columns: {found}.", MEND)
    cells = csv.reader(StringIO(text, newline=""), delimiter=mark, strict=True)
    try:
        next(cells)
        rows = (row for row in cells if any(map(str.strip, row)))
        for number, row in enumerate(rows, 1):
            if any(map(str.strip, row[len(columns) :])):
                raise UsageError(
                    f"{name}, row {number:,}, has more cells than the file has columns.",
                    f"Put a text that contains “{mark}” between double quotes.",
                )
            found_cells = zip(columns, row, strict=False)
            yield {name: cell for name, cell in found_cells if name in COLUMNS and cell}
    except csv.Error as error:
        raise UsageError(
            f"{name} is not valid CSV at line {cells.line_num:,}: {error}.",
            "Look for a double quote that is not closed; within a text, write it twice.",
        ) from error


def _find_columns(text: str) -> tuple[str, list[str]]:
    """What stands between cells, and the names of the columns, in small letters."""
    names: list[str] = []
    for mark in DELIMITERS:
        first = next(csv.reader(StringIO(text, newline=""), delimiter=mark), [])
        names = names or first
        found = [_column_name(each) for each in first]
        if "question" in found:
            return mark, found
    return DELIMITERS[0], names


def _column_name(written: str) -> str:
    name = written.strip().casefold()
    return ALIASES.get(name, name)


def _read_json_lines(name: str, text: str) -> Iterator[Record]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise UsageError(f"{name}, line {number:,}, is not JSON: {error}.", MEND) from error
        if not isinstance(record, dict):
            raise UsageError(f"{name}, line {number:,}, is not an object.", MEND)
        named = {ALIASES.get(each, each): value for each, value in record.items()}
        yield {each: named[each] for each in COLUMNS if named.get(each) not in (None, "")}


def _make_row(name: str, number: int, record: Record) -> BatchRow:
    if "question" not in record:
        raise UsageError(f"{name}, row {number:,}, has no question.", MEND)
    try:
        return BatchRow.model_validate({"id": str(number), **record})
    except ValidationError as error:
        fault = error.errors()[0]
        where = ".".join(map(str, fault["loc"]))
        raise UsageError(f"{name}, row {number:,}: {where}: {fault['msg']}.", MEND) from error
