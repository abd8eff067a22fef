"""The tables of a data folder are brought to the newest revision, from the first one on."""

import sqlite3
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import create_engine

from forager.adapters.store.migrations import alembic_runner
from forager.adapters.store.sessions.session_store import SessionStore
from forager.adapters.store.sessions.session_tables import TABLES
from forager.adapters.store.store_files import HEADS, open_tables, upgrade_tables
from forager.errors import StoreError
from forager.util.place import Tables
from tests.forager.adapters.store.opener import session
from tests.old_data import ARCHIVE, unpack

FIRST_RELEASE = """
CREATE TABLE sessions (
    id VARCHAR(64) NOT NULL, created FLOAT NOT NULL, changed FLOAT NOT NULL,
    question TEXT NOT NULL, graph VARCHAR(200) NOT NULL, graph_hash VARCHAR(64) NOT NULL,
    graph_body TEXT NOT NULL, model TEXT NOT NULL, status VARCHAR(20) NOT NULL,
    error TEXT NOT NULL, mend TEXT NOT NULL, asked VARCHAR(20) NOT NULL, PRIMARY KEY (id)
)
"""
ROW = (
    *("old", 1.0, 2.0, '{"text": "Which?", "sites": []}', "forager", "hash", "{}", "offline"),
    *("answered", "", "", ""),
)
BIG = "data-folder-0.1.tar.gz"
ROUNDS = 4
WORKERS = 3

Shape = dict[str, set[tuple[object, ...]]]


def shape(path: Path) -> Shape:
    """Each table of a file with its columns, in any order."""
    with closing(sqlite3.connect(path)) as db:
        names = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE sql != ''")]
        return {
            name: {row[1:] for row in db.execute(f"PRAGMA table_info({name})")} for name in names
        }


def rows(path: Path, table: str, columns: str = "*") -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as db:
        return db.execute(f"SELECT {columns} FROM {table}").fetchall()  # noqa: S608


def write_first_release(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(FIRST_RELEASE)
        db.execute("INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", ROW)


@pytest.fixture(params=["small", "big"])
def old(request: pytest.FixtureRequest, tmp_path: Path, public: Callable[[str], Path]) -> Path:
    """A data folder of version 0.1."""
    archive = ARCHIVE if request.param == "small" else public(BIG)
    return unpack(tmp_path / "old", archive)


def test_the_heads_are_those_of_the_scripts() -> None:
    assert set(alembic_runner.script_directory().get_heads()) == set(HEADS.values())
    for tables, head in HEADS.items():
        assert alembic_runner.script_directory().get_revision(f"{tables}@head").revision == head


def test_the_revisions_make_the_tables_that_the_program_uses(tmp_path: Path) -> None:
    upgrade_tables(tmp_path / "sessions.sqlite", "sessions")
    engine = create_engine(f"sqlite:///{tmp_path / 'declared.sqlite'}")
    TABLES.create_all(engine)
    engine.dispose()
    made = shape(tmp_path / "sessions.sqlite")
    del made["alembic_version"]
    assert made == shape(tmp_path / "declared.sqlite")


@pytest.mark.parametrize("tables", HEADS)
def test_a_new_file_has_what_the_revisions_make(tmp_path: Path, tables: Tables) -> None:
    """If not, a revision is new: run `python -m scripts.newest_tables`."""
    alembic_runner.upgrade_file(tmp_path / "upgraded", tables, 30)
    open_tables(tmp_path / "new", tables).close()
    for what in ("sqlite_master", "alembic_version"):
        columns = "type, name, tbl_name, sql" if what == "sqlite_master" else "*"
        assert rows(tmp_path / "new", what, columns) == rows(tmp_path / "upgraded", what, columns)


def test_a_file_of_the_first_release_is_used_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "sessions.sqlite"
    write_first_release(path)
    upgrade_tables(tmp_path / "fresh.sqlite", "sessions")
    for title in ("", "Emperors"):
        with closing(SessionStore(path)) as store:
            kept = store.get("old")
            assert (kept.title, kept.forked_from, kept.forked_step, kept.pages) == (title, "", 0, 0)
            assert kept.question.hints == ()
            store.set_columns("old", title="Emperors")
            assert store.list() == (store.get("old"),)
    assert shape(path) == shape(tmp_path / "fresh.sqlite")


@pytest.mark.parametrize("tables", HEADS)
def test_upgrade_keeps_rows_of_version_0_1(old: Path, tmp_path: Path, tables: Tables) -> None:
    path, fresh = old / f"{tables}.sqlite", tmp_path / "fresh.sqlite"
    if not path.exists():
        return  # a folder has what was needed in it
    columns = {
        table: ", ".join(str(column[0]) for column in of) for table, of in shape(path).items()
    }
    before = {table: rows(path, table, of) for table, of in columns.items()}
    open_tables(path, tables).close()
    open_tables(fresh, tables).close()
    assert {table: rows(path, table, of) for table, of in columns.items()} == before
    assert rows(path, "alembic_version") == [(HEADS[tables],)]
    assert shape(fresh).items() <= shape(path).items()


def test_downgrade_restores_each_revision(old: Path) -> None:
    path = old / "sessions.sqlite"
    upgrade_tables(path, "sessions")
    with closing(sqlite3.connect(path)) as db:
        ids = db.execute("SELECT id, question FROM sessions").fetchall()
    newest = shape(path)
    alembic_runner.downgrade_file(path, 30, "sessions_1")
    first = shape(path)
    assert set(first) == {"sessions", "events", "replies", "alembic_version"}
    assert "title" not in {column[0] for column in first["sessions"]}
    upgrade_tables(path, "sessions")
    assert shape(path) == newest
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT id, question FROM sessions").fetchall() == ids
    alembic_runner.downgrade_file(path, 30, "base")
    assert set(shape(path)) == {"alembic_version"}


def test_answers_of_before_are_to_be_rated(old: Path) -> None:
    path = old / "sessions.sqlite"
    upgrade_tables(path, "sessions")
    alembic_runner.downgrade_file(path, 30, "sessions_9")
    doubts = "SELECT DISTINCT status = 'answered' AS ended, doubt FROM sessions ORDER BY ended"
    with closing(sqlite3.connect(path)) as db, db:
        assert {doubt for _, doubt in db.execute(doubts)} == {""}
        db.execute("UPDATE sessions SET status = 'unfinished'")
        one = "(SELECT min(id) FROM sessions)"
        db.execute(f"UPDATE sessions SET status = 'answered' WHERE id = {one}")  # noqa: S608
    upgrade_tables(path, "sessions")
    with closing(sqlite3.connect(path)) as db:
        found = dict(db.execute(doubts).fetchall())
    assert found.pop(1) == "unrated"
    assert set(found.values()) <= {""}


@pytest.mark.parametrize("tables", HEADS)
def test_every_history_downgrades_to_base_and_upgrades_again(
    tmp_path: Path, tables: Tables
) -> None:
    path = tmp_path / "file.sqlite"
    upgrade_tables(path, tables)
    newest = shape(path)
    alembic_runner.downgrade_file(path, 30, "base")
    assert set(shape(path)) <= {"alembic_version", "sqlite_sequence"}
    upgrade_tables(path, tables)
    assert shape(path) == newest


def test_an_upgrade_that_fails_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "sessions.sqlite"
    write_first_release(path)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("CREATE INDEX steers ON sessions (id)")
    before = shape(path)
    with pytest.raises(StoreError, match="steers"):
        upgrade_tables(path, "sessions")
    assert shape(path) == before
    assert rows(path, "sessions") == [ROW]


def test_a_file_of_a_newer_revision_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "sessions.sqlite"
    upgrade_tables(path, "sessions")
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE alembic_version SET version_num = 'sessions_99'")
    with pytest.raises(StoreError, match=r"sessions\.sqlite was written by a newer Forager"):
        SessionStore(path)


def test_a_file_that_is_new_or_up_to_date_needs_no_alembic(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path;"
        "from forager.adapters.store.sessions.session_store import SessionStore;"
        "SessionStore(Path(sys.argv[1])).close(); SessionStore(Path(sys.argv[1])).close();"
        "print('alembic' in sys.modules)"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "sessions.sqlite")]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "False\n"


def test_threads_open_a_new_folder_at_once(tmp_path: Path) -> None:
    def keep(number: int) -> None:
        with closing(SessionStore(tmp_path / f"{number % 4}" / "sessions.sqlite")) as store:
            store.create(session(f"s{number}"))

    with ThreadPoolExecutor(16) as threads:
        list(threads.map(keep, range(16)))
    for folder in range(4):
        with closing(SessionStore(tmp_path / f"{folder}" / "sessions.sqlite")) as store:
            assert len(store.list()) == 4


def test_processes_open_a_folder_at_once(tmp_path: Path) -> None:
    """Half of the folders are new, half of version 0.1."""
    folders = [tmp_path / f"{number}" for number in range(ROUNDS)]
    for folder in folders[::2]:
        unpack(folder)
    command = [sys.executable, "-m", "tests.forager.adapters.store.opener"]
    workers = [
        subprocess.Popen(
            [*command, f"w{number}"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for number in range(WORKERS)
    ]
    said = []
    for folder in folders:
        for worker in workers:
            assert worker.stdin
            worker.stdin.write(f"{folder}\n")
            worker.stdin.flush()
        said += [worker.stdout.readline() for worker in workers if worker.stdout]
    for worker in workers:
        worker.communicate()
    assert said == ["ok\n"] * ROUNDS * WORKERS
    for folder in folders:
        kept = {row[0] for row in rows(folder / "sessions.sqlite", "sessions")}
        assert kept >= {f"w{number}" for number in range(WORKERS)}
