"""Which sessions each memory has learned from, up to which event, and what was forgotten."""

import json
from collections.abc import Iterable
from shlex import quote

from sqlalchemy import Connection, delete, func, insert, or_, select

from forager.adapters.store.database import Database, JsonPart, insert_or_skip
from forager.adapters.store.sessions.session_tables import EVENTS, FORGOTTEN, REMEMBERED, SESSIONS
from forager.errors import SessionError
from forager.util.batches import batched

DEFAULT_USER = "default"
"""The default of the setting `user`, and the owner of sessions that nobody has claimed."""
NO_MEMORY = "-"
"""In place of a memory's identity: no memory has learned from the session so far."""
NEVER_LEARN = ""
"""In place of a memory's identity: no memory may learn from the session."""
BATCH_SIZE = 500


class LearnedSessions:
    """Safe for threads and for several processes. Every method raises StoreError."""

    def __init__(self, file: Database) -> None:
        self._file = file

    def learned_by(self, session: str) -> str | None:
        """The identity of the memory that learned from a session; None if it has no row."""
        query = select(REMEMBERED.c.place).where(REMEMBERED.c.session == session)
        with self._file.transaction() as db:
            return db.execute(query).scalar()

    def refuse_other(self, session: str, user: str) -> None:
        """Raise SessionError for the session of another user."""
        owner = func.coalesce(REMEMBERED.c.user, DEFAULT_USER)
        joined = SESSIONS.outerjoin(REMEMBERED, REMEMBERED.c.session == SESSIONS.c.id)
        query = select(owner).select_from(joined).where(SESSIONS.c.id == session)
        with self._file.transaction() as db:
            found = db.execute(query).scalar()
        if found not in (None, user):
            raise SessionError(
                f"Session {session!r} belongs to the user {found!r}, and you are {user!r}.",
                f"Start your own session, or continue as its user: FORAGER_USER={quote(found)}",
            )

    def claim_session(self, session: str, user: str) -> None:
        """Set the owner: nobody else continues the session, no other memory learns from it."""
        known = select(REMEMBERED.c.session).where(REMEMBERED.c.session == session)
        with self._file.transaction() as db:
            if db.execute(known).first() is None:
                claim_row(db, session, user)

    def mark_learned(self, session: str, place: str, user: str = DEFAULT_USER) -> None:
        """Record that a memory has learned from all events of a session; the owner stays."""
        with self._file.transaction() as db:
            mark_session(db, session, place, user)

    def list_uses(self) -> dict[str, tuple[str, ...]]:
        """The sessions that recalled an item, by the item's ID, newest first."""
        recalled = JsonPart(EVENTS.c.data, "recalled")
        best = JsonPart(EVENTS.c.data, "best", "id")
        query = (
            select(EVENTS.c.session, recalled, best)
            .where(EVENTS.c.data.like('%"best": {%'), best.is_not(None))
            .order_by(EVENTS.c.time.desc())
        )
        found: dict[str, dict[str, None]] = {}
        with self._file.transaction() as db:
            rows = db.execute(query).all()
        for session, ids, first in rows:
            for id in json.loads(ids) if ids else [first]:
                found.setdefault(str(id), {})[session] = None
        return {id: tuple(sessions) for id, sessions in found.items()}

    def due_sessions(self, place: str, user: str = DEFAULT_USER) -> tuple[str, ...]:
        """The user's sessions with events that this memory has not learned from, newest first."""
        last = select(EVENTS.c.session, func.max(EVENTS.c.seq).label("seq"))
        ends = last.group_by(EVENTS.c.session).subquery()
        behind = or_(
            REMEMBERED.c.session.is_(None),
            (REMEMBERED.c.place != NEVER_LEARN)
            & ((REMEMBERED.c.place != place) | (REMEMBERED.c.seq < ends.c.seq)),
        )
        query = (
            select(SESSIONS.c.id)
            .join(ends, ends.c.session == SESSIONS.c.id)
            .outerjoin(REMEMBERED, REMEMBERED.c.session == SESSIONS.c.id)
            .where(behind, func.coalesce(REMEMBERED.c.user, DEFAULT_USER) == user)
            .order_by(SESSIONS.c.created.desc())
        )
        with self._file.transaction() as db:
            return tuple(db.execute(query).scalars())

    def never_learn(self, sessions: Iterable[str] | None = None, user: str = DEFAULT_USER) -> None:
        """Exclude sessions (by default all of the user) from learning."""
        claimed = func.coalesce(REMEMBERED.c.user, DEFAULT_USER) == user
        all = select(SESSIONS.c.id).outerjoin(REMEMBERED, REMEMBERED.c.session == SESSIONS.c.id)
        with self._file.transaction() as db:
            known = db.execute(all.where(claimed)).scalars().all()
        for id in known if sessions is None else set(sessions).intersection(known):
            self.mark_learned(id, NEVER_LEARN, user)

    def forget_items(self, ids: Iterable[str]) -> None:
        """Keep episodes and snippets from returning when the memory is rebuilt."""
        with self._file.transaction() as db:
            for id in ids:
                db.execute(insert_or_skip(db, FORGOTTEN), {"id": id})

    def find_forgotten(self, ids: Iterable[str]) -> frozenset[str]:
        """Those of the ids that were forgotten."""
        wanted, found = list(ids), set[str]()
        with self._file.transaction() as db:
            for some in batched(wanted, BATCH_SIZE):
                query = select(FORGOTTEN.c.id).where(FORGOTTEN.c.id.in_(some))
                found.update(db.execute(query).scalars())
        return frozenset(found)


def claim_row(db: Connection, session: str, user: str) -> None:
    """Set the owner of a session that has none."""
    row = {"session": session, "seq": -1, "place": NO_MEMORY, "user": user}
    db.execute(insert(REMEMBERED), row)


def mark_session(db: Connection, session: str, place: str, user: str) -> None:
    """Record that a memory has learned from all events of a session; the owner stays."""
    owner = select(REMEMBERED.c.user).where(REMEMBERED.c.session == session)
    last = select(func.coalesce(func.max(EVENTS.c.seq), 0)).where(EVENTS.c.session == session)
    user = db.execute(owner).scalar() or user
    db.execute(delete(REMEMBERED).where(REMEMBERED.c.session == session))
    seq = db.execute(last).scalar_one()
    row = {"session": session, "seq": seq, "place": place, "user": user}
    db.execute(insert(REMEMBERED), row)
