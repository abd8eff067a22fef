"""Sessions and their events, in tables that any SQL database holds."""

import json
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import JsonValue
from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from forager.adapters.store.database import (
    APPROVAL_REQUESTS,
    BEGUN_ACTIONS,
    EVENTS,
    PAID,
    REMEMBERED,
    REPLIES,
    SESSIONS,
    STEERS,
    TURNS,
    Database,
    copy_rows,
)
from forager.adapters.store.sessions.approval_rows import ApprovalRows
from forager.adapters.store.sessions.chronicle import Chronicle
from forager.adapters.store.sessions.learned_sessions import (
    NEVER_LEARN,
    LearnedSessions,
    mark_session,
)
from forager.adapters.store.sessions.session_lines import SessionLines
from forager.adapters.store.sessions.session_records import Event, Session, session_of, thread_of
from forager.adapters.store.sessions.session_transfer import read_chronicle, write_chronicle
from forager.domain.spend import Spend
from forager.domain.state import Question, Turn
from forager.errors import NoSessionError, SessionError
from forager.util.sqlite import PATIENCE
from forager.util.suggest import did_you_mean


class WaitingSteer(NamedTuple):
    """A change as JSON; `laid` when the question has it and only a survey is due."""

    seq: int
    body: str
    laid: bool


class Steers:
    """The changes of all sessions, by thread; safe for threads and for several processes."""

    def __init__(self, file: Database) -> None:
        self._file = file

    def add_steer(self, thread: str, body: str, *, laid: bool = False) -> None:
        """Let a change wait."""
        last = select(func.coalesce(func.max(STEERS.c.seq), 0)).where(STEERS.c.session == thread)
        seq = last.scalar_subquery() + 1
        with self._file.transaction() as db:
            db.execute(insert(STEERS).values(session=thread, seq=seq, body=body, laid=laid))

    def list_waiting(self, thread: str) -> tuple[WaitingSteer, ...]:
        """What waits, in the order in which it came."""
        wanted = select(STEERS).where(STEERS.c.session == thread).order_by(STEERS.c.seq)
        with self._file.transaction() as db:
            rows = db.execute(wanted).mappings()
            return tuple(WaitingSteer(row["seq"], row["body"], row["laid"]) for row in rows)

    def mark_applied(self, thread: str, seq: int) -> None:
        """The question has the change now."""
        with self._file.transaction() as db:
            db.execute(update(STEERS).where(_is_steer(thread, seq)).values(laid=True))

    def mark_done(self, thread: str, seq: int) -> None:
        """Nothing more is to be done about it."""
        with self._file.transaction() as db:
            db.execute(delete(STEERS).where(_is_steer(thread, seq)))

    def drop_waiting(self, thread: str) -> None:
        """The run is at its end: nothing waits any more."""
        with self._file.transaction() as db:
            db.execute(delete(STEERS).where(STEERS.c.session == thread))


def _is_steer(thread: str, seq: int) -> ColumnElement[bool]:
    return (STEERS.c.session == thread) & (STEERS.c.seq == seq)


__all__ = ["PROGRESS", "Event", "Session", "SessionStore", "thread_of"]

PROGRESS = "progress"
"""The kind of an event that says how far a node has come."""


class SessionStore:
    """Sessions and events; safe for threads, and for processes that hold the session's lease."""

    def __init__(self, path: Path, patience: float = PATIENCE) -> None:
        """`patience` is how long a locked file is waited for, in seconds. Raises StoreError."""
        self._appending = threading.Lock()
        self._paying = threading.Lock()
        self._file = Database(path, patience)
        self.lines = SessionLines(self._file)
        self.approvals = ApprovalRows(self._file)
        self.steers = Steers(self._file)
        self.remembered = LearnedSessions(self._file)

    def create(self, session: Session) -> Session:
        """Add a session. Raises SessionError when its id is taken."""
        now = time.time()
        session = session.model_copy(update={"created": now, "changed": now})
        with self._insert_guard(session.id) as db:
            db.execute(insert(SESSIONS), _session_values(session))
        return session

    def read_chronicle(self, id: str) -> Chronicle:
        """All that stands of a session besides its row. Raises SessionError."""
        return read_chronicle(self._file, id, self.get(id).turn)

    def import_session(self, session: Session, told: Chronicle, user: str) -> None:
        """Add a user's session from elsewhere, whole or not at all; no memory learns from it.

        Raises SessionError when its id is taken.
        """
        with self._insert_guard(session.id) as db:
            db.execute(insert(SESSIONS), _session_values(session))
            write_chronicle(db, session.id, told)
            mark_session(db, session.id, NEVER_LEARN, user)

    @contextmanager
    def _insert_guard(self, id: str) -> Iterator[Connection]:
        try:
            with self._file.transaction() as db:
                yield db
        except IntegrityError as error:
            raise SessionError(
                f"There is a session {id!r} already.", "Resume it, or take another id."
            ) from error

    def get(self, id: str) -> Session:
        """Raises SessionError when there is none."""
        with self._file.transaction() as db:
            row = db.execute(select(SESSIONS).where(SESSIONS.c.id == id)).mappings().first()
            if row is not None:
                return _read_session(dict(row), _finished_turns(db))
            known = db.execute(select(SESSIONS.c.id)).scalars().all()
        hint = did_you_mean(id, known) or "There are no sessions yet; ask a question first."
        raise NoSessionError(f"There is no session {id!r}.", hint)

    def list(self) -> tuple[Session, ...]:
        """All sessions, newest first."""
        with self._file.transaction() as db:
            rows = db.execute(select(SESSIONS).order_by(SESSIONS.c.created.desc())).mappings()
            over = _finished_turns(db)
            return tuple(_read_session(dict(row), over) for row in rows)

    def list_turns(self, id: str) -> tuple[Turn, ...]:
        """The turns of a session that are over, in their order."""
        wanted = select(TURNS.c.body).where(TURNS.c.session == id).order_by(TURNS.c.number)
        with self._file.transaction() as db:
            return tuple(
                Turn.model_validate_json(body) for body in db.execute(wanted).scalars().all()
            )

    def begin_turn(self, id: str, over: Turn, question: Question) -> None:
        """Keep a turn that is over, and begin the next one with its question; all or nothing."""
        row = {"session": id, "number": over.number, "body": over.model_dump_json()}
        begun = {
            "question": question.model_dump_json(),
            "status": "unfinished",
            "changed": time.time(),
            **dict.fromkeys(("error", "mend", "asked", "answer"), ""),
        }
        with self._file.transaction() as db:
            db.execute(insert(TURNS), row)
            db.execute(update(SESSIONS).where(SESSIONS.c.id == id).values(begun))

    def set_columns(self, id: str, **columns: str | int) -> None:
        """Set some columns of a session."""
        with self._file.transaction() as db:
            columns_now = {**columns, "changed": time.time()}
            db.execute(update(SESSIONS).where(SESSIONS.c.id == id).values(columns_now))

    def set_summary(self, id: str, answer: str, pages: int, spend: Spend) -> None:
        """Keep in the row what a list tells of a session, as far as it has come."""
        told = Spend.model_validate(spend.model_dump(include=set(Spend.model_fields)))
        columns = {"answer": answer, "pages": pages, "spend": told.model_dump_json()}
        with self._file.transaction() as db:
            db.execute(update(SESSIONS).where(SESSIONS.c.id == id).values(columns))

    def rename(self, id: str, title: str) -> None:
        """Call a session so."""
        with self._file.transaction() as db:
            db.execute(update(SESSIONS).where(SESSIONS.c.id == id).values(title=title))

    def set_request(self, id: str, before: str, after: str) -> bool:
        """Change what is wanted of a run, if it still is what it was before."""
        own = (SESSIONS.c.id == id) & (SESSIONS.c.asked == before)
        with self._file.transaction() as db:
            return bool(db.execute(update(SESSIONS).where(own).values(asked=after)).rowcount)

    def get_request(self, id: str) -> str:
        """What is wanted of the run of a thread: nothing, `stop`, `pause` or `steer`."""
        wanted = select(SESSIONS.c.asked).where(SESSIONS.c.id == session_of(id))
        with self._file.transaction() as db:
            return str(db.execute(wanted).scalar())

    def append_event(
        self, id: str, node: str, kind: str, message: str, data: dict[str, JsonValue]
    ) -> Event:
        """Add an event at the end of a session's; of a node's progress only the last is kept."""
        last = select(func.coalesce(func.max(EVENTS.c.seq), 0)).where(EVENTS.c.session == id)
        with self._appending, self._file.transaction() as db:
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
            if kind == PROGRESS:
                before = (EVENTS.c.session == id) & (EVENTS.c.node == node)
                db.execute(delete(EVENTS).where(before & (EVENTS.c.kind == PROGRESS)))
            db.execute(insert(EVENTS), row)
        return found

    def list_events(self, id: str, after: int = 0) -> tuple[Event, ...]:
        """The events of a session behind number `after`."""
        wanted = select(EVENTS).where(EVENTS.c.session == id, EVENTS.c.seq > after)
        with self._file.transaction() as db:
            rows = db.execute(wanted.order_by(EVENTS.c.seq)).mappings()
            return tuple(
                Event.model_validate({**row, "data": json.loads(row["data"])}) for row in rows
            )

    def copy_history(  # noqa: PLR0913
        self, source: str, target: str, *, turn: int, until: float, replies: bool, paid: Spend
    ) -> None:
        """Copy what a session was told, and was told by, up to a time in one of its turns.

        `replies` of models come along where the same are asked on; `paid` is what the turn cost.
        """
        with self._file.transaction() as db:
            copy_rows(db, EVENTS, source, target, EVENTS.c.time <= until)
            copy_rows(db, TURNS, source, target, TURNS.c.number < turn)
            if replies:
                copy_rows(db, REPLIES, source, target)
            for number in range(1, turn + 1):
                old, new = thread_of(source, number), thread_of(target, number)
                copy_rows(
                    db,
                    APPROVAL_REQUESTS,
                    old,
                    new,
                    APPROVAL_REQUESTS.c.answer.is_not(None),
                    APPROVAL_REQUESTS.c.time <= until,
                )
                copy_rows(db, BEGUN_ACTIONS, old, new)
                if number < turn:
                    copy_rows(db, PAID, old, new)
            row = {"session": thread_of(target, turn), "spend": paid.model_dump_json()}
            db.execute(insert(PAID), row)

    def delete(self, id: str) -> None:
        """Forget a session, its turns and its events."""
        threads = [thread_of(id, number) for number in range(1, self.get(id).turn + 1)]
        with self._file.transaction() as db:
            for table in (EVENTS, REPLIES, TURNS, REMEMBERED):
                db.execute(delete(table).where(table.c.session == id))
            for table in (PAID, APPROVAL_REQUESTS, STEERS, BEGUN_ACTIONS):
                db.execute(delete(table).where(table.c.session.in_(threads)))
            db.execute(delete(SESSIONS).where(SESSIONS.c.id == id))

    def kept_reply(self, id: str, task: str) -> str | None:
        """The model's reply to a task, by the task's digest, if its session asked it before."""
        own = (REPLIES.c.session == session_of(id)) & (REPLIES.c.task == task)
        wanted = select(REPLIES.c.reply).where(own)
        with self._file.transaction() as db:
            return db.execute(wanted).scalar()

    def kept_prompt(self, id: str, task: str) -> bytes:
        """What a model was sent for a task, as it was kept beside the reply; empty if nothing."""
        own = (REPLIES.c.session == session_of(id)) & (REPLIES.c.task == task)
        with self._file.transaction() as db:
            return db.execute(select(REPLIES.c.sent).where(own)).scalar() or b""

    def keep_reply(self, id: str, task: str, reply: str, sent: bytes = b"") -> None:
        """Keep a model's reply, so that it is not asked again; the first one stays."""
        row = {"session": session_of(id), "task": task, "reply": reply, "sent": sent}
        with suppress(IntegrityError), self._file.transaction() as db:
            db.execute(insert(REPLIES), row)

    def paid_spend(self, id: str) -> Spend:
        """What the models of a thread have cost, whether a node lived to tell of it or not."""
        wanted = select(PAID.c.spend).where(PAID.c.session == id)
        with self._file.transaction() as db:
            kept = db.execute(wanted).scalar()
        return Spend.model_validate_json(kept) if kept else Spend()

    def add_spend(self, id: str, spend: Spend) -> None:
        """Add to what the models of a thread have cost."""
        with self._paying:
            total = (self.paid_spend(id) + spend).model_dump_json()
            with self._file.transaction() as db:
                db.execute(delete(PAID).where(PAID.c.session == id))
                db.execute(insert(PAID), {"session": id, "spend": total})

    def close(self) -> None:
        """Release the file."""
        self._file.close()


def _session_values(session: Session) -> dict[str, Any]:
    return {
        **session.model_dump(exclude={"turn"}),
        "question": session.question.model_dump_json(),
        "spend": session.spend.model_dump_json(),
    }


def _read_session(row: dict[str, Any], over: Mapping[str, int]) -> Session:
    read = {name: json.loads(row[name] or "{}") for name in ("question", "spend")}
    turn = over.get(row["id"], 0) + 1
    return Session.model_validate({**row, **read, "turn": turn})


def _finished_turns(db: Connection) -> dict[str, int]:
    """How many turns are over, of the sessions that have more than one."""
    wanted = select(TURNS.c.session, func.count()).group_by(TURNS.c.session)
    return {row[0]: row[1] for row in db.execute(wanted)}
