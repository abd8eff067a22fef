"""Sessions and their events, in SQL tables."""

import builtins
import json
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple, NoReturn, cast

from pydantic import JsonValue
from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from forager.adapters.store.database import Database, insert_or_skip, tried_again
from forager.adapters.store.sessions.approval_rows import ApprovalRows
from forager.adapters.store.sessions.chronicle import Chronicle
from forager.adapters.store.sessions.fork_rows import ForkBegin, ForkedPast, write_fork
from forager.adapters.store.sessions.learned_sessions import (
    NEVER_LEARN,
    LearnedSessions,
    claim_row,
    mark_session,
)
from forager.adapters.store.sessions.session_lines import SessionLine, SessionLines
from forager.adapters.store.sessions.session_records import (
    END,
    PAUSE,
    TAG_MARK,
    UNDER_WAY,
    UNFINISHED,
    Event,
    Session,
    SessionStatus,
    refuse_damaged,
    session_of,
    thread_of,
)
from forager.adapters.store.sessions.session_tables import (
    APPROVAL_REQUESTS,
    BEGUN_ACTIONS,
    EVENTS,
    PAID,
    REMEMBERED,
    REPLIES,
    SESSIONS,
    SHARES,
    STEERS,
    TURNS,
)
from forager.adapters.store.sessions.session_transfer import read_chronicle, write_chronicle
from forager.domain.spend import Spend
from forager.domain.state import Question, Turn
from forager.errors import DamagedError, NoSessionError, SessionError
from forager.util.place import Place
from forager.util.sqlite import PATIENCE
from forager.util.suggest import did_you_mean


class WaitingSteer(NamedTuple):
    """A steer as JSON; `laid` if the question has it already and only a survey is due."""

    seq: int
    body: str
    laid: bool


class Steers:
    """The steers of all sessions, by thread; safe for threads and for several processes."""

    def __init__(self, file: Database) -> None:
        self._file = file

    def add_steer(self, thread: str, body: str, *, laid: bool = False) -> None:
        """Add a waiting steer."""
        last = select(func.coalesce(func.max(STEERS.c.seq), 0)).where(STEERS.c.session == thread)
        seq = last.scalar_subquery() + 1
        with self._file.transaction(alone=f"steers {thread}") as db:
            db.execute(insert(STEERS).values(session=thread, seq=seq, body=body, laid=laid))

    @tried_again
    def list_waiting(self, thread: str) -> tuple[WaitingSteer, ...]:
        """The waiting steers, oldest first."""
        query = select(STEERS).where(STEERS.c.session == thread).order_by(STEERS.c.seq)
        with self._file.transaction() as db:
            rows = db.execute(query).mappings()
            return tuple(WaitingSteer(row["seq"], row["body"], row["laid"]) for row in rows)

    @tried_again
    def mark_applied(self, thread: str, seq: int) -> None:
        """Record that the question has the steer now."""
        with self._file.transaction() as db:
            db.execute(update(STEERS).where(_is_steer(thread, seq)).values(laid=True))

    @tried_again
    def mark_done(self, thread: str, seq: int) -> None:
        """Delete a steer that is applied in full."""
        with self._file.transaction() as db:
            db.execute(delete(STEERS).where(_is_steer(thread, seq)))

    @tried_again
    def drop_waiting(self, thread: str) -> None:
        """Delete all waiting steers, because the run has ended."""
        with self._file.transaction() as db:
            db.execute(delete(STEERS).where(STEERS.c.session == thread))


TOKEN_BYTES = 32


class SharedSessions:
    """Which sessions can be read through a link, and the token of each link."""

    def __init__(self, file: Database) -> None:
        self._file = file

    def token_of(self, session: str) -> str:
        """The token of a session's link; empty if it has none."""
        query = select(SHARES.c.token).where(SHARES.c.session == session)
        with self._file.transaction() as db:
            return db.execute(query).scalar() or ""

    def share(self, session: str) -> str:
        """Give a session a link, unless it has one; the link's token."""
        row = {"session": session, "token": secrets.token_urlsafe(TOKEN_BYTES)}
        with self._file.transaction() as db:
            db.execute(insert_or_skip(db, SHARES), row)
        return self.token_of(session)

    def end(self, session: str) -> None:
        """End a session's link; its token is worth nothing from now on."""
        with self._file.transaction() as db:
            db.execute(delete(SHARES).where(SHARES.c.session == session))

    def session_of(self, token: str) -> str | None:
        """The session that a token opens; None for an unknown one."""
        query = select(SHARES.c.session).where(SHARES.c.token == token)
        with self._file.transaction() as db:
            return db.execute(query).scalar()


def _is_steer(thread: str, seq: int) -> ColumnElement[bool]:
    return (STEERS.c.session == thread) & (STEERS.c.seq == seq)


__all__ = ["PROGRESS", "Event", "Session", "SessionStore", "thread_of"]

IsRunning = Callable[[str], bool]
"""Whether the session with this ID runs now."""
PROGRESS = "progress"
"""The kind of an event that says how far a node has come."""


class SessionStore:
    """Sessions and events; safe for threads, and for processes that hold the session's lease."""

    def __init__(self, place: Place, patience: float = PATIENCE) -> None:
        """`patience`: seconds to wait for a locked file. Raises StoreError."""
        self._appending = threading.Lock()
        self._paying = threading.Lock()
        self._file = Database(place, "sessions", patience, pooled=True)
        self._file.prepare()
        self.lines = SessionLines(self._file)
        self.approvals = ApprovalRows(self._file)
        self.steers = Steers(self._file)
        self.remembered = LearnedSessions(self._file)
        self.shared = SharedSessions(self._file)

    def create(self, session: Session) -> Session:
        """Add a session. Raises SessionError if its id is taken."""
        now = time.time()
        session = session.model_copy(update={"created": now, "changed": now})
        with self._insert_guard(session.id) as db:
            db.execute(insert(SESSIONS), _session_values(session))
        return session

    def current_status(
        self, session: Session | SessionLine, is_running: IsRunning
    ) -> SessionStatus:
        """The status as stored; of an unfinished session, whether it runs, waits or was left."""
        if session.status not in UNDER_WAY:
            return cast(SessionStatus, session.status)
        if is_running(session.id):
            with suppress(DamagedError):
                return "waiting" if self.approvals.list_waiting(session.thread) else "running"
            return "running"
        with suppress(NoSessionError, DamagedError):
            left = self.get(session.id)  # it may have ended since it was read
            if left.status != UNFINISHED:
                return left.status
            return "paused" if left.asked == PAUSE else "interrupted"
        return "interrupted"

    def read_chronicle(self, id: str) -> Chronicle:
        """Everything stored of a session besides its row and checkpoints. Raises SessionError."""
        return read_chronicle(self._file, id, self.get(id).turn)

    def import_session(self, session: Session, chronicle: Chronicle, user: str) -> None:
        """Add an imported session of a user in one transaction; no memory learns from it.

        Raises SessionError if its id is taken.
        """
        with self._insert_guard(session.id) as db:
            db.execute(insert(SESSIONS), _session_values(session))
            write_chronicle(db, session.id, chronicle)
            mark_session(db, session.id, NEVER_LEARN, user)

    def refuse_taken(self, id: str) -> None:
        """Raise SessionError if there is a session with this id."""
        with self._file.transaction() as db:
            if db.execute(select(SESSIONS.c.id).where(SESSIONS.c.id == id)).first():
                raise _taken(id)

    def add_fork(self, session: Session, past: ForkedPast, begun: ForkBegin, user: str) -> None:
        """Add a fork of a user with all its rows, in one transaction.

        Raises SessionError if its id is taken.
        """
        now = time.time()
        session = session.model_copy(update={"created": now, "changed": now})
        with self._insert_guard(session.id) as db:
            db.execute(insert(SESSIONS), _session_values(session))
            write_fork(db, session.id, past, begun, now)
            claim_row(db, session.id, user)

    @contextmanager
    def _insert_guard(self, id: str) -> Iterator[Connection]:
        try:
            with self._file.transaction() as db:
                yield db
        except IntegrityError as error:
            raise _taken(id) from error

    @tried_again
    def get(self, id: str) -> Session:
        """A session by its id. Raises NoSessionError if there is none, and DamagedError."""
        with self._file.transaction() as db:
            row = db.execute(select(SESSIONS).where(SESSIONS.c.id == id)).mappings().first()
            finished = _finished_turns(db, id)
        return _read_session(dict(row), finished) if row else self._refuse_unknown(id)

    def count_turns(self, id: str) -> int:
        """How many turns a session has, damaged or not. Raises NoSessionError if there is none."""
        with self._file.transaction() as db:
            found = db.execute(select(SESSIONS.c.id).where(SESSIONS.c.id == id)).first()
            finished = _finished_turns(db, id)
        return finished.get(id, 0) + 1 if found else self._refuse_unknown(id)

    def _refuse_unknown(self, id: str) -> NoReturn:
        with self._file.transaction() as db:
            known = db.execute(select(SESSIONS.c.id)).scalars().all()
        hint = did_you_mean(id, known) or "There are no sessions yet. Ask a question first."
        raise NoSessionError(f"There is no session {id!r}.", hint)

    def list(self) -> tuple[Session, ...]:
        """All sessions that can be read, newest first."""
        with self._file.transaction() as db:
            rows = db.execute(select(SESSIONS).order_by(SESSIONS.c.created.desc())).mappings().all()
            finished = _finished_turns(db)
        found: builtins.list[Session] = []
        for row in rows:
            with suppress(DamagedError):
                found.append(_read_session(dict(row), finished))
        return tuple(found)

    @tried_again
    def list_turns(self, id: str) -> tuple[Turn, ...]:
        """The finished turns of a session, in order. Raises DamagedError."""
        query = select(TURNS.c.body).where(TURNS.c.session == id).order_by(TURNS.c.number)
        with refuse_damaged(id), self._file.transaction() as db:
            return tuple(
                Turn.model_validate_json(body) for body in db.execute(query).scalars().all()
            )

    @tried_again
    def begin_turn(self, id: str, finished: Turn, question: Question) -> None:
        """Store a finished turn and begin the next one with its question, in one transaction."""
        row = {"session": id, "number": finished.number, "body": finished.model_dump_json()}
        columns = {
            "question": question.model_dump_json(),
            "status": "unfinished",
            "changed": time.time(),
            "uncertain": False,
            **dict.fromkeys(("error", "mend", "asked", "answer", "doubt"), ""),
            **dict.fromkeys(("searched", "written_by"), ""),
        }
        with self._file.transaction() as db:
            db.execute(insert_or_skip(db, TURNS), row)
            db.execute(update(SESSIONS).where(SESSIONS.c.id == id).values(columns))

    @tried_again
    def set_columns(self, id: str, **columns: str | int) -> None:
        """Set columns of a session and the time of its last change."""
        with self._file.transaction() as db:
            columns_now = {**columns, "changed": time.time()}
            db.execute(update(SESSIONS).where(SESSIONS.c.id == id).values(columns_now))

    @tried_again
    def request_end(self, id: str, request: str) -> None:
        """Ask the run of a session to end; that it is to do so at once is not taken back."""
        asked = update(SESSIONS).where(SESSIONS.c.id == id, SESSIONS.c.asked != END)
        with self._file.transaction() as db:
            db.execute(asked.values(asked=request, changed=time.time()))

    @tried_again
    def set_summary(  # noqa: PLR0913
        self,
        id: str,
        answer: str,
        pages: int,
        spend: Spend,
        *,
        uncertain: bool = False,
        doubt: str = "",
        searched: str = "",
    ) -> None:
        """Store what lists show: the answer, how doubtful it is, pages, spend, and where from."""
        plain = Spend.model_validate(spend.model_dump(include=set(Spend.model_fields)))
        columns = {
            "answer": answer,
            "uncertain": uncertain,
            "doubt": doubt,
            "searched": searched,
            "pages": pages,
            "spend": plain.model_dump_json(),
        }
        with self._file.transaction() as db:
            db.execute(update(SESSIONS).where(SESSIONS.c.id == id).values(columns))

    def rename(self, id: str, title: str) -> None:
        """Set the title of a session."""
        with self._file.transaction() as db:
            db.execute(update(SESSIONS).where(SESSIONS.c.id == id).values(title=title))

    def set_pinned(self, id: str, *, pinned: bool) -> None:
        """Keep a session from clean-ups, or no longer. Raises NoSessionError."""
        own = SESSIONS.c.id == self.get(id).id
        with self._file.transaction() as db:
            db.execute(update(SESSIONS).where(own).values(pinned=pinned))

    def set_tags(self, id: str, tags: Sequence[str]) -> None:
        """Set the tags of a session."""
        with self._file.transaction() as db:
            own = SESSIONS.c.id == id
            db.execute(update(SESSIONS).where(own).values(tags=TAG_MARK.join(tags)))

    @tried_again
    def set_request(self, id: str, before: str, after: str) -> bool:
        """Change the request to a run from `before`; False if it was another one."""
        own = (SESSIONS.c.id == id) & (SESSIONS.c.asked == before)
        with self._file.transaction() as db:
            return bool(db.execute(update(SESSIONS).where(own).values(asked=after)).rowcount)

    @tried_again
    def get_request(self, id: str) -> str:
        """The request to the run of a thread: empty, `stop`, `end`, `pause` or `steer`."""
        query = select(SESSIONS.c.asked).where(SESSIONS.c.id == session_of(id))
        with self._file.transaction() as db:
            return str(db.execute(query).scalar())

    @tried_again
    def append_event(
        self, id: str, node: str, kind: str, message: str, data: dict[str, JsonValue]
    ) -> Event:
        """Append an event to a session's; a node's progress event replaces its previous one."""
        last = select(func.coalesce(func.max(EVENTS.c.seq), 0)).where(EVENTS.c.session == id)
        with self._appending, self._file.transaction(alone=f"events {id}") as db:
            new = Event(
                session=id,
                seq=db.execute(last).scalar_one() + 1,
                time=time.time(),
                node=node,
                kind=kind,
                message=message,
                data=data,
            )
            row = {**new.model_dump(), "data": json.dumps(data, ensure_ascii=False)}
            if kind == PROGRESS:
                before = (EVENTS.c.session == id) & (EVENTS.c.node == node)
                db.execute(delete(EVENTS).where(before & (EVENTS.c.kind == PROGRESS)))
            db.execute(insert(EVENTS), row)
        return new

    @tried_again
    def list_events(self, id: str, after: int = 0) -> tuple[Event, ...]:
        """The events of a session whose `seq` is greater than `after`, in order.

        Raises DamagedError.
        """
        query = select(EVENTS).where(EVENTS.c.session == id, EVENTS.c.seq > after)
        with refuse_damaged(id), self._file.transaction() as db:
            rows = db.execute(query.order_by(EVENTS.c.seq)).mappings()
            return tuple(
                Event.model_validate({**row, "data": json.loads(row["data"])}) for row in rows
            )

    def delete(self, id: str) -> None:
        """Delete a session with its turns, events and all else. Raises NoSessionError."""
        threads = [thread_of(id, number) for number in range(1, self.count_turns(id) + 1)]
        with self._file.transaction() as db:
            for table in (EVENTS, REPLIES, TURNS, REMEMBERED, SHARES):
                db.execute(delete(table).where(table.c.session == id))
            for table in (PAID, APPROVAL_REQUESTS, STEERS, BEGUN_ACTIONS):
                db.execute(delete(table).where(table.c.session.in_(threads)))
            db.execute(delete(SESSIONS).where(SESSIONS.c.id == id))

    @tried_again
    def kept_reply(self, id: str, task: str) -> str | None:
        """The stored reply to a task, by the task's digest; None if there is none."""
        own = (REPLIES.c.session == session_of(id)) & (REPLIES.c.task == task)
        query = select(REPLIES.c.reply).where(own)
        with self._file.transaction() as db:
            return db.execute(query).scalar()

    @tried_again
    def kept_prompt(self, id: str, task: str) -> bytes:
        """The packed exchanges that were stored with the reply to a task; empty if none."""
        own = (REPLIES.c.session == session_of(id)) & (REPLIES.c.task == task)
        with self._file.transaction() as db:
            return db.execute(select(REPLIES.c.sent).where(own)).scalar() or b""

    @tried_again
    def keep_reply(self, id: str, task: str, reply: str, sent: bytes = b"") -> None:
        """Store a model's reply, so that it is not asked again; an existing one stays."""
        row = {"session": session_of(id), "task": task, "reply": reply, "sent": sent}
        with suppress(IntegrityError), self._file.transaction() as db:
            db.execute(insert(REPLIES), row)

    @tried_again
    def paid_spend(self, id: str) -> Spend:
        """What the models of a thread have cost, and the work of nodes that did not finish."""
        query = select(PAID.c.spend).where(PAID.c.session == id)
        with self._file.transaction() as db:
            body = db.execute(query).scalar()
        with refuse_damaged(session_of(id)):
            return Spend.model_validate_json(body) if body else Spend()

    @tried_again
    def add_spend(self, id: str, spend: Spend) -> None:
        """Add to what `paid_spend` returns."""
        with self._paying:
            total = (self.paid_spend(id) + spend).model_dump_json()
            with self._file.transaction() as db:
                db.execute(delete(PAID).where(PAID.c.session == id))
                db.execute(insert(PAID), {"session": id, "spend": total})

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _taken(id: str) -> SessionError:
    return SessionError(f"There is already a session {id!r}.", "Resume it, or choose another id.")


def _session_values(session: Session) -> dict[str, Any]:
    return {
        **session.model_dump(exclude={"turn"}),
        "question": session.question.model_dump_json(),
        "spend": session.spend.model_dump_json(),
        "tags": TAG_MARK.join(session.tags),
    }


def _read_session(row: dict[str, Any], finished: Mapping[str, int]) -> Session:
    turn = finished.get(row["id"], 0) + 1
    with refuse_damaged(row["id"]):
        question = Question.model_validate_json(row["question"])
        spend = Spend.model_validate_json(row["spend"] or "{}")
        return Session.model_validate({**row, "question": question, "spend": spend, "turn": turn})


def _finished_turns(db: Connection, id: str = "") -> dict[str, int]:
    """The number of finished turns by session, or of one; sessions without any are left out."""
    query = select(TURNS.c.session, func.count()).group_by(TURNS.c.session)
    if id:
        query = query.where(TURNS.c.session == id)
    return {row[0]: row[1] for row in db.execute(query)}
