"""The batches that a server keeps: a folder for each, with its questions, options and answers."""

import re
import secrets
import shutil
import time
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from forager.domain.base import Frozen
from forager.domain.spend import Budget
from forager.errors import NoBatchError, StoreError
from forager.util.files import atomic_write, make_private_folder
from graphs.spec.spec import GraphSpec
from graphs.system.batch.batch_files import BATCH_NAME, prepare_answers
from graphs.system.batch.batch_rows import BatchRow, parse_rows
from graphs.system.batch.batch_run import BatchOptions

FOLDER = "batches"
MOST_BYTES = 20_000_000
"""The longest file of questions that a server takes; the command line takes longer ones."""
LONGEST_NAME = 100
UNFIT = re.compile(r"[^\w .()-]+")
ABOUT, ANSWERS = "batch.json", "answers.jsonl"

Wanted = Literal["ready", "running", "paused", "stopped"]
"""What a person wants of a batch: `ready` has not been started."""


class KeptBatch(Frozen):
    """A batch as it is kept; `name` is that of the file that was uploaded."""

    id: str
    name: str
    created: float
    rows: int
    wanted: Wanted = "ready"
    graph: GraphSpec | None = None
    model: str = ""
    budget: Budget = Budget()
    sites: tuple[str, ...] = ()
    at_once: int = 1

    @property
    def options(self) -> BatchOptions | None:
        """How its questions are asked; None before it was started."""
        if self.graph is None:
            return None
        return BatchOptions(self.graph, self.model, self.budget, self.sites, self.at_once)


class BatchShelf:
    """The kept batches of a data folder."""

    def __init__(self, data: Path) -> None:
        self._folder = data / FOLDER

    def add(self, name: str, data: bytes) -> KeptBatch:
        """Keep a file of questions, which is read first. Raises UsageError and StoreError."""
        named = UNFIT.sub("-", Path(name).name).strip() or "questions.jsonl"
        rows = parse_rows(named, data, MOST_BYTES)
        id = secrets.token_hex(4)
        batch = KeptBatch(id=id, name=named[-LONGEST_NAME:], created=time.time(), rows=len(rows))
        folder = self._folder / id
        try:
            make_private_folder(folder)
            self._questions(batch).write_bytes(data)
            prepare_answers(folder / ANSWERS, id)
        except OSError as error:
            raise _cannot_write(folder, error) from error
        self.save(batch)
        return batch

    def list(self) -> tuple[KeptBatch, ...]:
        """All batches, newest first; one that cannot be read is left out."""
        found = (_read(path) for path in self._folder.glob(f"*/{ABOUT}"))
        return tuple(sorted(filter(None, found), key=lambda each: -each.created))

    def get(self, id: str) -> KeptBatch:
        """A batch by its id. Raises NoBatchError."""
        found = _read(self._folder / id / ABOUT) if BATCH_NAME.fullmatch(id) else None
        if found is None:
            raise NoBatchError(f"There is no batch {id!r}.", "GET /api/batches lists them.")
        return found

    def save(self, batch: KeptBatch) -> None:
        """Keep a changed batch. Raises StoreError."""
        try:
            with atomic_write(self._folder / batch.id / ABOUT) as file:
                file.write_text(batch.model_dump_json(), encoding="utf-8")
        except OSError as error:
            raise _cannot_write(self._folder, error) from error

    def rows(self, batch: KeptBatch) -> tuple[BatchRow, ...]:
        """Its questions. Raises StoreError."""
        try:
            return parse_rows(batch.name, self._questions(batch).read_bytes(), MOST_BYTES)
        except OSError as error:
            raise StoreError(f"The questions of {batch.name} cannot be read: {error}.") from error

    def answers(self, id: str) -> Path:
        """The file of its answers."""
        return self._folder / id / ANSWERS

    def delete(self, id: str) -> None:
        """Delete a batch with its questions and answers. Raises StoreError."""
        try:
            shutil.rmtree(self._folder / id)
        except OSError as error:
            raise _cannot_write(self._folder, error) from error

    def _questions(self, batch: KeptBatch) -> Path:
        ending = "csv" if batch.name.lower().endswith(".csv") else "jsonl"
        return self._folder / batch.id / f"questions.{ending}"


def _read(path: Path) -> KeptBatch | None:
    try:
        return KeptBatch.model_validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return None


def _cannot_write(path: Path, error: OSError) -> StoreError:
    return StoreError(f"{path} cannot be written: {error.strerror or error}.", "Make room.")
