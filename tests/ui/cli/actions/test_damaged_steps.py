"""Steps of sessions that were damaged: the session says so, can be deleted, and hides no other."""

import asyncio
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from forager.domain.spend import Budget
from forager.domain.state import Question
from tests.graphs.worker import opened
from tests.servers import Site
from tests.ui.conftest import Forager

CELLS = {
    "a step that is its own ancestor": "parent_checkpoint_id = checkpoint_id",
    "a step of another program": "checkpoint = x'c1'",
    "metadata of a step that are none": "metadata = '{'",
}


@pytest.fixture(scope="module")
def used(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with two sessions, `good` and `bad`."""
    folder = tmp_path_factory.mktemp("used")
    asyncio.run(fill(folder))
    return folder


async def fill(folder: Path) -> None:
    budget = Budget(rounds=1, steps=2, seconds=120)
    with Site(
        {"/": "<title>Skarn</title><p>The tower of Skarn was built by Ada Marsh.</p>"}
    ) as site:
        question = Question(
            text="Who built the tower of Skarn?", sites=(site.url(),), budget=budget
        )
        async with opened(folder, str(site.port)) as sessions:
            for id in ("good", "bad"):
                await sessions.run(await sessions.start(question, "forager", "offline", id))


@pytest.fixture
def folder(used: Path, tmp_path: Path) -> Path:
    """A copy of that folder."""
    return shutil.copytree(used, tmp_path / "data", dirs_exist_ok=True)


@pytest.mark.parametrize("case", CELLS)
def test_a_damaged_session_says_so_and_can_be_deleted(
    forager: Forager, folder: Path, tmp_path: Path, case: str
) -> None:
    with closing(sqlite3.connect(folder / "checkpoints.sqlite", isolation_level=None)) as db:
        db.execute(f"UPDATE checkpoints SET {CELLS[case]} WHERE thread_id = 'bad'")  # noqa: S608
    here = {"FORAGER_DATA": str(folder)}
    listed = forager("sessions", **here)
    assert (listed.exit_code, "good" in listed.stdout, "bad" in listed.stdout) == (0, True, True)
    file = str(tmp_path / "bad.zip")
    said = [forager("history", "bad", **here), forager("export", "bad", "--out", file, **here)]
    told = [each for each in said if each.exit_code]
    assert told
    for each in told:
        assert "The session 'bad' is damaged: " in each.stderr
        assert "Delete it: forager delete bad" in each.stderr
        assert len(each.stderr.strip().splitlines()) == 1
    assert forager("delete", "bad", **here).exit_code == 0
    assert "bad" not in forager("sessions", **here).stdout
    assert forager("export", "good", "--out", file, **here).exit_code == 0
