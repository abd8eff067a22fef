"""Messages to webhooks that were not taken yet, in one SQLite file."""

import secrets
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from forager.adapters.store.store_files import open_tables, translate_errors
from forager.domain.base import Frozen
from forager.util.sqlite import write_transaction

FILE = "webhooks.sqlite"


class WebhookMessage(Frozen):
    """A message: `tries` were made in vain, and the next is `due` (seconds since the epoch)."""

    id: str
    session: str
    url: str
    body: str
    tries: int = 0
    due: float = 0.0


class WebhookQueue:
    """The messages of a data folder; safe for threads and for several processes.

    The first message creates the file. Every method raises StoreError.
    """

    def __init__(self, data: Path) -> None:
        self._path = data / FILE

    def add(self, session: str, urls: Iterable[str], body: str, now: float) -> None:
        """Add a message to each address, due now."""
        rows = [(f"msg_{secrets.token_hex(12)}", session, url, body, 0, now) for url in urls]
        with self._transaction() as db:
            db.executemany("INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?)", rows)

    def claim(self, now: float, until: float) -> WebhookMessage | None:
        """A message that is due; nobody else is given it before `until`. None if none is due."""
        if not self._path.exists():
            return None
        query = "SELECT * FROM messages WHERE due <= ? ORDER BY due LIMIT 1"
        with self._transaction() as db:
            row = db.execute(query, (now,)).fetchone()
            if row is None:
                return None
            db.execute("UPDATE messages SET due = ? WHERE id = ?", (until, row[0]))
        return WebhookMessage(**dict(zip(WebhookMessage.model_fields, row, strict=True)))

    def put_off(self, id: str, due: float) -> None:
        """A try was in vain; the next one is due then."""
        with self._transaction() as db:
            db.execute("UPDATE messages SET due = ?, tries = tries + 1 WHERE id = ?", (due, id))

    def remove(self, id: str) -> None:
        """A message was taken, or is given up."""
        with self._transaction() as db:
            db.execute("DELETE FROM messages WHERE id = ?", (id,))

    def forget_session(self, session: str) -> None:
        """Remove what waits of a session that is deleted."""
        if self._path.exists():
            with self._transaction() as db:
                db.execute("DELETE FROM messages WHERE session = ?", (session,))

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with (
            translate_errors(self._path),
            closing(open_tables(self._path, "webhooks")) as db,
            write_transaction(db),
        ):
            yield db
