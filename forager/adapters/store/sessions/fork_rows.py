"""Writes the rows that a fork takes over from its origin, and those that it begins with."""

import json
from typing import NamedTuple

from pydantic import JsonValue
from sqlalchemy import Connection, func, insert, select

from forager.adapters.store.sessions.session_records import thread_of
from forager.adapters.store.sessions.session_tables import (
    APPROVAL_REQUESTS,
    BEGUN_ACTIONS,
    EVENTS,
    PAID,
    REPLIES,
    STEERS,
    TURNS,
    copy_rows,
)
from forager.domain.spend import Spend


class ForkedPast(NamedTuple):
    """What is copied of the session `source`: up to the time `until` (s) within a turn.

    `replies` says whether the models' replies are copied; `paid` is the cost of that turn.
    """

    source: str
    turn: int
    until: float
    replies: bool
    paid: Spend


class ForkBegin(NamedTuple):
    """The event that tells of the fork; `steer` is what waits for its run, as JSON, if anything."""

    message: str
    data: dict[str, JsonValue]
    steer: str = ""


def write_fork(db: Connection, target: str, past: ForkedPast, begun: ForkBegin, now: float) -> None:
    """Write the rows of a fork that has its own row already; `now` in seconds since the epoch."""
    _copy_past(db, target, past)
    own = thread_of(target, past.turn)
    db.execute(insert(PAID), {"session": own, "spend": past.paid.model_dump_json()})
    if begun.steer:
        waiting = {"session": own, "seq": 1, "body": begun.steer, "laid": True}
        db.execute(insert(STEERS), waiting)
    last = select(func.coalesce(func.max(EVENTS.c.seq), 0)).where(EVENTS.c.session == target)
    told = {
        "session": target,
        "seq": db.execute(last).scalar_one() + 1,
        "time": now,
        "node": "",
        "kind": "forked",
        "message": begun.message,
        "data": json.dumps(begun.data, ensure_ascii=False),
    }
    db.execute(insert(EVENTS), told)


def _copy_past(db: Connection, target: str, past: ForkedPast) -> None:
    source = past.source
    copy_rows(db, EVENTS, source, target, EVENTS.c.time <= past.until)
    copy_rows(db, TURNS, source, target, TURNS.c.number < past.turn)
    if past.replies:
        copy_rows(db, REPLIES, source, target)
    for number in range(1, past.turn + 1):
        old, new = thread_of(source, number), thread_of(target, number)
        answered = (APPROVAL_REQUESTS.c.answer.is_not(None), APPROVAL_REQUESTS.c.time <= past.until)
        copy_rows(db, APPROVAL_REQUESTS, old, new, *answered)
        copy_rows(db, BEGUN_ACTIONS, old, new)
        if number < past.turn:
            copy_rows(db, PAID, old, new)
