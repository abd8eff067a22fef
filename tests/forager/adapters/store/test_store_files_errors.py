import os
import sqlite3
from pathlib import Path

import pytest

from forager.adapters.store.store_files import store_error
from forager.data_folder import claim_folder
from forager.errors import StoreError

NOBODY = 65534


@pytest.mark.parametrize("end", ["", "-wal", "-shm"])
def test_the_read_only_file_is_named(tmp_path: Path, end: str) -> None:
    """It may be one that SQLite made beside the file, and that stays so."""
    path = tmp_path / "sessions.sqlite"
    for each in ("", "-wal", "-shm"):
        path.with_name(path.name + each).touch(0o600)
    path.with_name(path.name + end).chmod(0o400)
    found = store_error(sqlite3.OperationalError("attempt to write a readonly database"), path)
    assert found.what == f"{path}{end} is read-only."
    assert found.mend == f"Make it writable: chmod u+w {path}{end}"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_the_folder_of_another_user_is_told(tmp_path: Path) -> None:
    claim_folder(tmp_path)
    tmp_path.chmod(0o700)
    os.seteuid(NOBODY)
    try:
        with pytest.raises(StoreError, match="cannot be read: permission denied"):
            claim_folder(tmp_path)
    finally:
        os.seteuid(0)
