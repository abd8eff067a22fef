"""One collection of Chroma, in a folder."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from forager.adapters.memory.chroma import Chroma
from forager.adapters.memory.collection import Collection, Record
from forager.adapters.memory.embeddings.vector_cache import normalize_rows
from forager.settings import Settings

VECTORS = normalize_rows(np.random.default_rng(0).normal(size=(700, 16)).astype(np.float32))
RECORDS = [
    Record(f"r{row}", f"text {row}", {"site": "ab"[row % 2], "time": float(row)})
    for row in range(len(VECTORS))
]


@pytest.fixture(scope="module")
def chroma(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chroma]:
    with closing(Chroma(Settings(data=tmp_path_factory.mktemp("data")))) as chroma:
        yield chroma


@pytest.fixture(scope="module")
def filled(chroma: Chroma) -> Collection:
    collection = chroma.open_collection("things", "filled")
    collection.upsert(RECORDS, VECTORS)
    return collection


def test_nearest_records_come_first_with_their_metadata(filled: Collection) -> None:
    found = filled.find_nearest(VECTORS[3], 5)
    cosines = VECTORS @ VECTORS[3]
    assert [match.record for match in found] == [RECORDS[row] for row in np.argsort(-cosines)[:5]]
    assert [match.score for match in found] == pytest.approx(np.sort(cosines)[:-6:-1], abs=1e-5)


def test_search_without_texts_returns_ids_and_scores(filled: Collection) -> None:
    [match] = filled.find_nearest(VECTORS[3], 1, texts=False)
    assert match.record == Record("r3")


def test_a_filter_lets_through_what_it_says(filled: Collection) -> None:
    found = filled.find_nearest(VECTORS[3], 5, {"$and": [{"site": "a"}, {"time": {"$lt": 6.0}}]})
    assert {match.record.id for match in found} == {"r0", "r2", "r4"}
    assert {each.id for each in filled.get(where={"time": {"$gte": 698.0}})} == {"r698", "r699"}


def test_records_are_had_by_their_ids(filled: Collection) -> None:
    assert filled.get(["r7", "none"]) == (RECORDS[7],)
    assert filled.get([]) == ()
    assert len(filled.get(limit=3)) == 3


def test_a_record_kept_twice_is_there_once_as_it_was_kept_last(chroma: Chroma) -> None:
    collection = chroma.open_collection("things", "twice")
    collection.upsert([Record("r", "one"), Record("r", "two")], VECTORS[:2])
    collection.upsert([Record("r", "three")], VECTORS[2:3])
    assert collection.get() == (Record("r", "three"),)
    assert collection.find_nearest(VECTORS[2], 3)[0].score == pytest.approx(1.0)
    assert collection.count() == 1


def test_deleted_records_are_not_found(chroma: Chroma) -> None:
    collection = chroma.open_collection("things", "deleted")
    collection.upsert(RECORDS[:3], VECTORS[:3])
    collection.delete(["r1", "never there"])
    collection.delete([])
    assert {each.id for each in collection.get()} == {"r0", "r2"}
    assert {match.record.id for match in collection.find_nearest(VECTORS[1], 3)} == {"r0", "r2"}


def test_empty_collection_finds_nothing(chroma: Chroma) -> None:
    empty = chroma.open_collection("things", "empty")
    assert empty.find_nearest(VECTORS[0], 3) == ()
    empty.upsert([], VECTORS[:0])
    assert empty.count() == 0


def test_another_layout_is_another_collection(chroma: Chroma, filled: Collection) -> None:
    other = chroma.open_collection("things", "other")
    assert other.id != filled.id
    other.upsert([Record("r")], np.ones((1, 5), np.float32))
    assert chroma.open_collection("things", "filled").count() == len(RECORDS)


def test_users_do_not_see_one_another_whatever_they_are_called(tmp_path: Path) -> None:
    for user in ("ann", "", "Ånn / ../..", "x" * 1000):
        with closing(Chroma(Settings(data=tmp_path, user=user))) as chroma:
            collection = chroma.open_collection("things", "one")
            assert collection.count() == 0
            collection.upsert([Record("r", user)], VECTORS[:1])
    with closing(Chroma(Settings(data=tmp_path, user="ann"))) as chroma:
        assert chroma.open_collection("things", "one").get() == (Record("r", "ann"),)
        chroma.clear()
        assert chroma.open_collection("things", "one").count() == 0
    with closing(Chroma(Settings(data=tmp_path, user=""))) as chroma:
        assert chroma.open_collection("things", "one").count() == 1
