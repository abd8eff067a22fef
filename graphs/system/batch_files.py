"""The files of a batch: its questions, and its answers, of which no line is lost or written twice.

The answers are appended line by line, each forced to the disk. A file beside them keeps the name of
the batch, so that a question that was under way when the process was killed is resumed in its
session. It is deleted with the last answer.
"""

import csv
import json
import os
import re
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import Annotated, Any, Self

from filelock import FileLock, Timeout
from pydantic import Field, JsonValue, ValidationError, field_validator

from forager.domain.base import MAX_INTEGER, Frozen
from forager.errors import BusyError, StoreError, UsageError
from forager.text.unicode import escape_json
from forager.util.files import atomic_write

MOST_ROWS = 1_000_000
BETWEEN_SITES = re.compile(r"[\s|]+")
COLUMNS = ("id", "question", "sites", "seed")
BATCH_NAME = re.compile(r"[0-9a-f]{8}")
MEND = "Columns of CSV or members of JSON lines: question, and if wanted id, sites and seed."


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


def read_rows(path: Path) -> tuple[BatchRow, ...]:
    """The questions of a CSV or JSON lines file. Raises UsageError, which names the row."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {error}.", "Name a file of questions.") from error
    if path.suffix.lower() == ".csv":
        records = _read_csv(path, text)
    else:
        records = _read_json_lines(path, text)
    rows = tuple(_make_row(path, number, record) for number, record in enumerate(records, 1))
    if not 0 < len(rows) <= MOST_ROWS:
        raise UsageError(f"{path} has {len(rows):,} questions.", f"Ask 1 to {MOST_ROWS:,}.")
    seen: set[str] = set()
    for row in rows:
        if row.id in seen:
            raise UsageError(f"{path} has the id {row.id!r} twice.", "Give each row its own.")
        seen.add(row.id)
    return rows


def _read_csv(path: Path, text: str) -> Iterator[Mapping[str, Any]]:
    rows = csv.DictReader(StringIO(text, newline=""))
    if "question" not in (rows.fieldnames or ()):
        raise UsageError(f"{path} has no column question.", MEND)
    for row in rows:
        yield {name: row[name] for name in COLUMNS if row.get(name)}


def _read_json_lines(path: Path, text: str) -> Iterator[Mapping[str, Any]]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except ValueError as error:
            raise UsageError(f"{path}, line {number}, is not JSON: {error}.", MEND) from error
        if not isinstance(record, dict):
            raise UsageError(f"{path}, line {number}, is not an object.", MEND)
        yield {name: record[name] for name in COLUMNS if record.get(name) not in (None, "")}


def _make_row(path: Path, number: int, record: Mapping[str, Any]) -> BatchRow:
    try:
        return BatchRow.model_validate({"id": str(number), **record})
    except ValidationError as error:
        fault = error.errors()[0]
        where = ".".join(map(str, fault["loc"]))
        raise UsageError(f"{path}, row {number}: {where}: {fault['msg']}.", MEND) from error


class AnswerFile:
    """The answers of a batch, one JSON object a line; held by one process, see `open_answers`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._name_file = path.with_name(f"{path.name}.batch")
        self.lines: dict[str, dict[str, JsonValue]] = {}
        """The answers that are written, by the ids of their rows."""
        self.name = ""

    def load(self) -> Self:
        """Read what is written, drop a line that was cut off, and name the batch.

        Raises UsageError for a file that holds something else, and StoreError.
        """
        try:
            fresh = not self._path.exists()
            self._path.touch()
            self._drop_cut_line()
            text = self._path.read_text(encoding="utf-8")
            self.lines = {str(each["id"]): each for each in self._parse(text)}
            known = "" if fresh or not self._name_file.exists() else self._name_file.read_text()
            self.name = known.strip()
            if not BATCH_NAME.fullmatch(self.name):
                self.name = secrets.token_hex(4)
                with atomic_write(self._name_file) as file:
                    file.write_text(self.name, encoding="utf-8")
        except OSError as error:
            raise self._cannot_write(error) from error
        return self

    def refuse_others(self, rows: Sequence[BatchRow]) -> None:
        """Refuse answers to other questions than these. Raises UsageError."""
        for row in rows:
            line = self.lines.get(row.id)
            if line is not None and line.get("question") != row.question:
                raise UsageError(
                    f"{self._path} answers another question in row {row.id!r}.",
                    "Name another --out, or delete the file.",
                )

    def append(self, line: Mapping[str, JsonValue]) -> None:
        """Write an answer, which is on the disk afterwards. Raises StoreError."""
        text = _json_line(line)
        try:
            with self._path.open("ab") as file:
                file.write(text.encode())
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise self._cannot_write(error) from error
        self.lines[str(line["id"])] = dict(line)

    def drop(self, ids: Iterable[str]) -> None:
        """Take out some answers, so that their rows are asked again. Raises StoreError."""
        dropped = {id: self.lines.pop(id) for id in ids}
        if not dropped:
            return
        try:
            with atomic_write(self._path) as file, file.open("w", encoding="utf-8") as out:
                out.writelines(map(_json_line, self.lines.values()))
        except OSError as error:
            raise self._cannot_write(error) from error

    def finish(self) -> None:
        """Forget the name of a batch whose rows are all answered. Raises StoreError."""
        try:
            self._name_file.unlink(missing_ok=True)
        except OSError as error:
            raise self._cannot_write(error) from error

    def _drop_cut_line(self) -> None:
        with self._path.open("r+b") as file:
            data = file.read()
            whole = data.rfind(b"\n") + 1
            if whole < len(data):
                file.truncate(whole)

    def _parse(self, text: str) -> Iterator[dict[str, JsonValue]]:
        for number, line in enumerate(filter(None, text.split("\n")), 1):
            try:
                found = json.loads(line)
            except ValueError:
                found = None
            if not isinstance(found, dict) or not {"id", "status"} <= found.keys():
                raise UsageError(
                    f"{self._path}, line {number}, is not an answer of a batch.",
                    "Name another --out.",
                )
            yield found

    def _cannot_write(self, error: OSError) -> StoreError:
        return StoreError(
            f"{self._path} cannot be written: {error.strerror or error}.", "Make room, or rights."
        )


@contextmanager
def open_answers(path: Path) -> Iterator[AnswerFile]:
    """The answers in a file, which no other process writes during the body.

    Raises BusyError while one does, UsageError and StoreError.
    """
    lock = FileLock(path.with_name(f".{path.name}.lock"))
    try:
        lock.acquire(timeout=0)
    except Timeout as error:
        raise BusyError(
            f"Another process writes {path}.", "Wait for it, or name another --out."
        ) from error
    except OSError as error:
        raise StoreError(
            f"{path} cannot be written: {error.strerror or error}.", "Name another --out."
        ) from error
    try:
        yield AnswerFile(path).load()
    finally:
        lock.release()


def _json_line(line: Mapping[str, JsonValue]) -> str:
    return escape_json(json.dumps(line, ensure_ascii=False)) + "\n"
