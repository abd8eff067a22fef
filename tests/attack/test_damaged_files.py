"""Files of the data folder that were damaged: what can be made anew is, the others say what to do.

Only what a program may find is tried: other bytes, no bytes, half of the bytes, and a folder.
"""

import asyncio
import logging
import os
import random
import shutil
import sqlite3
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from forager.adapters.store.blobs import SqliteBlobs
from forager.data_folder import read_version
from forager.domain.spend import Budget
from forager.domain.state import Question
from forager.errors import StoreError
from forager.settings import Settings
from graphs.reports.report import Report
from graphs.sessions.service import open_sessions
from tests.attack.page_sites import FACT
from tests.servers import Site

MADE_ANEW = ("recipes.sqlite", "vectors.sqlite", "web.sqlite", "sites.sqlite")
LOSSES = {
    "sessions.sqlite": "stored pages are not",
    "checkpoints.sqlite": "the steps of your sessions are lost then",
    "blobs.sqlite": "stored pages are lost then",
}


def garble(path: Path) -> None:
    """Other bytes of the same number."""
    path.write_bytes(random.Random(7).randbytes(path.stat().st_size))


def empty(path: Path) -> None:
    """No bytes."""
    path.write_bytes(b"")


def halve(path: Path) -> None:
    """The first half of the bytes."""
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def replace_by_folder(path: Path) -> None:
    """A folder with something in it."""
    path.unlink()
    path.mkdir()
    (path / "own").write_text("of the user")


async def ask(folder: Path, site: Site) -> Report:
    """Ask once, in a session of its own."""
    question = Question(
        text="Who built the tower of Skarn?",
        sites=(site.url(),),
        budget=Budget(rounds=1, steps=2, seconds=120),
    )
    settings = Settings(data=folder, allow_private=("127.0.0.1",), memory=True)
    async with open_sessions(settings) as sessions:
        return await sessions.run(await sessions.start(question, "forager", "offline"))


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    """A site that says the fact on its first page."""
    with Site({"/": f"<title>Skarn</title><h1>Tower</h1><p>{FACT}</p>"}) as site:
        yield site


@pytest.fixture(scope="module")
def used(tmp_path_factory: pytest.TempPathFactory, site: Site) -> Path:
    """A data folder after one question."""
    folder = tmp_path_factory.mktemp("used")
    asyncio.run(ask(folder, site))
    return folder


@pytest.fixture
def folder(used: Path, tmp_path: Path) -> Path:
    """A copy of that folder."""
    return shutil.copytree(used, tmp_path / "data")


def damage(folder: Path, names: tuple[str, ...], how: Callable[[Path], None]) -> None:
    for name in names:
        for end in ("-wal", "-shm"):
            (folder / f"{name}{end}").unlink(missing_ok=True)
        how(folder / name)


DAMAGES = pytest.mark.parametrize("how", [garble, empty, halve, replace_by_folder])


@DAMAGES
async def test_what_can_be_made_anew_is(
    folder: Path, site: Site, how: Callable[[Path], None], caplog: pytest.LogCaptureFixture
) -> None:
    damage(folder, MADE_ANEW, how)
    with caplog.at_level(logging.WARNING):
        report = await ask(folder, site)
    assert (report.status, FACT in report.answer) == ("answered", True), report.error
    told = [name for name in MADE_ANEW if f"{name} was damaged and is made anew" in caplog.text]
    assert told == [name for name in MADE_ANEW if how is not empty and name in told]
    assert "recipes.sqlite" in told or how is empty
    aside = [path.name for path in folder.glob("*.aside-1/own")]
    assert len(aside) == (len(told) if how is replace_by_folder else 0)


@pytest.mark.parametrize("name", LOSSES)
@pytest.mark.parametrize("how", [garble, halve, replace_by_folder])
async def test_what_cannot_be_made_anew_says_what_to_do(
    folder: Path, site: Site, name: str, how: Callable[[Path], None]
) -> None:
    damage(folder, (name,), how)
    try:
        said = (await ask(folder, site)).error
    except StoreError as error:
        said = str(error)
    assert name in said
    assert ("Move it away" if how is replace_by_folder else LOSSES[name]) in said
    assert "\n" not in said


def replace_by_file(path: Path) -> None:
    """A file, where a folder was."""
    shutil.rmtree(path)
    path.write_text("of the user")


def replace_by_dangling_link(path: Path) -> None:
    """A link to nothing."""
    shutil.rmtree(path)
    path.symlink_to("nowhere")


@pytest.mark.parametrize("how", [replace_by_file, replace_by_dangling_link])
async def test_what_stands_in_place_of_the_indexes_is_set_aside(
    folder: Path, site: Site, how: Callable[[Path], None]
) -> None:
    how(folder / "index")
    report = await ask(folder, site)
    assert (report.status, FACT in report.answer) == ("answered", True), report.error
    aside = folder / "index.aside-1"
    assert aside.is_symlink() or aside.read_text() == "of the user"
    assert list((folder / "index").glob("*.npz"))


async def test_a_file_in_place_of_the_leases_is_told(folder: Path, site: Site) -> None:
    replace_by_file(folder / "leases")
    with pytest.raises(StoreError, match=r"leases is not a folder\. Move it away"):
        await ask(folder, site)


def test_a_pipe_in_place_of_the_version_is_not_waited_for(folder: Path) -> None:
    (folder / "VERSION").unlink()
    os.mkfifo(folder / "VERSION")
    with pytest.raises(StoreError, match="VERSION does not contain a version"):
        read_version(folder)


async def test_stored_pages_damaged_in_the_middle_say_what_to_do(folder: Path, site: Site) -> None:
    path = folder / "blobs.sqlite"
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        [root] = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'blobs'").fetchone()
        [size] = db.execute("PRAGMA page_size").fetchone()
    body = bytearray(path.read_bytes())
    body[(root - 1) * size : (root - 1) * size + 2000] = b"\xff" * 2000
    path.write_bytes(body)
    for end in ("-wal", "-shm"):
        (folder / f"blobs.sqlite{end}").unlink(missing_ok=True)
    try:
        said = (await ask(folder, site)).error
    except StoreError as error:
        said = str(error)
    assert LOSSES["blobs.sqlite"] in said


def reword(body: bytes) -> bytes:
    """Another fact, stored as it should be."""
    return zlib.compress(zlib.decompress(body).replace(b"Skarn", b"Torre"))


@pytest.mark.parametrize(
    "how", [reword, lambda body: body[: len(body) // 2], lambda _: "words", lambda _: 5]
)
async def test_stored_pages_that_are_damaged_are_fetched_anew(
    folder: Path, site: Site, how: Callable[[bytes], object]
) -> None:
    with closing(sqlite3.connect(folder / "blobs.sqlite", isolation_level=None)) as db:
        stored = db.execute("SELECT digest, body FROM blobs").fetchall()
        for digest, body in stored:
            db.execute("UPDATE blobs SET body = ? WHERE digest = ?", (how(body), digest))
    report = await ask(folder, site)
    assert (report.status, FACT in report.answer) == ("answered", True), report.error
    with closing(SqliteBlobs(folder / "blobs.sqlite")) as blobs:
        assert FACT in blobs.get(report.evidence[0].blob).decode()
