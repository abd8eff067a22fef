"""SQLite files are opened in write-ahead mode; caches of other versions are recreated."""

import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from forager.util.files import locked
from forager.util.sqlite import PATIENCE, open_cache, open_connection, write_transaction

TABLES = ("words", "numbers")
SCHEMA = ("CREATE TABLE words (word TEXT)", "CREATE TABLE numbers (number INTEGER)")


def words(path: Path, version: int = 3) -> list[str]:
    with closing(open_cache(path, version, TABLES, SCHEMA)) as db:
        return [word for (word,) in db.execute("SELECT word FROM words")]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A cache of version 3 with a word in it."""
    path = tmp_path / "deep" / "cache.sqlite"
    with closing(open_cache(path, 3, TABLES, SCHEMA)) as db, write_transaction(db):
        db.execute("INSERT INTO words VALUES ('lamp')")
    return path


def test_a_file_is_opened_in_write_ahead_mode(tmp_path: Path) -> None:
    with closing(open_connection(tmp_path / "file.sqlite")) as db:
        assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_the_mode_is_changed_by_one_at_a_time(path: Path, tmp_path: Path) -> None:
    """SQLite itself fails at once where somebody else writes, however long it may wait."""
    new = tmp_path / "new.sqlite"
    with ThreadPoolExecutor(1) as pool:
        with locked(new), closing(sqlite3.connect(new, isolation_level=None)) as first:
            first.execute("BEGIN IMMEDIATE")
            second = pool.submit(open_connection, new)
            with pytest.raises(TimeoutError):
                second.result(0.3)
            first.execute("COMMIT")
        with closing(second.result(PATIENCE)) as db:
            assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)


ELSEWHERE = """
import sys
from pathlib import Path
from forager.util.sqlite import open_connection
db = open_connection(Path(sys.argv[1]))
db.execute("INSERT INTO words VALUES ('bell')")
db.close()
"""


def test_a_second_connection_does_not_release_the_locks_of_the_first(path: Path) -> None:
    """Without them, another process deletes the log on which the first connection goes on."""
    with closing(open_connection(path)) as first:
        assert first.execute("SELECT count(*) FROM words").fetchone() == (1,)
        open_connection(path).close()
        subprocess.run([sys.executable, "-c", ELSEWHERE, str(path)], check=True)
        first.execute("INSERT INTO words VALUES ('horn')")
        assert path.with_name("cache.sqlite-wal").exists()
        with closing(open_connection(path)) as second:
            found = [word for (word,) in second.execute("SELECT word FROM words")]
    assert found == ["lamp", "bell", "horn"]


def test_a_cache_of_the_same_version_is_kept(path: Path) -> None:
    assert words(path) == ["lamp"]


@pytest.mark.parametrize("version", [0, 2, 4])
def test_a_cache_of_another_version_is_recreated(path: Path, version: int) -> None:
    assert words(path, version) == []
    assert words(path) == []


def test_a_cache_without_a_table_is_recreated(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("DROP TABLE numbers")
    assert words(path) == []


def fail_after_a_write(db: sqlite3.Connection) -> None:
    with write_transaction(db):
        db.execute("INSERT INTO words VALUES ('oil')")
        db.execute("INSERT INTO unknown VALUES (1)")


def test_a_transaction_that_fails_is_undone(path: Path) -> None:
    with closing(open_connection(path)) as db:
        with pytest.raises(sqlite3.OperationalError):
            fail_after_a_write(db)
        assert not db.in_transaction
    assert words(path) == ["lamp"]


def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "file.sqlite"
    path.write_bytes(b"no database" * 99)
    with pytest.raises(sqlite3.DatabaseError):
        open_cache(path, 3, TABLES, SCHEMA)
    assert path.read_bytes() == b"no database" * 99
