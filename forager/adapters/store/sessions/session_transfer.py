"""Reads and writes all rows of a session."""

import json

from sqlalchemy import Connection, insert, select

from forager.adapters.store.database import Database
from forager.adapters.store.sessions.approval_rows import ApprovalRows
from forager.adapters.store.sessions.chronicle import Chronicle
from forager.adapters.store.sessions.session_records import NodeEvent, refuse_damaged, thread_of
from forager.adapters.store.sessions.session_tables import (
    APPROVAL_REQUESTS,
    EVENTS,
    PAID,
    REPLIES,
    TURNS,
)
from forager.domain.model_calls import pack_exchanges, unpack_exchanges
from forager.domain.spend import Spend
from forager.domain.state import Turn


def read_chronicle(file: Database, id: str, turns: int) -> Chronicle:
    """Everything stored of a session besides its row and checkpoints.

    Raises DamagedError, or StoreError.
    """
    with refuse_damaged(id):
        return _read_rows(file, id, turns)


def _read_rows(file: Database, id: str, turns: int) -> Chronicle:
    approvals = ApprovalRows(file)
    with file.transaction() as db:
        event_rows = select(EVENTS).where(EVENTS.c.session == id).order_by(EVENTS.c.seq)
        events = [dict(row) for row in db.execute(event_rows).mappings()]
        turn_rows = select(TURNS.c.body).where(TURNS.c.session == id).order_by(TURNS.c.number)
        finished = [Turn.model_validate_json(body) for body in db.execute(turn_rows).scalars()]
        reply_rows = select(REPLIES).where(REPLIES.c.session == id)
        replies = [dict(row) for row in db.execute(reply_rows).mappings()]
        costs: dict[int, Spend] = {}
        for number in range(1, turns + 1):
            cost = select(PAID.c.spend).where(PAID.c.session == thread_of(id, number))
            if spent := db.execute(cost).scalar():
                costs[number] = Spend.model_validate_json(spent)
    for row in events:
        row.pop("session")
        row["data"] = json.loads(row["data"])
    return Chronicle(
        turns=tuple(finished),
        events=tuple(NodeEvent.model_validate(row) for row in events),
        replies={each["task"]: each["reply"] for each in replies},
        asked={each["task"]: unpack_exchanges(each["sent"]) for each in replies if each["sent"]},
        pleas={
            number: approvals.list_requests(thread_of(id, number)) for number in range(1, turns + 1)
        },
        paid=costs,
    )


def write_chronicle(db: Connection, id: str, chronicle: Chronicle) -> None:
    """Write the rows of a chronicle for a session that has its own row already."""
    events = [
        {**each.model_dump(), "session": id, "data": json.dumps(each.data, ensure_ascii=False)}
        for each in chronicle.events
    ]
    turns = [
        {"session": id, "number": each.number, "body": each.model_dump_json()}
        for each in chronicle.turns
    ]
    replies = [
        {
            "session": id,
            "task": task,
            "reply": reply,
            "sent": pack_exchanges(chronicle.asked.get(task, ())),
        }
        for task, reply in chronicle.replies.items()
    ]
    paid = [
        {"session": thread_of(id, number), "spend": spend.model_dump_json()}
        for number, spend in chronicle.paid.items()
    ]
    requests = [
        {**each.model_dump(), "session": thread_of(id, number), "plea": each.plea.model_dump_json()}
        for number, approvals in chronicle.pleas.items()
        for each in approvals
    ]
    for table, rows in (
        (EVENTS, events),
        (TURNS, turns),
        (REPLIES, replies),
        (PAID, paid),
        (APPROVAL_REQUESTS, requests),
    ):
        if rows:
            db.execute(insert(table), rows)
