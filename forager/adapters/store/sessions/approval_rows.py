"""What runs ask the person behind them, and what was answered, by whichever process."""

import time
from collections.abc import Mapping

from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from forager.adapters.store.database import LET_GO, PLEAS, Database
from forager.domain.approvals import ApprovalRequest
from forager.domain.base import Frozen
from forager.errors import SessionError


class ApprovalRow(Frozen):
    """A plea of a run; `time` is seconds since the epoch, the answer None while it waits."""

    id: str
    time: float
    plea: ApprovalRequest
    answer: bool | None = None


class ApprovalRows:
    """The pleas of all sessions; safe for threads and for several processes."""

    def __init__(self, file: Database) -> None:
        self._file = file

    def lay(self, session: str, pleas: Mapping[str, ApprovalRequest]) -> None:
        """Let these wait, by their ids; an answer to the same words stays."""
        with self._file.transaction() as db:
            for id, plea in pleas.items():
                own = (PLEAS.c.session == session) & (PLEAS.c.id == id)
                kept = db.execute(select(PLEAS.c.plea).where(own)).scalar()
                if (
                    kept
                    and ApprovalRequest.model_validate_json(kept).without_picture
                    == plea.without_picture
                ):
                    continue
                db.execute(delete(PLEAS).where(own))
                row = {"session": session, "id": id, "time": time.time(), "answer": None}
                db.execute(insert(PLEAS), {**row, "plea": plea.model_dump_json()})

    def all(self, session: str) -> tuple[ApprovalRow, ...]:
        """What a session has asked, in the order of asking."""
        wanted = select(PLEAS).where(PLEAS.c.session == session).order_by(PLEAS.c.time, PLEAS.c.id)
        with self._file.transaction() as db:
            return tuple(
                ApprovalRow(
                    id=row["id"],
                    time=row["time"],
                    plea=ApprovalRequest.model_validate_json(row["plea"]),
                    answer=row["answer"],
                )
                for row in db.execute(wanted).mappings()
            )

    def waiting(self, session: str) -> tuple[ApprovalRow, ...]:
        """What nobody has answered yet."""
        return tuple(asked for asked in self.all(session) if asked.answer is None)

    def answer(self, session: str, id: str) -> bool | None:
        """The answer to one, if there is one."""
        wanted = select(PLEAS.c.answer).where(PLEAS.c.session == session, PLEAS.c.id == id)
        with self._file.transaction() as db:
            return db.execute(wanted).scalar()

    def decide(self, session: str, id: str, *, yes: bool) -> None:
        """Answer one that waits. Raises SessionError when it does not, or not any more."""
        own = (PLEAS.c.session == session) & (PLEAS.c.id == id) & PLEAS.c.answer.is_(None)
        with self._file.transaction() as db:
            changed = db.execute(update(PLEAS).where(own).values(answer=yes)).rowcount
        if not changed:
            raise SessionError(f"Session {session!r} does not ask this, or not any more.")

    def withdraw(self, session: str) -> None:
        """Forget what was not answered: the run does not wait for it now."""
        with self._file.transaction() as db:
            db.execute(delete(PLEAS).where(PLEAS.c.session == session, PLEAS.c.answer.is_(None)))

    def let_go(self, session: str, act: str) -> bool:
        """Note that an approved act begins now; no if it was noted before."""
        try:
            with self._file.transaction() as db:
                db.execute(insert(LET_GO), {"session": session, "act": act})
        except IntegrityError:
            return False
        return True
