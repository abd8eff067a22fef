"""A data folder that a newer Forager wrote is refused in one line and left as it is."""

import sqlite3
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import ormsgpack
import pytest

from forager.adapters.store.sessions.session_store import SessionStore
from forager.data_folder import FILE, VERSION
from forager.errors import StoreError
from forager.settings import Settings
from graphs.sessions.service import open_sessions
from tests.old_data import unpack
from tests.ui.conftest import Forager

NEWER = "9.1"
VERBS = (
    ("sessions",),
    ("show", "answered"),
    ("history", "answered"),
    ("export", "answered"),
    ("ask", "Who?", "--site", "http://127.0.0.1:1/", "--allow-private", "127.0.0.1"),
    ("resume", "paused"),
    ("delete", "answered"),
    ("search", "lamp", "--provider", "sites"),
    ("graph", "list"),
    ("recipes", "list"),
    ("memory", "list"),
    ("doctor",),
    ("ui", "--no-browser"),
)


def contents(folder: Path) -> dict[str, str]:
    """Each file of a folder with a digest of its bytes."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): sha256(path.read_bytes()).hexdigest() for path in files}


@pytest.fixture(scope="module")
def newer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = unpack(tmp_path_factory.mktemp("newer") / "data")
    (folder / FILE).write_text(f"{NEWER}\n")
    return folder


@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
def test_every_verb_refuses_it(forager: Forager, newer: Path, verb: tuple[str, ...]) -> None:
    before = contents(newer)
    refused = forager(*verb, FORAGER_DATA=str(newer))
    assert refused.exit_code == 1
    assert refused.stdout == ""
    (line,) = refused.stderr.splitlines()
    assert line == (
        f"Error: The data folder {newer} was written by Forager {NEWER}, which is newer than this "
        f"Forager ({VERSION}). Install Forager {NEWER} or newer, or set FORAGER_DATA to another "
        "folder."
    )
    assert contents(newer) == before


async def test_the_library_refuses_it(newer: Path) -> None:
    before = contents(newer)
    async with open_sessions(Settings(data=newer)) as sessions:
        with pytest.raises(StoreError, match=f"written by Forager {NEWER}"):
            await sessions.listing.all()
    assert contents(newer) == before


def test_an_older_folder_is_brought_up_to_date(forager: Forager, tmp_path: Path) -> None:
    folder = unpack(tmp_path / "old")
    listed = forager("sessions", FORAGER_DATA=str(folder))
    assert listed.exit_code == 0
    assert len(listed.stdout.splitlines()) == 10
    assert (folder / FILE).read_text() == f"{VERSION}\n"


@pytest.mark.parametrize("text", ["", "new", "1.x", "\xff"])
def test_a_version_that_cannot_be_read_is_told(forager: Forager, tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text, encoding="latin-1")
    refused = forager("sessions", FORAGER_DATA=str(tmp_path))
    assert refused.exit_code == 1
    assert "VERSION does not contain a version. If this Forager wrote the folder" in refused.stderr


def test_an_older_version_is_replaced_and_a_newer_minor_is_refused(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("0.1.9\n")
    SessionStore(tmp_path / "sessions.sqlite").close()
    assert (tmp_path / FILE).read_text() == f"{VERSION}\n"
    (tmp_path / FILE).write_text(f"{VERSION}.1\n")
    with (
        pytest.raises(StoreError, match="is newer"),
        closing(SessionStore(tmp_path / "sessions.sqlite")),
    ):
        pass


@pytest.mark.parametrize("verb", ["show", "resume", "export"])
def test_a_session_of_a_newer_state_is_refused(forager: Forager, tmp_path: Path, verb: str) -> None:
    folder = unpack(tmp_path / "old")
    with closing(sqlite3.connect(folder / "checkpoints.sqlite")) as db, db:
        db.execute(
            "UPDATE pieces SET value = ? WHERE thread_id = 'paused' AND digest IN "
            "(SELECT lower(hex(digests)) FROM channel_values WHERE channel = 'state_version')",
            (ormsgpack.packb(99),),
        )
    data = {"FORAGER_DATA": str(folder), "FORAGER_ALLOW_PRIVATE": '["127.0.0.1"]'}
    refused = forager(verb, "paused", **data)
    assert refused.exit_code == 1
    *_, line = refused.stderr.splitlines()
    assert line.startswith("Error: A newer Forager wrote this session: its state has version 99, ")
    assert line.endswith("Install the newest Forager.")
    assert forager("show", "killed", **data).exit_code == 0
    assert len(forager("sessions", **data).stdout.splitlines()) == 10
