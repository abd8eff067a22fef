"""What users have changed of questions under way, until the run has taken it up."""

from typing import NamedTuple

from sqlalchemy import ColumnElement, delete, func, insert, select, update

from forager.store.tables import STEERS, Database


class Waiting(NamedTuple):
    """A change as JSON; `laid` when the question has it and only a survey is due."""

    seq: int
    body: str
    laid: bool


class Steers:
    """The changes of all sessions, by thread; safe for threads and for several processes."""

    def __init__(self, file: Database) -> None:
        self._file = file

    def add(self, thread: str, body: str, *, laid: bool = False) -> None:
        """Let a change wait."""
        last = select(func.coalesce(func.max(STEERS.c.seq), 0)).where(STEERS.c.session == thread)
        seq = last.scalar_subquery() + 1
        with self._file.transaction() as db:
            db.execute(insert(STEERS).values(session=thread, seq=seq, body=body, laid=laid))

    def waiting(self, thread: str) -> tuple[Waiting, ...]:
        """What waits, in the order in which it came."""
        wanted = select(STEERS).where(STEERS.c.session == thread).order_by(STEERS.c.seq)
        with self._file.transaction() as db:
            rows = db.execute(wanted).mappings()
            return tuple(Waiting(row["seq"], row["body"], row["laid"]) for row in rows)

    def lay(self, thread: str, seq: int) -> None:
        """The question has the change now."""
        with self._file.transaction() as db:
            db.execute(update(STEERS).where(_one(thread, seq)).values(laid=True))

    def done(self, thread: str, seq: int) -> None:
        """Nothing more is to be done about it."""
        with self._file.transaction() as db:
            db.execute(delete(STEERS).where(_one(thread, seq)))

    def drop(self, thread: str) -> None:
        """The run is at its end: nothing waits any more."""
        with self._file.transaction() as db:
            db.execute(delete(STEERS).where(STEERS.c.session == thread))


def _one(thread: str, seq: int) -> ColumnElement[bool]:
    return (STEERS.c.session == thread) & (STEERS.c.seq == seq)
