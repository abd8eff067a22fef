"""A memory that one process has open and others use."""

import json
import os
import resource
import shutil
import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path

import numpy as np
import pytest

from forager.adapters.memory import chroma as chroma_module
from forager.adapters.memory import owner_client
from forager.adapters.memory.chroma import Chroma
from forager.adapters.memory.collection import Record
from forager.adapters.memory.folder_owner import OWNER_NOTE, SEAL
from forager.adapters.memory.owner_client import OwnerClient, OwnerGoneError
from forager.errors import BusyError, StoreError
from forager.settings import Settings
from tests.forager.adapters.memory.test_chroma import lines, opened, worker
from tests.forager.adapters.memory.worker import DIMENSIONS, fill

FULL = 70_000, resource.RLIM_INFINITY
"""No file grows beyond these bytes."""
FOUR = np.eye(4, DIMENSIONS, dtype=np.float32)
ROWS = FOUR[:3]
RECORDS = [Record("a", "first", {"n": 1}), Record("b", "second", {"n": 2}), Record("c")]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A memory of 100 records that was closed."""
    folder = tmp_path_factory.mktemp("kept")
    with opened(folder) as chroma:
        fill(chroma.open_collection("things", "one"), 1)
    return folder


def test_second_process_reads_and_writes_the_memory_of_the_first(tmp_path: Path) -> None:
    with worker("hold", tmp_path) as owner:
        assert next(lines(owner)) == "100\n"
        with opened(tmp_path) as chroma:
            things = chroma.open_collection("things", "one")
            assert things.count() == 100
            things.upsert(RECORDS, ROWS)
            [best, *_] = things.find_nearest(ROWS[1], 2)
            assert (best.record, round(best.score, 3)) == (RECORDS[1], 1.0)
            assert things.get(where={"n": 1}) == (RECORDS[0],)
            things.delete(["c"])
            assert things.get(["c"]) == ()
            owner.communicate("")
            assert chroma.open_collection("things", "one").count() == 102  # it is the owner now
    with opened(tmp_path) as chroma:
        assert chroma.open_collection("things", "one").count() == 102


def test_the_owner_may_be_killed(tmp_path: Path) -> None:
    with worker("hold", tmp_path) as owner, opened(tmp_path) as chroma:
        assert next(lines(owner)) == "100\n"
        assert chroma.open_collection("things", "one").count() == 100
        owner.kill()
        owner.wait()
        things = chroma.open_collection("things", "one")
        things.upsert(RECORDS, ROWS)
        assert things.count() == 103


def test_an_owner_that_is_stopped_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with worker("hold", tmp_path) as owner, opened(tmp_path) as chroma:
        assert next(lines(owner)) == "100\n"
        things = chroma.open_collection("things", "one")
        assert things.count() == 100
        owner.send_signal(signal.SIGSTOP)
        os.waitpid(owner.pid, os.WUNTRACED)  # it goes on for a moment
        monkeypatch.setattr(owner_client, "REPLY_SECONDS", 0.2)
        with pytest.raises(StoreError, match=r"did not reply for 0\.2 seconds"):
            things.count()
        owner.send_signal(signal.SIGCONT)


def test_the_memory_of_an_owner_whose_disk_was_full_is_used_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(owner_client, "REPLY_SECONDS", 20.0)
    with worker("hold", tmp_path) as owner:
        assert next(lines(owner)) == "100\n"
        before = resource.prlimit(
            owner.pid, resource.RLIMIT_FSIZE, (70_000, resource.RLIM_INFINITY)
        )
        for _ in range(3):
            with opened(tmp_path) as chroma, suppress(StoreError):
                chroma.open_collection("things", "one").upsert(RECORDS, ROWS)
        resource.prlimit(owner.pid, resource.RLIMIT_FSIZE, before)
        with opened(tmp_path) as chroma:
            things = chroma.open_collection("things", "one")
            things.upsert(RECORDS, ROWS)
            assert things.count() == 103


def test_a_check_goes_on_beside_those_who_need_the_memory(kept: Path, tmp_path: Path) -> None:
    shutil.copytree(kept, tmp_path, dirs_exist_ok=True)
    (tmp_path / "memory" / SEAL).unlink()  # as a process leaves it that was killed
    hasty = Chroma(Settings(data=tmp_path), patience=0.0)
    with closing(hasty), opened(tmp_path) as other:
        for chroma in (hasty, hasty, other, other):
            with pytest.raises(BusyError, match="is being checked"):
                chroma.open_collection("things", "one")
    with opened(tmp_path) as patient:
        assert patient.open_collection("things", "one").count() == 100


def test_an_owner_that_cannot_close_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stuck = threading.Event()
    with opened(tmp_path) as owner, opened(tmp_path) as other:
        things = owner.open_collection("things", "one")
        monkeypatch.setattr(chroma_module, "CALL_SECONDS", 0.1)
        monkeypatch.setattr(chroma_module, "CLOSE_SECONDS", 0.1)
        with pytest.raises(StoreError, match="does not respond"):
            things._call(stuck.wait)
        monkeypatch.undo()
        for chroma in (owner, other, owner, other):
            with pytest.raises(BusyError, match="cannot close it; end that process"):
                chroma.open_collection("things", "one")
        stuck.set()


def test_users_stay_apart_and_each_clears_its_own(tmp_path: Path) -> None:
    with opened(tmp_path) as one, opened(tmp_path, "two") as two:
        one.open_collection("things", "one").upsert(RECORDS, ROWS)
        two.open_collection("things", "one").upsert(RECORDS[:1], ROWS[:1])
        before = two.open_collection("things", "one").id
        two.clear()
        assert two.open_collection("things", "one").count() == 0
        assert two.open_collection("things", "one").id != before
        assert one.open_collection("things", "one").count() == 3
        with opened(tmp_path) as beside:
            beside.clear()
        assert one.open_collection("things", "one").count() == 0


def test_the_folder_is_given_up_for_a_purge(tmp_path: Path) -> None:
    secret = Record("s", "a secret sentence")
    with opened(tmp_path) as one, opened(tmp_path) as two:
        one.open_collection("things", "one").upsert([secret, *RECORDS], FOUR)
        two.open_collection("things", "one").delete(["s"])
        two.purge(["s"])
        assert b"secret sentence" not in (tmp_path / "memory/chroma/chroma.sqlite3").read_bytes()
        assert one.open_collection("things", "one").count() == 3
        assert two.open_collection("things", "one").count() == 3


def test_processes_that_open_a_fresh_folder_at_once_share_it(tmp_path: Path) -> None:
    def store(number: int) -> int:
        with closing(Chroma(Settings(data=tmp_path))) as chroma:
            record = Record(f"r{number}", "text")
            chroma.open_collection("things", "one").upsert([record], ROWS[:1])
            return chroma.open_collection("things", "one").count()

    with ThreadPoolExecutor(3) as threads:
        assert all(count >= 1 for count in threads.map(store, range(3)))
    with opened(tmp_path) as chroma:
        assert chroma.open_collection("things", "one").count() == 3


def test_who_does_not_have_the_key_gets_nothing(tmp_path: Path) -> None:
    with opened(tmp_path) as chroma:
        chroma.open_collection("things", "one").upsert(RECORDS, ROWS)
        note = tmp_path / "memory" / OWNER_NOTE
        assert note.stat().st_mode & 0o077 == 0
        told = json.loads(note.read_text())
        (tmp_path / OWNER_NOTE).write_text(json.dumps({**told, "key": "00" * 32}))
        with pytest.raises(OwnerGoneError):
            OwnerClient(tmp_path)
        assert chroma.open_collection("things", "one").count() == 3
    assert not note.exists()
