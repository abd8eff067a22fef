"""The answers of a batch: a file of which no line is lost or written twice.

The answers are appended line by line, each forced to the disk. A file beside them keeps the name of
the batch, so that a question that was under way when the process was killed is resumed in its
session. It is deleted with the last answer.
"""

import json
import os
import re
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from filelock import FileLock, Timeout
from pydantic import JsonValue

from forager.errors import BusyError, StoreError, UsageError
from forager.text.unicode import escape_json
from forager.util.files import atomic_write
from graphs.reports.exports.csv_format import csv_cell
from graphs.system.batch.batch_rows import BatchRow

BATCH_NAME = re.compile(r"[0-9a-f]{8}")
Line = dict[str, JsonValue]
"""An answer as it is written."""
COLUMNS = (
    *("id", "question", "sites", "status", "answer", "lead", "confidence", "uncertain"),
    *("citations", "open", "reason", "error", "session", "pages", "tokens", "usd", "seconds"),
)
"""The columns of answers as CSV: the members of a line."""


class AnswerFile:
    """The answers of a batch, one JSON object a line; held by one process, see `open_answers`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._name_file = _name_file(path)
        self.lines: dict[str, Line] = {}
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
            self.name = "" if fresh else name_of_batch(self._path)
            if not self.name:
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

    def _parse(self, text: str) -> Iterator[Line]:
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


def name_of_batch(path: Path) -> str:
    """The name that ties the open rows of a file of answers to their sessions; empty without one.

    Raises OSError.
    """
    kept = _name_file(path)
    name = kept.read_text(encoding="utf-8").strip() if kept.exists() else ""
    return name if BATCH_NAME.fullmatch(name) else ""


def prepare_answers(path: Path, name: str) -> None:
    """Make an empty file of answers for a batch of this name. Raises OSError."""
    path.touch()
    _name_file(path).write_text(name, encoding="utf-8")


def read_answers(path: Path) -> dict[str, Line]:
    """The answers that are written in a file, which another process may write at the moment.

    No answers if there is no file. Raises StoreError.
    """
    try:
        text = path.read_text(encoding="utf-8") if path.exists() else ""
    except (OSError, UnicodeDecodeError) as error:
        raise StoreError(f"{path} cannot be read: {error}.", "Look at the file.") from error
    whole = text[: text.rfind("\n") + 1]
    lines = map(json.loads, filter(None, whole.split("\n")))
    return {str(line["id"]): line for line in lines}


def answers_as_csv(lines: Iterable[Line]) -> str:
    """Answers as CSV for spreadsheets, without a cell that one would run as a formula."""
    rows = (COLUMNS, *([_cell_text(line.get(name)) for name in COLUMNS] for line in lines))
    return "".join(",".join(map(csv_cell, row)) + "\n" for row in rows)


def answers_as_json_lines(lines: Iterable[Line]) -> str:
    """Answers as the file has them."""
    return "".join(map(_json_line, lines))


def _name_file(path: Path) -> Path:
    return path.with_name(f"{path.name}.batch")


def _cell_text(value: JsonValue) -> str:
    """A member of a line in one cell: the texts of a list, and the addresses of quotes, by line."""
    if isinstance(value, list):
        each = (str(item.get("url", "")) if isinstance(item, dict) else str(item) for item in value)
        return "\n".join(each)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)


def _json_line(line: Mapping[str, JsonValue]) -> str:
    return escape_json(json.dumps(line, ensure_ascii=False)) + "\n"
