import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import Checkpoint, empty_checkpoint

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
async def checkpoints(tmp_path: Path) -> AsyncIterator[Checkpoints]:
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


async def test_a_checkpoint_that_comes_after_itself_is_told(
    checkpoints: Checkpoints, tmp_path: Path
) -> None:
    place: RunnableConfig = at("t")
    for step in (1, 2, 3):
        saved = checkpoint(step, spend=Spend(actions=step))
        place = await checkpoints.aput(place, saved, {}, saved["channel_versions"])
    rows = await Lineage(checkpoints).read_rows("t")
    assert [row.parent for row in rows] == ["", rows[0].id, rows[1].id]
    with closing(sqlite3.connect(tmp_path / "c.sqlite")) as db:
        db.execute(
            "UPDATE checkpoints SET parent_checkpoint_id = ? WHERE checkpoint_id = ?",
            (rows[-1].id, rows[1].id),
        )
        db.commit()
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
    checkpoints: Checkpoints, tmp_path: Path, damage: str
) -> None:
    saved = checkpoint(1, arms=(Arm(url="a"),))
    await checkpoints.aput(at("t"), saved, {}, saved["channel_versions"])
    with closing(sqlite3.connect(tmp_path / "c.sqlite")) as db:
        db.execute(damage)
        db.commit()
    with pytest.raises(DamagedError, match="'t' is damaged"):
        await Lineage(checkpoints).newest_values("t")


async def test_a_deleted_session_leaves_no_row(checkpoints: Checkpoints, tmp_path: Path) -> None:
    saved = checkpoint(1, arms=(Arm(url="a"),))
    for thread in ("t", "u"):
        place = await checkpoints.aput(at(thread), saved, {}, saved["channel_versions"])
        await checkpoints.aput_writes(place, [("arms", ())], "task")
    await checkpoints.adelete_thread("t")
    with closing(sqlite3.connect(tmp_path / "c.sqlite")) as db:
        for table in ("checkpoints", "writes", "pieces", "channel_values"):
            assert [*db.execute(f"SELECT DISTINCT thread_id FROM {table}")] == [("u",)]  # noqa: S608


async def test_a_ledger_that_grows_is_kept_in_pieces(checkpoints: Checkpoints) -> None:
    arms: tuple[Arm, ...] = ()
    place = at("t")
    for number in range(1, 60):
        arms = (*arms, Arm(url=f"http://site/{number}", title="t" * 100))
        saved = checkpoint(number, arms=arms)
        place = await checkpoints.aput(place, saved, {}, saved["channel_versions"])
    assert [*checkpoints.conn.execute("SELECT count(*) FROM pieces")] == [(59,)]
    found = await checkpoints.aget_tuple(at("t"))
    assert found
    assert found.checkpoint["channel_values"]["arms"] == arms


@pytest.mark.parametrize("body", [b"garbage " * 1000, b"SQLite format 3\0" + b"\xff" * 5000])
async def test_damaged_file_raises_store_error(tmp_path: Path, body: bytes) -> None:
    (tmp_path / "c.sqlite").write_bytes(body)
    with pytest.raises(StoreError, match=r"c\.sqlite is damaged .* move it away"):
        async with open_checkpoints(tmp_path / "c.sqlite"):
            pass


async def test_full_file_raises_and_can_be_used_again(checkpoints: Checkpoints) -> None:
    first = checkpoint(1, spend=Spend())
    place = await checkpoints.aput(at("t"), first, {}, first["channel_versions"])
    checkpoints.conn.execute("PRAGMA max_page_count = 1")
    big = checkpoint(2, arms=tuple(Arm(url=f"{n}" * 50) for n in range(2000)))
    with pytest.raises(StoreError, match="disk is full"):
        await checkpoints.aput(place, big, {}, big["channel_versions"])
    assert not checkpoints.conn.in_transaction
    found = await checkpoints.aget_tuple(at("t"))
    assert found
    assert found.checkpoint["id"] == first["id"]
    checkpoints.conn.execute("PRAGMA max_page_count = 1000000")
    await checkpoints.aput(place, big, {}, big["channel_versions"])
