"""The check of a data folder finds what is planted in it, and nothing in one that is whole."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from forager.domain.spend import Budget
from forager.domain.state import Question
from forager.settings import Settings
from graphs.system.data_check import DataCheck, check_data
from graphs.system.doctor import check_stored, check_stored_whole
from graphs.system.retention import sweep_leftovers
from tests.graphs.sessions.test_steering_real import opened
from tests.graphs.systems.test_real import HARBOURS, QUESTION
from tests.servers import Site

COPY_STEPS = """
INSERT INTO checkpoints SELECT 'nobody', checkpoint_ns, checkpoint_id, parent_checkpoint_id, type,
checkpoint, metadata FROM checkpoints LIMIT 1
"""
EXPECTED = {"mine": 2, "other": 1}


@pytest.fixture
async def folder(tmp_path: Path) -> Path:
    """A data folder with a session of two turns and one of one."""
    with Site(HARBOURS) as site:
        async with opened(tmp_path, site) as sessions:
            asked = Question(text=QUESTION, sites=(site.url(),), budget=Budget(rounds=2, steps=3))
            for id in EXPECTED:
                await sessions.start(asked, "forager", "offline", id)
                await sessions.run(id)
            await sessions.follow("mine", QUESTION)
            await sessions.run("mine")
    return tmp_path


async def checked(folder: Path, expected: dict[str, int] | None = None) -> DataCheck:
    with Site(HARBOURS) as site:
        async with opened(folder, site) as sessions:
            return await check_data(sessions, EXPECTED if expected is None else expected)


def change(folder: Path, file: str, *statements: str) -> None:
    with closing(sqlite3.connect(folder / file)) as db, db:
        for statement in statements:
            db.execute(statement)


def told(check: DataCheck) -> set[tuple[str, str]]:
    return {(fault.kind, fault.where) for fault in check.faults}


async def test_a_whole_folder_has_no_faults(folder: Path) -> None:
    found = await checked(folder)
    assert found.faults == ()
    assert (found.sessions, found.turns) == (2, 3)
    assert found.blobs > 0
    assert found.quotes > 0


async def test_a_deleted_document_is_missing(folder: Path) -> None:
    change(folder, "blobs.sqlite", "DELETE FROM blobs WHERE kind = 'document'")
    assert told(await checked(folder)) == {("missing", "mine"), ("missing", "other")}


async def test_a_page_with_other_bytes_does_not_fit_its_hash(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "blobs.sqlite")) as db, db:
        [(digest, body)] = db.execute("SELECT digest, body FROM blobs LIMIT 1")
        db.execute("UPDATE blobs SET body = ? WHERE digest = ?", (body[:-3], digest))
    assert ("missing", f"blob {digest[:12]}") in told(await checked(folder))


async def test_a_doubled_event_is_twice(folder: Path) -> None:
    again = "INSERT INTO events SELECT session, 10000 + seq, time, node, kind, message, data "
    change(folder, "sessions.sqlite", f"{again} FROM events WHERE session = 'other' AND seq = 2")
    assert told(await checked(folder)) == {("twice", "other")}


async def test_events_of_a_clock_that_stood_still_are_not_twice(folder: Path) -> None:
    change(folder, "sessions.sqlite", "UPDATE events SET time = 1 WHERE session = 'other'")
    assert told(await checked(folder)) == set()


async def test_a_doubled_turn_is_twice(folder: Path) -> None:
    again = (
        "INSERT INTO turns SELECT session, 2, json_set(body, '$.number', 2) FROM turns "
        "WHERE session = 'mine'"
    )
    change(folder, "sessions.sqlite", again)
    assert ("twice", "mine") in told(await checked(folder))


async def test_a_missing_turn_is_lost(folder: Path) -> None:
    change(folder, "sessions.sqlite", "DELETE FROM turns WHERE session = 'mine'")
    assert ("lost", "mine") in told(await checked(folder))


async def test_a_missing_session_leaves_its_rows(folder: Path) -> None:
    change(folder, "sessions.sqlite", "DELETE FROM sessions WHERE id = 'other'")
    assert told(await checked(folder)) == {("lost", "other"), ("left", "other")}


async def test_missing_checkpoints_and_values_are_lost(folder: Path) -> None:
    change(
        folder,
        "checkpoints.sqlite",
        "DELETE FROM pieces WHERE thread_id = 'mine'",
        "DELETE FROM checkpoints WHERE thread_id = 'other'",
    )
    assert {("lost", "mine"), ("lost", "other")} <= told(await checked(folder))


async def test_sessions_that_nobody_began_are_twice(folder: Path) -> None:
    assert told(await checked(folder, {"mine": 2})) == {("twice", "other")}


async def test_temporary_files_are_left(folder: Path) -> None:
    (folder / ".VERSION-x1y2z3_q").touch()
    (folder / "cookies").mkdir(exist_ok=True)
    (folder / "cookies" / ".mine.json-x1y2z3_q").touch()
    left = {("left", ".VERSION-x1y2z3_q"), ("left", "cookies/.mine.json-x1y2z3_q")}
    assert told(await checked(folder)) == left


async def test_doctor_says_what_is_wrong_and_how_to_mend_it(folder: Path) -> None:
    settings = Settings(data=folder)
    assert check_stored(Settings(data=folder)).state == "ok"
    assert (await check_stored_whole(settings)).state == "ok"
    change(folder, "checkpoints.sqlite", COPY_STEPS)
    quick = check_stored(Settings(data=folder))
    assert (quick.state, quick.mend) == ("off", "Remove what is left over: forager clean.")
    assert "nobody: rows of checkpoints without their session" in quick.found
    with Site(HARBOURS) as site:
        async with opened(folder, site) as sessions:
            await sweep_leftovers(sessions)
    assert check_stored(Settings(data=folder)).state == "ok"
    change(folder, "blobs.sqlite", "DELETE FROM blobs WHERE kind = 'document'")
    assert check_stored(Settings(data=folder)).state == "ok"  # a quick look reads no pages
    whole = await check_stored_whole(settings)
    assert whole.state == "missing"
    assert "mine: " in whole.found
    assert whole.mend.startswith("Ask the questions of the named sessions again")
    assert "delete" not in whole.mend
    change(folder, "checkpoints.sqlite", "DELETE FROM pieces WHERE thread_id = 'mine'")
    assert "forager delete ID" in (await check_stored_whole(settings)).mend
    (folder / "sessions.sqlite").write_bytes(b"damaged")
    assert check_stored(Settings(data=folder)).state == "missing"
