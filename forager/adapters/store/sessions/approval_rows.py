"""The approval requests of runs, and their answers, which any process may give."""

import time
from collections.abc import Mapping

from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from forager.adapters.store.database import Database, tried_again
from forager.adapters.store.sessions.session_records import refuse_damaged, session_of
from forager.adapters.store.sessions.session_tables import APPROVAL_REQUESTS, BEGUN_ACTIONS
from forager.domain.approvals import ApprovalRequest
from forager.domain.base import Frozen
from forager.errors import SessionError


class ApprovalRow(Frozen):
    """A request with its answer, None while it waits; `time` is in seconds since the epoch."""

    id: str
    time: float
    plea: ApprovalRequest
    answer: bool | None = None


class ApprovalRows:
    """The approval requests of all sessions; safe for threads and for several processes."""

    def __init__(self, file: Database) -> None:
        self._file = file

    @tried_again
    def add_requests(self, session: str, requests: Mapping[str, ApprovalRequest]) -> None:
        """Add waiting requests by id. An unchanged request keeps its answer."""
        with self._file.transaction() as db:
            for id, request in requests.items():
                own = (APPROVAL_REQUESTS.c.session == session) & (APPROVAL_REQUESTS.c.id == id)
                kept = db.execute(select(APPROVAL_REQUESTS.c.plea).where(own)).scalar()
                if (
                    kept
                    and ApprovalRequest.model_validate_json(kept).without_picture
                    == request.without_picture
                ):
                    continue
                db.execute(delete(APPROVAL_REQUESTS).where(own))
                row = {"session": session, "id": id, "time": time.time(), "answer": None}
                db.execute(insert(APPROVAL_REQUESTS), {**row, "plea": request.model_dump_json()})

    @tried_again
    def list_requests(self, session: str) -> tuple[ApprovalRow, ...]:
        """The requests of a session, oldest first. Raises DamagedError."""
        query = (
            select(APPROVAL_REQUESTS)
            .where(APPROVAL_REQUESTS.c.session == session)
            .order_by(APPROVAL_REQUESTS.c.time, APPROVAL_REQUESTS.c.id)
        )
        with refuse_damaged(session_of(session)), self._file.transaction() as db:
            return tuple(
                ApprovalRow(
                    id=row["id"],
                    time=row["time"],
                    plea=ApprovalRequest.model_validate_json(row["plea"]),
                    answer=row["answer"],
                )
                for row in db.execute(query).mappings()
            )

    def list_waiting(self, session: str) -> tuple[ApprovalRow, ...]:
        """The requests without an answer."""
        return tuple(row for row in self.list_requests(session) if row.answer is None)

    @tried_again
    def get_answer(self, session: str, id: str) -> bool | None:
        """The answer to a request; None while there is none."""
        query = select(APPROVAL_REQUESTS.c.answer).where(
            APPROVAL_REQUESTS.c.session == session, APPROVAL_REQUESTS.c.id == id
        )
        with self._file.transaction() as db:
            return db.execute(query).scalar()

    def set_answer(self, session: str, id: str, *, yes: bool) -> None:
        """Answer a request. Raises SessionError if it does not wait, or no longer waits."""
        own = (
            (APPROVAL_REQUESTS.c.session == session)
            & (APPROVAL_REQUESTS.c.id == id)
            & APPROVAL_REQUESTS.c.answer.is_(None)
        )
        with self._file.transaction() as db:
            changed = db.execute(update(APPROVAL_REQUESTS).where(own).values(answer=yes)).rowcount
        if not changed:
            raise SessionError(
                f"Session {session!r} does not wait for this approval, or no longer does."
            )

    @tried_again
    def delete_waiting(self, session: str) -> None:
        """Delete the requests without an answer; the run no longer waits for them."""
        with self._file.transaction() as db:
            db.execute(
                delete(APPROVAL_REQUESTS).where(
                    APPROVAL_REQUESTS.c.session == session, APPROVAL_REQUESTS.c.answer.is_(None)
                )
            )

    @tried_again
    def begin_action(self, session: str, act: str) -> bool:
        """Record that an approved action begins; False if it has begun before."""
        try:
            with self._file.transaction() as db:
                db.execute(insert(BEGUN_ACTIONS), {"session": session, "act": act})
        except IntegrityError:
            return False
        return True
