"""What lies in the data folder is for its owner alone, whatever the umask of the process is."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from forager.settings import Settings
from tests.old_data import unpack
from tests.ui.conftest import Forager
from tests.ui.server.api_client import called

QUESTION = "Who built the Skarn lighthouse?"


@pytest.fixture(autouse=True)
def open_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def open_to_others(folder: Path) -> list[str]:
    """What of a folder anybody but its owner may use."""
    return [
        f"{stat.filemode(path.stat().st_mode)} {path.relative_to(folder.parent)}"
        for path in (folder, *folder.rglob("*"))
        if path.stat().st_mode & 0o077
    ]


def test_what_a_run_leaves_is_for_its_owner_alone(
    forager: Forager, site: str, here: tuple[str, str], tmp_path: Path
) -> None:
    words = "ask", QUESTION, "--site", site, *here, "--session", "one"
    asked = forager(*words, FORAGER_MEMORY="true")
    assert asked.exit_code == 0, asked.output
    forager("search", "lighthouse", "--provider", "sites")
    forager("show", "one")
    assert len(list((tmp_path / "data" / "memory").rglob("*"))) > 5
    assert open_to_others(tmp_path / "data") == []


def test_what_the_server_keeps_is_for_its_owner_alone(tmp_path: Path) -> None:
    with called(Settings(data=tmp_path / "data")) as server:
        assert server.ask("/api/sessions").status == 200
        assert open_to_others(tmp_path / "data") == []


def test_a_folder_of_an_earlier_version_is_closed_to_others(
    forager: Forager, tmp_path: Path
) -> None:
    folder = unpack(tmp_path / "data")
    folder.chmod(0o755)
    assert open_to_others(folder)
    assert forager("sessions").exit_code == 0
    assert open_to_others(folder) == []


def test_a_folder_for_everybody_stays_open_but_its_files_do_not(
    forager: Forager, tmp_path: Path
) -> None:
    shared = tmp_path / "data"
    shared.mkdir()
    shared.chmod(0o1777)
    other = shared / "others.txt"
    other.touch(mode=0o644)
    forager("rename", "one", "A title")
    assert stat.S_IMODE(shared.stat().st_mode) == 0o1777
    assert (shared / "sessions.sqlite").exists()
    assert len(open_to_others(shared)) == 2  # itself, and what is not Forager's
    assert stat.S_IMODE(other.stat().st_mode) == 0o644
