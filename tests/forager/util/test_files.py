"""Files are written atomically."""

import subprocess
import sys
from pathlib import Path

import pytest

from forager.util.files import atomic_write, locked

ADDER = f"""
import sys
from pathlib import Path
from {locked.__module__} import locked, atomic_write
path = Path(sys.argv[1])
for _ in range(50):
    with locked(path), atomic_write(path) as fresh:
        fresh.write_text(str(int(path.read_text()) + 1))
"""


def test_concurrent_writers_do_not_interfere(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "index"
    with atomic_write(path) as one, atomic_write(path) as other:
        one.write_text("one")
        other.write_text("other")
        assert not path.exists()
    assert path.read_text() == "one"
    assert [*path.parent.iterdir()] == [path]


def test_a_file_is_readable_only_by_its_owner(tmp_path: Path) -> None:
    with atomic_write(tmp_path / "key") as fresh:
        assert fresh.stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600


def test_the_old_file_stays_if_the_body_fails(tmp_path: Path) -> None:
    path = tmp_path / "index"
    path.write_text("old")
    with pytest.raises(UnicodeEncodeError), atomic_write(path) as fresh:
        fresh.write_text("half, and then \udc00", encoding="utf-8")
    assert path.read_text() == "old"
    assert [*tmp_path.iterdir()] == [path]


def test_locked_changes_of_several_processes_are_sequential(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "count"
    with locked(path):
        path.write_text("0")
    adding = [subprocess.Popen([sys.executable, "-c", ADDER, str(path)]) for _ in range(3)]
    assert [each.wait() for each in adding] == [0, 0, 0]
    assert path.read_text() == "150"
