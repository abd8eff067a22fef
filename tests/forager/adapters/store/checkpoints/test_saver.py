import sqlite3
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import Checkpoint, empty_checkpoint
from sqlalchemy import Connection, Table, func, select, update

from forager.adapters.store.checkpoints.lineage import Lineage
from forager.adapters.store.checkpoints.saver import (
    Checkpoints,
    PackedSerializer,
    open_checkpoints,
    types_within,
)
from forager.domain.spend import Spend
from forager.domain.state import Arm, Evidence, Passage, Question, State
from forager.errors import DamagedError, StoreError
from forager.util.place import Place, Tables

TEXTS = st.text(max_size=200)
PASSAGES = st.builds(
    Passage,
    url=TEXTS,
    title=TEXTS,
    blob=TEXTS,
    start=st.integers(0, 10**6),
    end=st.integers(0, 10**6),
    text=TEXTS,
    part=TEXTS,
)
VALUES = st.one_of(
    st.builds(Evidence, id=TEXTS, passage=PASSAGES, round=st.integers(0, 99), step=TEXTS),
    st.builds(Question, text=TEXTS, sites=st.tuples(TEXTS)),
    st.builds(Spend, usd=st.floats(0, 1e9), actions=st.integers(0, 10**9)),
)


@pytest.fixture
async def checkpoints(table_place: Callable[[Tables], Place]) -> AsyncIterator[Checkpoints]:
    async with open_checkpoints(table_place("checkpoints")) as opened:
        yield opened


@pytest.fixture
async def in_file(tmp_path: Path) -> AsyncIterator[Checkpoints]:
    async with open_checkpoints(tmp_path / "c.sqlite") as opened:
        yield opened


def at(thread: str, checkpoint: str = "", place: str = "") -> RunnableConfig:
    where = {"thread_id": thread, "checkpoint_ns": place}
    return {"configurable": {**where, **({"checkpoint_id": checkpoint} if checkpoint else {})}}


def checkpoint(version: int, **values: object) -> Checkpoint:
    versions: dict[str, Any] = dict.fromkeys(values, f"{version:032}.0")
    return {**empty_checkpoint(), "channel_values": values, "channel_versions": versions}


@given(VALUES)
def test_values_round_trip(value: object) -> None:
    serde = PackedSerializer(types_within(State))
    assert serde.loads_typed(serde.dumps_typed(value)) == value


def test_only_types_of_the_state_are_restored() -> None:
    serde = PackedSerializer(types_within(State))
    assert {State, Passage, Arm} <= types_within(State)
    stranger = PackedSerializer(types_within(Spend))
    assert not isinstance(stranger.loads_typed(serde.dumps_typed(Arm(url="u"))), Arm)


async def test_checkpoint_is_loaded_with_its_values(checkpoints: Checkpoints) -> None:
    arms = (Arm(url="a"), Arm(url="b", scores={"p": 0.1 + 0.2}))
    saved = checkpoint(1, arms=arms, spend=Spend(actions=3), question=None)
    where = await checkpoints.aput(at("t"), saved, {}, saved["channel_versions"])
    found = await checkpoints.aget_tuple(at("t"))
    assert found
    assert found.config == where
    assert found.checkpoint["channel_values"] == saved["channel_values"]
    assert await checkpoints.aget_tuple(at("other")) is None


async def test_what_did_not_change_is_read_from_where_it_was_written(
    checkpoints: Checkpoints,
) -> None:
    first = checkpoint(1, arms=(Arm(url="a"),), spend=Spend(actions=1))
    second = checkpoint(2, spend=Spend(actions=2))
    second["channel_values"]["arms"] = first["channel_values"]["arms"]
    second["channel_versions"]["arms"] = first["channel_versions"]["arms"]
    place = await checkpoints.aput(at("t"), first, {}, first["channel_versions"])
    changed = {"spend": second["channel_versions"]["spend"]}
    await checkpoints.aput(place, second, {}, changed)
    states = [item.checkpoint["channel_values"] async for item in checkpoints.alist(at("t"))]
    assert states == [second["channel_values"], first["channel_values"]]


async def test_writes_are_kept_until_the_next_checkpoint(checkpoints: Checkpoints) -> None:
    first = checkpoint(1, spend=Spend())
    place = await checkpoints.aput(at("t"), first, {}, first["channel_versions"])
    await checkpoints.aput_writes(place, [("arms", (Arm(url="a"),))], "task")
    found = await checkpoints.aget_tuple(at("t"))
    assert found
    assert found.pending_writes == [("task", "arms", (Arm(url="a"),))]
    second = checkpoint(2, spend=Spend(actions=1))
    await checkpoints.aput(place, second, {}, second["channel_versions"])
    old = await checkpoints.aget_tuple(place)
    assert old
    assert old.pending_writes == []


async def test_a_checkpoint_that_comes_after_itself_is_told(checkpoints: Checkpoints) -> None:
    place: RunnableConfig = at("t")
    for step in (1, 2, 3):
        saved = checkpoint(step, spend=Spend(actions=step))
        place = await checkpoints.aput(place, saved, {}, saved["channel_versions"])
    rows = await Lineage(checkpoints).read_rows("t")
    assert [row.parent for row in rows] == ["", rows[0].id, rows[1].id]
    of = checkpoints.tables.checkpoints
    second = update(of).where(of.c.checkpoint_id == rows[1].id)
    after_itself = second.values(parent_checkpoint_id=rows[-1].id)
    await checkpoints.run("t", lambda db: db.execute(after_itself))
    with pytest.raises(DamagedError, match="is its own ancestor"):
        await Lineage(checkpoints).read_rows("t")


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE pieces SET value = 'x'",
        "UPDATE pieces SET type = 'zzz'",
        "UPDATE channel_values SET digests = 5",
        "UPDATE channel_values SET many = 7",
        "UPDATE checkpoints SET checkpoint = x'00'",
        "UPDATE checkpoints SET metadata = '[1]'",
        "DELETE FROM pieces",
    ],
)
async def test_a_damaged_row_is_told_as_damage_of_its_session(
    in_file: Checkpoints, tmp_path: Path, damage: str
) -> None:
    saved = checkpoint(1, arms=(Arm(url="a"),))
    await in_file.aput(at("t"), saved, {}, saved["channel_versions"])
    with closing(sqlite3.connect(tmp_path / "c.sqlite")) as db:
        db.execute(damage)
        db.commit()
    with pytest.raises(DamagedError, match="'t' is damaged"):
        await Lineage(in_file).newest_values("t")


def list_threads(table: Table, db: Connection) -> Sequence[Any]:
    """The threads of which a table has rows."""
    return db.execute(select(table.c.thread_id).distinct()).all()


async def test_a_deleted_session_leaves_no_row(checkpoints: Checkpoints) -> None:
    saved = checkpoint(1, arms=(Arm(url="a"),))
    for thread in ("t", "u"):
        place = await checkpoints.aput(at(thread), saved, {}, saved["channel_versions"])
        await checkpoints.aput_writes(place, [("arms", ())], "task")
    await checkpoints.adelete_thread("t")
    for table in checkpoints.tables:
        assert await checkpoints.run("t", partial(list_threads, table)) == [("u",)]


async def test_a_ledger_that_grows_is_kept_in_pieces(checkpoints: Checkpoints) -> None:
    arms: tuple[Arm, ...] = ()
    place = at("t")
    for number in range(1, 60):
        arms = (*arms, Arm(url=f"http://site/{number}", title="t" * 100))
        saved = checkpoint(number, arms=arms)
        place = await checkpoints.aput(place, saved, {}, saved["channel_versions"])
    pieces = select(func.count()).select_from(checkpoints.tables.pieces)
    assert await checkpoints.run("t", lambda db: db.execute(pieces).scalar()) == 59
    found = await checkpoints.aget_tuple(at("t"))
    assert found
    assert found.checkpoint["channel_values"]["arms"] == arms


@pytest.mark.parametrize("body", [b"garbage " * 1000, b"SQLite format 3\0" + b"\xff" * 5000])
async def test_damaged_file_raises_store_error(tmp_path: Path, body: bytes) -> None:
    (tmp_path / "c.sqlite").write_bytes(body)
    with pytest.raises(StoreError, match=r"c\.sqlite is damaged .* move it away"):
        async with open_checkpoints(tmp_path / "c.sqlite"):
            pass


async def limit_pages(checkpoints: Checkpoints, most: int) -> None:
    """Limit the size of the file, in pages."""
    limit = f"PRAGMA max_page_count = {most}"
    await checkpoints.run("t", lambda db: db.exec_driver_sql(limit).all())


async def test_full_file_raises_and_can_be_used_again(in_file: Checkpoints) -> None:
    first = checkpoint(1, spend=Spend())
    place = await in_file.aput(at("t"), first, {}, first["channel_versions"])
    await limit_pages(in_file, 1)
    big = checkpoint(2, arms=tuple(Arm(url=f"{n}" * 50) for n in range(2000)))
    with pytest.raises(StoreError, match="disk is full"):
        await in_file.aput(place, big, {}, big["channel_versions"])
    found = await in_file.aget_tuple(at("t"))
    assert found
    assert found.checkpoint["id"] == first["id"]
    await limit_pages(in_file, 1_000_000)
    await in_file.aput(place, big, {}, big["channel_versions"])
