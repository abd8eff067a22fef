"""Sessions and their events, in tables that any SQL database holds."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from pydantic import JsonValue
from sqlalchemy import (
    Column,
    Connection,
    Engine,
    Float,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    create_engine,
    delete,
    event,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.exc import DBAPIError, IntegrityError

from forager.errors import SessionError, StoreError
from forager.nearest import did_you_mean
from forager.state import Frozen, Question
from forager.store.faults import store_error

TABLES = MetaData()
SESSIONS = Table(
    "sessions",
    TABLES,
    Column("id", String(64), primary_key=True),
    Column("created", Float, nullable=False),
    Column("changed", Float, nullable=False),
    Column("question", Text, nullable=False),
    Column("graph", String(200), nullable=False),
    Column("graph_hash", String(64), nullable=False),
    Column("graph_body", Text, nullable=False),
    Column("model", String(200), nullable=False),
    Column("status", String(20), nullable=False),
    Column("error", Text, nullable=False),
    Column("mend", Text, nullable=False),
    Column("asked", String(20), nullable=False),
)
EVENTS = Table(
    "events",
    TABLES,
    Column("session", ForeignKey("sessions.id"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("time", Float, nullable=False),
    Column("node", String(200), nullable=False),
    Column("kind", String(20), nullable=False),
    Column("message", Text, nullable=False),
    Column("data", Text, nullable=False),
)


class Session(Frozen):
    """A session as kept. `created` and `changed` are seconds since the epoch.

    `status` is `unfinished` or the report's; `asked` is what another process wants of the run.
    """

    id: str
    created: float = 0.0
    changed: float = 0.0
    question: Question
    graph: str
    graph_hash: str
    graph_body: str
    model: str
    status: Literal["unfinished", "answered", "partial", "abstained", "failed"] = "unfinished"
    error: str = ""
    mend: str = ""
    asked: str = ""


class Event(Frozen):
    """What a node did: `seq` counts from 1 in a session, `time` is seconds since the epoch."""

    session: str
    seq: int
    time: float
    node: str
    kind: str
    message: str
    data: dict[str, JsonValue]


class SessionStore:
    """Sessions and events; safe for threads, and for processes that hold the session's lease."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._appending = threading.Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise store_error(error, path) from error
        self._engine = _engine(path)
        with self._transaction() as db:
            TABLES.create_all(db)

    def create(self, session: Session) -> Session:
        """Add a session. Raises SessionError when its id is taken."""
        now = time.time()
        session = session.model_copy(update={"created": now, "changed": now})
        row = {**session.model_dump(), "question": session.question.model_dump_json()}
        try:
            with self._transaction() as db:
                db.execute(insert(SESSIONS), row)
        except IntegrityError as error:
            raise SessionError(
                f"There is a session {session.id!r} already.", "Resume it, or take another id."
            ) from error
        return session

    def get(self, id: str) -> Session:
        """Raises SessionError when there is none."""
        with self._transaction() as db:
            row = db.execute(select(SESSIONS).where(SESSIONS.c.id == id)).mappings().first()
            if row is not None:
                return _session(dict(row))
            known = db.execute(select(SESSIONS.c.id)).scalars().all()
        hint = did_you_mean(id, known) or "There are no sessions yet; ask a question first."
        raise SessionError(f"There is no session {id!r}.", hint)

    def list(self) -> tuple[Session, ...]:
        """All sessions, newest first."""
        with self._transaction() as db:
            rows = db.execute(select(SESSIONS).order_by(SESSIONS.c.created.desc())).mappings()
            return tuple(_session(dict(row)) for row in rows)

    def change(self, id: str, **columns: str) -> None:
        """Set some columns of a session."""
        with self._transaction() as db:
            columns_now = {**columns, "changed": time.time()}
            db.execute(update(SESSIONS).where(SESSIONS.c.id == id).values(columns_now))

    def asked(self, id: str) -> str:
        """What another process wants of the run: nothing, `stop` or `pause`."""
        with self._transaction() as db:
            return str(db.execute(select(SESSIONS.c.asked).where(SESSIONS.c.id == id)).scalar())

    def append(
        self, id: str, node: str, kind: str, message: str, data: dict[str, JsonValue]
    ) -> Event:
        """Add an event at the end of a session's."""
        last = select(func.coalesce(func.max(EVENTS.c.seq), 0)).where(EVENTS.c.session == id)
        with self._appending, self._transaction() as db:
            found = Event(
                session=id,
                seq=db.execute(last).scalar_one() + 1,
                time=time.time(),
                node=node,
                kind=kind,
                message=message,
                data=data,
            )
            row = {**found.model_dump(), "data": json.dumps(data, ensure_ascii=False)}
            db.execute(insert(EVENTS), row)
        return found

    def events(self, id: str, after: int = 0) -> tuple[Event, ...]:
        """The events of a session behind number `after`."""
        wanted = select(EVENTS).where(EVENTS.c.session == id, EVENTS.c.seq > after)
        with self._transaction() as db:
            rows = db.execute(wanted.order_by(EVENTS.c.seq)).mappings()
            return tuple(
                Event.model_validate({**row, "data": json.loads(row["data"])}) for row in rows
            )

    def delete(self, id: str) -> None:
        """Forget a session and its events."""
        with self._transaction() as db:
            db.execute(delete(EVENTS).where(EVENTS.c.session == id))
            db.execute(delete(SESSIONS).where(SESSIONS.c.id == id))

    def close(self) -> None:
        """Release the file."""
        self._engine.dispose()

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        try:
            with self._engine.begin() as db:
                yield db
        except IntegrityError:
            raise
        except DBAPIError as error:
            raise self._fault(error) from error

    def _fault(self, error: DBAPIError) -> StoreError:
        return store_error(error.orig if isinstance(error.orig, Exception) else error, self.path)


def _session(row: dict[str, Any]) -> Session:
    return Session.model_validate({**row, "question": json.loads(row["question"])})


def _engine(path: Path) -> Engine:
    engine = create_engine(f"sqlite:///{path}", connect_args={"timeout": 30})

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, record: object) -> None:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")

    return engine
