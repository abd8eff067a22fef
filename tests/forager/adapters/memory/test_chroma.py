"""The folder's lock across processes, missing or damaged files, full disks."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np
import pytest

from forager.adapters.memory.chroma import Chroma
from forager.adapters.memory.collection import Record
from forager.adapters.memory.folder_owner import INSIDE, SEAL
from forager.errors import StoreError
from forager.settings import Settings
from tests.forager.adapters.memory.worker import DIMENSIONS, fill

Damage = Callable[[Path], object]
ONE = np.ones(DIMENSIONS, np.float32)


@contextmanager
def worker(mode: str, folder: Path) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "tests.forager.adapters.memory.worker", mode, str(folder)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def lines(process: subprocess.Popen[str]) -> Iterator[str]:
    assert process.stdout
    return iter(process.stdout)


def opened(folder: Path, user: str = "default") -> closing[Chroma]:
    return closing(Chroma(Settings(data=folder, user=user)))


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A memory that was closed, with an index on disk."""
    folder = tmp_path_factory.mktemp("kept")
    with opened(folder) as chroma:
        fill(chroma.open_collection("things", "one"), 12)
    return folder


def test_what_was_kept_outlives_a_writer_that_is_killed(tmp_path: Path) -> None:
    with worker("fill", tmp_path) as writer:
        told = lines(writer)
        while int(next(told)) < 1300:
            pass
        writer.send_signal(signal.SIGKILL)
    with opened(tmp_path) as chroma:
        collection = chroma.open_collection("things", "one")
        assert collection.count() >= 1300
        assert len(collection.find_nearest(ONE, 10)) == 10
        collection.upsert([Record("after")], ONE[None])
        assert collection.find_nearest(ONE, 1)[0].record.id == "after"


def test_full_disk_raises_and_keeps_stored_records(tmp_path: Path) -> None:
    with worker("full", tmp_path) as writer:
        said, _ = writer.communicate("", timeout=120)
    *_, error = said.splitlines()
    assert "could not be written" in error
    assert "Free some space" in error
    with opened(tmp_path) as chroma:
        assert chroma.open_collection("things", "one").count() >= 100 * (said.count("\n") - 1)


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def garble(path: Path) -> None:
    path.write_bytes(os.urandom(path.stat().st_size))


def remove(path: Path) -> None:
    path.unlink()


@pytest.mark.parametrize("damage", [remove, cut], ids=lambda each: each.__name__)
@pytest.mark.parametrize(
    "name", ["data_level0.bin", "header.bin", "length.bin", "link_lists.bin", "chroma.sqlite3"]
)
def test_missing_or_truncated_file_raises_and_is_rebuilt(
    kept: Path, tmp_path: Path, name: str, damage: Damage
) -> None:
    folder = tmp_path / "data"
    shutil.copytree(kept, folder)
    [path] = (folder / "memory" / INSIDE).rglob(name)
    damage(path)
    with opened(folder) as chroma:
        with pytest.raises(StoreError, match=rf"damaged: .*{name} .*forager memory rebuild"):
            chroma.open_collection("things", "one")
        chroma.clear()
        assert chroma.open_collection("things", "one").count() == 0


@pytest.mark.parametrize("sealed", [True, False])
@pytest.mark.parametrize("name", ["data_level0.bin", "chroma.sqlite3"])
def test_garbled_files_end_no_process_of_ours(
    kept: Path, tmp_path: Path, name: str, *, sealed: bool
) -> None:
    folder = tmp_path / "data"
    shutil.copytree(kept, folder)
    [path] = (folder / "memory" / INSIDE).rglob(name)
    garble(path)
    if not sealed:
        (folder / "memory" / SEAL).unlink()
    with opened(folder) as chroma:
        with pytest.raises(StoreError, match=r"damaged: .*forager memory rebuild") as caught:
            chroma.open_collection("things", "one")
        assert str(caught.value).count("The memory in") == 1
        chroma.clear()
        assert chroma.open_collection("things", "one").count() == 0


def test_a_copy_is_as_good_as_what_was_copied(kept: Path, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    shutil.copytree(kept, folder, copy_function=shutil.copyfile)
    with opened(folder) as chroma:
        assert chroma.open_collection("things", "one").count() == 1200


def test_folder_that_cannot_be_created_raises(tmp_path: Path) -> None:
    (tmp_path / "memory").write_text("in the way")
    with (
        opened(tmp_path) as chroma,
        pytest.raises(StoreError, match=r"is not a folder\. Move the file"),
    ):
        chroma.open_collection("things", "one")


def test_after_a_fault_the_others_hear_of_it_too(kept: Path, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    shutil.copytree(kept, folder)
    with opened(folder) as chroma:
        collection = chroma.open_collection("things", "one")
        with pytest.raises(StoreError, match="dimension"):
            collection.find_nearest(np.ones(3, np.float32), 1)
        with pytest.raises(StoreError, match="dimension"):
            chroma.open_collection("things", "one")
        with pytest.raises(StoreError, match="was closed"):
            collection.count()
    with opened(folder) as chroma:
        assert chroma.open_collection("things", "one").count() == 1200
