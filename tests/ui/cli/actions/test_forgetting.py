"""`delete --forget` leaves no text of a session behind: the folder's bytes are searched."""

import asyncio
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from forager.adapters.store.blobs import SqliteBlobs
from forager.adapters.store.recipe_store import Recipes
from forager.domain.actions import Action
from forager.domain.experience import Recipe
from forager.util.sqlite import open_connection
from tests.servers import Site
from tests.ui.conftest import Forager

QUESTION = "Who built the Skarn lighthouse?"
WORDS = b"lindqvist", b"skarn", b"paraffin"
"""What the question, its answer and the pages say, and nothing else."""
HARBOUR = """<title>Vega harbour</title><h1>Vega harbour</h1><p>Vega harbour was dug by the
    contractor Olaf Brenna in 1902. Its pier is 310 metres long and faces the open sea.</p>"""


@pytest.fixture
def other() -> Iterator[Site]:
    with Site({"/": HARBOUR}) as served:
        yield served


def stored(folder: Path) -> Iterator[tuple[str, bytes]]:
    """The bytes of every file, and of every cell of its tables, decompressed, in lower case."""
    for path in folder.rglob("*"):
        if path.is_file():
            yield str(path.relative_to(folder)), path.read_bytes().lower()
            if path.suffix in {".sqlite", ".sqlite3"}:
                yield from ((f"{path.name}: {table}", cell) for table, cell in cells(path))


def cells(path: Path) -> Iterator[tuple[str, bytes]]:
    with closing(sqlite3.connect(path)) as db:
        names = [row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type='table'")]
        for table in names:
            for row in db.execute(f"SELECT * FROM {table}"):  # noqa: S608
                for cell in row:
                    yield table, unpack(cell).lower()


def unpack(cell: object) -> bytes:
    if not isinstance(cell, bytes):
        return str(cell).encode()
    try:
        return zlib.decompress(cell)
    except zlib.error:
        return cell


def found(folder: Path, *words: bytes) -> set[str]:
    return {where for where, text in stored(folder) if any(word in text for word in words)}


def ask(forager: Forager, question: str, site: str, session: str, **env: str) -> None:
    options = "--site", site, "--allow-private", "127.0.0.1", "--session", session
    asked = forager("ask", question, *options, **env)
    assert asked.exit_code in {0, 3}, asked.output


def test_what_only_it_asked_read_and_taught_is_gone(
    forager: Forager, site: str, other: Site, tmp_path: Path
) -> None:
    data, memory = tmp_path / "data", {"FORAGER_MEMORY": "true"}
    ask(forager, QUESTION, site, "one", **memory)
    ask(forager, "Who dug the Vega harbour?", other.url(), "two", **memory)
    forager("search", "lighthouse", "--provider", "sites")
    with closing(Recipes(data / "recipes.sqlite")) as recipes:
        path = (Action(kind="click", target="e1", reason="the Skarn lighthouse"),)
        asyncio.run(recipes.keep(Recipe(question=QUESTION, site=site, actions=path)))
    with closing(SqliteBlobs(data / "blobs.sqlite")) as blobs:  # as a run leaves that is killed
        blobs.put(b"A page on paraffin that no step names yet.", "document")
    assert "Lindqvist" in forager("show", "one").output
    places = {where.partition(":")[0].split("/")[0] for where in found(data, *WORDS)}
    assert places >= {"sessions.sqlite", "checkpoints.sqlite", "blobs.sqlite", "memory"}
    gone = forager("delete", "one", "--forget", **memory)
    assert gone.exit_code == 0, gone.output
    assert found(data, *WORDS) == set()
    assert "Brenna" in forager("show", "two").output
    assert "Vega harbour" in forager("memory", "list", **memory).output
    export = tmp_path / "two.json"
    forager("export", "two", "--out", str(export))
    assert forager("verify", str(export)).exit_code == 0


def test_pages_that_another_session_read_stay(forager: Forager, site: str, tmp_path: Path) -> None:
    """Nor does text stay in the logs of files that somebody else has open."""
    data = tmp_path / "data"
    with ExitStack() as stack:
        for name in ("sessions.sqlite", "checkpoints.sqlite"):
            held = stack.enter_context(closing(open_connection(data / name)))
            held.execute("SELECT count(*) FROM sqlite_master").fetchone()  # opens its log, too
        ask(forager, QUESTION, site, "one")
        ask(forager, "How high is the Holm lighthouse?", site, "two")
        assert forager("delete", "one", "--forget").exit_code == 0
        assert found(data, b"who built the skarn") == set()
    assert "41" in forager("show", "two").output
    export = tmp_path / "two.json"
    forager("export", "two", "--out", str(export))
    assert forager("verify", str(export)).exit_code == 0


def test_without_forget_the_pages_stay(forager: Forager, site: str, tmp_path: Path) -> None:
    ask(forager, QUESTION, site, "one")
    assert forager("delete", "one", "--keep").exit_code == 0
    assert any("blobs.sqlite" in where for where in found(tmp_path / "data", b"lindqvist"))
