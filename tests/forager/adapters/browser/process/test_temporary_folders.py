"""Folders that a killed process left behind are swept by the next one."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from forager.adapters.browser.process.temporary_folders import make_folder

LEAVE = (
    "import os; from forager.adapters.browser.process.temporary_folders import make_folder;"
    "print(make_folder(), flush=True); os.kill(os.getpid(), 9)"
)


def test_a_folder_of_a_killed_process_is_swept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    killed = subprocess.run(
        [sys.executable, "-c", LEAVE], check=False, capture_output=True, text=True
    )
    left = Path(killed.stdout.strip())
    assert left.is_dir()
    (left / "download").write_text("half")
    (tmp_path / "forager-browser-old").mkdir()
    os.utime(tmp_path / "forager-browser-old", (0, 0))
    (tmp_path / "other").mkdir()
    first = make_folder()
    assert not left.exists()
    second = make_folder()
    assert sorted(tmp_path.iterdir()) == sorted([first, second, tmp_path / "other"])
