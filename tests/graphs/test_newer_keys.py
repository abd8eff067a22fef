"""Keys that a newer Forager added to stored values are told of, and kept."""

import logging
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from forager.adapters.store.checkpoints.saver import PackedSerializer, types_within
from forager.domain.approvals import ApprovalRequest
from forager.domain.base import warn_of_unknown
from forager.domain.spend import Budget
from forager.domain.state import Question, Turn
from forager.settings import Settings
from graphs.runtime.branches import JoiningState
from graphs.sessions.service import Sessions, open_sessions
from tests.old_data import old_settings, unpack

KEY = "novelty"
SERDE = PackedSerializer(types_within(JoiningState))
JSON = (
    ("sessions", "question", Question),
    ("turns", "body", Turn),
    ("pleas", "plea", ApprovalRequest),
)


def extended(value: Any) -> Any:
    """The value with another key in each model within."""
    if isinstance(value, Budget):
        return {**dict(value), KEY: 1}
    if isinstance(value, BaseModel):
        fields = {name: extended(field) for name, field in value}
        return {**fields, KEY: 1}
    if isinstance(value, list | tuple):
        return tuple(map(extended, value))
    return value


def rewritten(kind: str, body: bytes) -> tuple[str, bytes]:
    value = SERDE.loads_typed((kind, body))
    if not isinstance(value, BaseModel):
        return kind, body
    return SERDE.dumps_typed(type(value)(**extended(value)))


def extend(folder: Path) -> None:
    """Add the key to all that stands in checkpoints, and to questions, turns and pleas."""
    with closing(sqlite3.connect(folder / "checkpoints.sqlite")) as db, db:
        rows = db.execute("SELECT type, value, rowid FROM pieces").fetchall()
        changed = [(*rewritten(kind, body), id) for kind, body, id in rows]
        assert [row[1] for row in changed] != [row[1] for row in rows]
        db.executemany("UPDATE pieces SET type = ?, value = ? WHERE rowid = ?", changed)
    with closing(sqlite3.connect(folder / "sessions.sqlite")) as db, db:
        for table, column, kind in JSON:
            for id, body in db.execute(f"SELECT rowid, {column} FROM {table}").fetchall():  # noqa: S608
                model: Any = kind
                whole = model(**extended(model.model_validate_json(body)))
                db.execute(
                    f"UPDATE {table} SET {column} = ? WHERE rowid = ?",  # noqa: S608
                    (whole.model_dump_json(), id),
                )


@pytest.fixture
async def sessions(tmp_path: Path) -> AsyncIterator[Sessions]:
    """The sessions of a folder of which each value has a key that this version does not know."""
    folder = unpack(tmp_path / "old")
    extend(folder)
    async with open_sessions(old_settings(folder)) as opened:
        yield opened


@pytest.mark.parametrize("id", ["answered", "forked", "browser", "paused", "waiting", "abreast"])
async def test_sessions_are_shown_and_exported(sessions: Sessions, id: str) -> None:
    report = await sessions.show(id)
    assert report.status in {"answered", "paused", "interrupted"}
    for format in ("md", "html", "csv", "json", "zip"):
        assert await sessions.export(id, format)
    assert await sessions.history.checkpoints(id)


async def test_sessions_go_on_and_keep_the_keys(
    sessions: Sessions, caplog: pytest.LogCaptureFixture
) -> None:
    warn_of_unknown.cache_clear()
    for id in ("paused", "abreast"):
        assert (await sessions.run(id)).status == "answered"
    await sessions.follow("answered", "Who drew four lighthouses in all?")
    assert (await sessions.run("answered")).status == "answered"
    told = [record for record in caplog.records if KEY in record.getMessage()]
    assert [record.levelno for record in told] == [logging.WARNING]
    states = await sessions.context.checkpoints()
    found = await states.aget_tuple({"configurable": {"thread_id": "paused", "checkpoint_ns": ""}})
    assert found
    arms = found.checkpoint["channel_values"]["arms"]
    assert {arm.model_extra[KEY] for arm in arms} == {1}


async def test_an_archive_with_such_keys_is_taken_in(sessions: Sessions, tmp_path: Path) -> None:
    archive = await sessions.export("answered", "zip")
    async with open_sessions(Settings(data=tmp_path / "other")) as others:
        id = await others.archive.import_zip(archive)
        assert (await others.show(id)).status == "answered"
