"""Messages to webhooks that were not taken yet."""

import secrets
from collections.abc import Iterable
from contextlib import AbstractContextManager

from sqlalchemy import (
    Column,
    Connection,
    Double,
    Integer,
    MetaData,
    Table,
    Text,
    delete,
    insert,
    select,
    update,
)

from forager.adapters.store.database import Database
from forager.domain.base import Frozen
from forager.util.place import Place

TABLES = MetaData()
MESSAGES = Table(
    "messages",
    TABLES,
    Column("id", Text, primary_key=True),
    *(Column(name, Text, nullable=False) for name in ("session", "url", "body")),
    Column("tries", Integer, nullable=False),
    Column("due", Double, nullable=False),
)


class WebhookMessage(Frozen):
    """A message: `tries` were made in vain, and the next is `due` (seconds since the epoch)."""

    id: str
    session: str
    url: str
    body: str
    tries: int = 0
    due: float = 0.0


class WebhookQueue:
    """The messages of an installation; safe for threads and for several processes.

    The first message creates the file. Every method raises StoreError.
    """

    def __init__(self, place: Place) -> None:
        self._tables = Database(place, "webhooks")

    def add(self, session: str, urls: Iterable[str], body: str, now: float) -> None:
        """Add a message to each address, due now."""
        rows = [
            WebhookMessage(
                id=f"msg_{secrets.token_hex(12)}", session=session, url=url, body=body, due=now
            ).model_dump()
            for url in urls
        ]
        with self._transaction() as db:
            db.execute(insert(MESSAGES), rows)

    def claim(self, now: float, until: float) -> WebhookMessage | None:
        """A message that is due; nobody else is given it before `until`. None if none is due."""
        if not self._tables.exists():
            return None
        query = select(MESSAGES).where(MESSAGES.c.due <= now).order_by(MESSAGES.c.due).limit(1)
        with self._transaction() as db:
            row = db.execute(query).first()
            if row is None:
                return None
            db.execute(update(MESSAGES).where(MESSAGES.c.id == row.id).values(due=until))
        return WebhookMessage(**row._asdict())

    def put_off(self, id: str, due: float) -> None:
        """A try was in vain; the next one is due then."""
        with self._transaction() as db:
            later = update(MESSAGES).where(MESSAGES.c.id == id)
            db.execute(later.values(due=due, tries=MESSAGES.c.tries + 1))

    def remove(self, id: str) -> None:
        """A message was taken, or is given up."""
        with self._transaction() as db:
            db.execute(delete(MESSAGES).where(MESSAGES.c.id == id))

    def forget_session(self, session: str) -> None:
        """Remove what waits of a session that is deleted."""
        if self._tables.exists():
            with self._transaction() as db:
                db.execute(delete(MESSAGES).where(MESSAGES.c.session == session))

    def _transaction(self) -> AbstractContextManager[Connection]:
        return self._tables.transaction(alone="queue")
