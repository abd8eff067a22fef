"""Drafts of graphs with their undo steps."""

import builtins
import time
from collections.abc import Mapping
from contextlib import AbstractContextManager, suppress
from typing import Any

from pydantic import ValidationError
from sqlalchemy import (
    Column,
    Connection,
    Double,
    Integer,
    MetaData,
    Row,
    Select,
    Table,
    Text,
    delete,
    func,
    insert,
    select,
    update,
)

from forager.adapters.store.database import Database
from forager.domain.base import EpochSeconds, Frozen, StoredCount
from forager.errors import NoGraphError, StoreError
from forager.util.place import Place
from forager.util.sqlite import PATIENCE

TABLES = MetaData()
DRAFTS = Table(
    "drafts",
    TABLES,
    Column("id", Text, primary_key=True),
    *(Column(name, Text, nullable=False) for name in ("name", "origin")),
    Column("base", Integer, nullable=False),
    *(Column(name, Text, nullable=False) for name in ("kept", "typed")),
    *(Column(name, Integer, nullable=False) for name in ("revision", "place")),
    Column("time", Double, nullable=False),
)
STEPS = Table(
    "steps",
    TABLES,
    Column("draft", Text, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("text", Text, nullable=False),
)
MAX_STEPS = 200
"""The number of steps of a draft that are kept for undo."""


class DraftRow(Frozen):
    """A stored draft: `base` is the version that it was made from, or 0.

    `kept` is the text of that version, `typed` a text that cannot be parsed yet. `text` is the
    step number `place`; the steps run from `first` to `last`: from 1 in a draft that was asked for,
    and from 0 in one that an edit began.
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
    """The drafts; safe for threads and for several processes."""

    def __init__(self, place: Place, patience: float = PATIENCE) -> None:
        """`patience`: seconds to wait for a locked file."""
        self._tables = Database(place, "drafts", patience)

    def list(self) -> tuple[DraftRow, ...]:
        """All drafts that can be read, the last changed first. Raises StoreError."""
        with self._transaction() as db:
            rows = db.execute(_select_drafts().order_by(DRAFTS.c.time.desc())).all()
        found: builtins.list[DraftRow] = []
        for row in rows:
            with suppress(StoreError):
                found.append(_read_row(row))
        return tuple(found)

    def list_damaged(self) -> tuple[str, ...]:
        """The ids of the drafts that cannot be read. Raises StoreError."""
        sound = {row.id for row in self.list()}
        with self._transaction() as db:
            ids = [
                str(id) for id in db.execute(select(DRAFTS.c.id).order_by(DRAFTS.c.id)).scalars()
            ]
        return tuple(id for id in ids if id not in sound)

    def get(self, id: str) -> DraftRow:
        """A draft. Raises NoGraphError and StoreError."""
        with self._transaction() as db:
            return _get_draft(db, id)

    def step_before(self, id: str) -> str:
        """The text before the last change; empty if there is none. Raises as `get` does."""
        with self._transaction() as db:
            row = _get_draft(db, id)
            before = (STEPS.c.draft == id) & (STEPS.c.number == row.place - 1)
            return db.execute(select(STEPS.c.text).where(before)).scalar() or ""

    def begin(self, row: DraftRow) -> None:
        """Store a new draft, whose first step is its text. Raises StoreError."""
        with self._transaction() as db:
            db.execute(insert(DRAFTS), {**_columns(row), "time": time.time()})
            _add_steps(db, row.id, {row.place: row.text})

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
            own, place = STEPS.c.draft == id, row.place + 1
            gone = (STEPS.c.number >= place) | (STEPS.c.number < place - MAX_STEPS)
            db.execute(delete(STEPS).where(own, gone))
            _add_steps(db, id, {place: text})
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
            db.execute(delete(STEPS).where(STEPS.c.draft == id))
            _add_steps(db, id, dict(enumerate(steps)))
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
            steps = db.execute(select(STEPS).where(STEPS.c.draft == id)).all()
            _delete_draft(db, id)
        return TakenDraft(row=row, steps={step.number: step.text for step in steps})

    def put_back(self, taken: TakenDraft) -> None:
        """Store a draft that was taken, as it was, unless it is there. Raises StoreError."""
        row = taken.row
        with self._transaction() as db:
            if db.execute(select(DRAFTS.c.id).where(DRAFTS.c.id == row.id)).first():
                return
            db.execute(insert(DRAFTS), _columns(row))
            _add_steps(db, row.id, taken.steps)

    def _transaction(self) -> AbstractContextManager[Connection]:
        return self._tables.transaction(alone="drafts")


def _select_drafts() -> Select[Any]:
    """The drafts with the text of their step, and the numbers of the first and the last step."""
    steps = STEPS.alias()
    first, last = (
        select(edge(steps.c.number)).where(steps.c.draft == DRAFTS.c.id).scalar_subquery()
        for edge in (func.min, func.max)
    )
    own = (STEPS.c.draft == DRAFTS.c.id) & (STEPS.c.number == DRAFTS.c.place)
    columns = (*DRAFTS.c, STEPS.c.text, first.label("first"), last.label("last"))
    return select(*columns).join(STEPS, own)


def _columns(row: DraftRow) -> dict[str, Any]:
    return row.model_dump(include=set(DRAFTS.c.keys()))


def _add_steps(db: Connection, id: str, texts: Mapping[int, str]) -> None:
    rows = [{"draft": id, "number": number, "text": text} for number, text in texts.items()]
    db.execute(insert(STEPS), rows)


def _delete_draft(db: Connection, id: str) -> None:
    db.execute(delete(DRAFTS).where(DRAFTS.c.id == id))
    db.execute(delete(STEPS).where(STEPS.c.draft == id))


def _get_draft(db: Connection, id: str) -> DraftRow:
    found = db.execute(_select_drafts().where(DRAFTS.c.id == id)).first()
    if found is None:
        raise NoGraphError("There is no such draft.", "It was saved or discarded elsewhere.")
    return _read_row(found)


def damaged_draft() -> StoreError:
    """The error for a draft that cannot be read."""
    return StoreError("A draft of a graph is damaged and cannot be read.", "Discard it.")


def _read_row(row: Row[Any]) -> DraftRow:
    try:
        return DraftRow.model_validate(row._asdict())
    except ValidationError as error:
        raise damaged_draft() from error


def _set_columns(db: Connection, id: str, **values: object) -> None:
    db.execute(update(DRAFTS).where(DRAFTS.c.id == id).values({**values, "time": time.time()}))
