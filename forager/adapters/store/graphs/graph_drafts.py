"""Drafts of graphs with their undo steps, in one SQLite file."""

import builtins
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from pydantic import ValidationError

from forager.adapters.store.store_files import open_tables, translate_errors
from forager.domain.base import EpochSeconds, Frozen, StoredCount
from forager.errors import NoGraphError, StoreError
from forager.util.sqlite import PATIENCE, write_transaction

SELECT_DRAFTS = """
SELECT d.*, s.text,
    (SELECT min(number) FROM steps WHERE draft = id),
    (SELECT max(number) FROM steps WHERE draft = id)
FROM drafts AS d JOIN steps AS s ON s.draft = d.id AND s.number = d.place
"""
MAX_STEPS = 200
"""The number of steps of a draft that are kept for undo."""


class DraftRow(Frozen):
    """A stored draft: `base` is the version that it was made from, or 0.

    `kept` is the text of that version, `typed` a text that cannot be parsed yet. `text` is the
    step number `place`; the steps run from `first` to `last`.
    """

    id: str
    name: str
    origin: str = ""
    base: StoredCount = 0
    kept: str
    typed: str = ""
    revision: StoredCount = 0
    place: StoredCount = 0
    time: EpochSeconds = 0.0
    text: str
    first: StoredCount = 0
    last: StoredCount = 0


class TakenDraft(Frozen):
    """A draft that was deleted, with all its steps by number, so that it can be put back."""

    row: DraftRow
    steps: dict[int, str]


class GraphDrafts:
    """The drafts in a file; safe for threads and for several processes."""

    def __init__(self, path: Path, patience: float = PATIENCE) -> None:
        """`patience`: seconds to wait for a locked file."""
        self._path = path
        self._patience = patience

    def list(self) -> tuple[DraftRow, ...]:
        """All drafts that can be read, the last changed first. Raises StoreError."""
        with self._transaction() as db:
            rows = db.execute(f"{SELECT_DRAFTS} ORDER BY d.time DESC").fetchall()
        found: builtins.list[DraftRow] = []
        for row in rows:
            with suppress(StoreError):
                found.append(_read_row(row))
        return tuple(found)

    def list_damaged(self) -> tuple[str, ...]:
        """The ids of the drafts that cannot be read. Raises StoreError."""
        sound = {row.id for row in self.list()}
        with self._transaction() as db:
            ids = [str(id) for (id,) in db.execute("SELECT id FROM drafts ORDER BY id")]
        return tuple(id for id in ids if id not in sound)

    def get(self, id: str) -> DraftRow:
        """A draft. Raises NoGraphError and StoreError."""
        with self._transaction() as db:
            return _get_draft(db, id)

    def step_before(self, id: str) -> str:
        """The text before the last change; empty if there is none. Raises as `get` does."""
        with self._transaction() as db:
            row = _get_draft(db, id)
            found = db.execute(
                "SELECT text FROM steps WHERE draft = ? AND number = ?", (id, row.place - 1)
            ).fetchone()
        return str(found[0]) if found else ""

    def begin(self, row: DraftRow) -> None:
        """Store a new draft, whose first step is its text. Raises StoreError."""
        with self._transaction() as db:
            cells = (row.id, row.name, row.origin, row.base, row.kept, row.typed, row.revision)
            db.execute("INSERT INTO drafts VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?)", (*cells, _now()))
            db.execute("INSERT INTO steps VALUES (?, 0, ?)", (row.id, row.text))

    def add_step(self, id: str, text: str, base: int | None = None) -> bool:
        """Add a step; undone steps are deleted. Raises NoGraphError and StoreError.

        `base` is the revision that a canvas edited. If it is older than the stored one, nothing is
        added and the result is False.
        """
        with self._transaction() as db:
            row = _get_draft(db, id)
            if base is not None and base < row.revision:
                _set_columns(db, id, revision=max(row.revision, base + 1) + 1)
                return False
            revision = row.revision + 1 if base is None else base + 1
            if text == row.text:
                _set_columns(db, id, revision=revision, typed="")
                return True
            db.execute("DELETE FROM steps WHERE draft = ? AND number > ?", (id, row.place))
            db.execute("INSERT INTO steps VALUES (?, ?, ?)", (id, row.place + 1, text))
            db.execute(
                "DELETE FROM steps WHERE draft = ? AND number < ?", (id, row.place + 1 - MAX_STEPS)
            )
            _set_columns(db, id, revision=revision, place=row.place + 1, typed="")
            return True

    def keep_typed(self, id: str, typed: str) -> None:
        """Store a text that cannot be parsed yet. Raises NoGraphError and StoreError."""
        with self._transaction() as db:
            _get_draft(db, id)
            _set_columns(db, id, typed=typed)

    def move_step(self, id: str, by: int) -> None:
        """Undo (-1) or redo (1), if there is such a step. Raises NoGraphError and StoreError."""
        with self._transaction() as db:
            row = _get_draft(db, id)
            if row.first <= row.place + by <= row.last:
                _set_columns(db, id, place=row.place + by, revision=row.revision + 1, typed="")

    def set_base(self, id: str, name: str, base: int, kept: str) -> None:
        """Set the version that a draft is compared with. Raises NoGraphError and StoreError."""
        with self._transaction() as db:
            _get_draft(db, id)
            _set_columns(db, id, name=name, base=base, kept=kept)

    def restart(self, id: str, revision: int, kept: str, text: str, base: int) -> bool:
        """Begin the steps anew with a version and, if it is another text, one step after it.

        False if the draft is no longer at the revision. Raises NoGraphError and StoreError.
        """
        with self._transaction() as db:
            row = _get_draft(db, id)
            if row.revision != revision:
                return False
            steps = dict.fromkeys((kept, text))
            db.execute("DELETE FROM steps WHERE draft = ?", (id,))
            rows = [(id, number, each) for number, each in enumerate(steps)]
            db.executemany("INSERT INTO steps VALUES (?, ?, ?)", rows)
            _set_columns(
                db,
                id,
                place=len(steps) - 1,
                revision=revision + 1,
                typed="",
                base=base,
                kept=kept,
            )
            return True

    def delete(self, id: str) -> None:
        """Delete a draft, if it exists. Raises StoreError."""
        with self._transaction() as db:
            _delete_draft(db, id)

    def take(self, id: str) -> TakenDraft:
        """Delete a draft, and give it away whole. Raises NoGraphError and StoreError."""
        with self._transaction() as db:
            row = _get_draft(db, id)
            steps = db.execute("SELECT number, text FROM steps WHERE draft = ?", (id,)).fetchall()
            _delete_draft(db, id)
        return TakenDraft(row=row, steps=dict(steps))

    def put_back(self, taken: TakenDraft) -> None:
        """Store a draft that was taken, as it was, unless it is there. Raises StoreError."""
        row = taken.row
        with self._transaction() as db:
            if db.execute("SELECT 1 FROM drafts WHERE id = ?", (row.id,)).fetchone():
                return
            cells = (row.id, row.name, row.origin, row.base, row.kept, row.typed, row.revision)
            values = (*cells, row.place, row.time)
            db.execute("INSERT INTO drafts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", values)
            steps = [(row.id, number, text) for number, text in taken.steps.items()]
            db.executemany("INSERT INTO steps VALUES (?, ?, ?)", steps)

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """A write transaction on the file."""
        with (
            translate_errors(self._path),
            closing(open_tables(self._path, "drafts", self._patience)) as db,
            write_transaction(db),
        ):
            yield db


def _delete_draft(db: sqlite3.Connection, id: str) -> None:
    db.execute("DELETE FROM drafts WHERE id = ?", (id,))
    db.execute("DELETE FROM steps WHERE draft = ?", (id,))


def _get_draft(db: sqlite3.Connection, id: str) -> DraftRow:
    found = db.execute(f"{SELECT_DRAFTS} WHERE d.id = ?", (id,)).fetchone()
    if found is None:
        raise NoGraphError("There is no such draft.", "It was saved or discarded elsewhere.")
    return _read_row(found)


def damaged_draft() -> StoreError:
    """The error for a draft that cannot be read."""
    return StoreError("A draft of a graph is damaged and cannot be read.", "Discard it.")


def _read_row(values: tuple[object, ...]) -> DraftRow:
    try:
        return DraftRow.model_validate(dict(zip(DraftRow.model_fields, values, strict=True)))
    except ValidationError as error:
        raise damaged_draft() from error


def _set_columns(db: sqlite3.Connection, id: str, **values: object) -> None:
    names = ", ".join(f"{name} = ?" for name in (*values, "time"))
    db.execute(f"UPDATE drafts SET {names} WHERE id = ?", (*values.values(), _now(), id))  # noqa: S608


def _now() -> float:
    return time.time()
