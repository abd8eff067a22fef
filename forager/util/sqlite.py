"""Opens SQLite files in write-ahead mode, and recreates caches of another version."""

import logging
import sqlite3
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from forager.util.files import create_private, locked, make_private_folder, set_folder_aside

LOG = logging.getLogger(__name__)
PATIENCE = 30.0
"""Seconds to wait for a locked file."""
DAMAGE_CODES = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})


def open_connection(path: Path, patience: float = PATIENCE) -> sqlite3.Connection:
    """Open a connection that any thread may use.

    The file and its folder are created if needed, for their owner alone.

    Raises sqlite3.Error and OSError.
    """
    make_private_folder(path.parent)
    with suppress(OSError):  # SQLite says better what is the matter
        create_private(path)
    db = sqlite3.connect(path, patience, isolation_level=None, check_same_thread=False)
    db.text_factory = decode_leniently
    try:
        if db.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
            # SQLite does not wait for another process that changes the mode at the same time.
            with locked(path):
                db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=NORMAL")
    except (sqlite3.Error, OSError):
        db.close()
        raise
    return db


def decode_leniently(text: bytes) -> str:
    """For `text_factory`: bytes that are not UTF-8 become unknown characters and hide no row."""
    return text.decode("utf-8", "replace")


def open_cache(
    path: Path, version: int, tables: Collection[str], schema: Iterable[str]
) -> sqlite3.Connection:
    """Open a cache; its tables are dropped and recreated if their `version` differs.

    Raises sqlite3.Error and OSError.
    """
    db = open_connection(path)
    try:
        if not _fits(db, version, tables):
            with write_transaction(db):
                if not _fits(db, version, tables):  # another process may have created them
                    for table in tables:
                        db.execute(f"DROP TABLE IF EXISTS {table}")
                    for statement in schema:
                        db.execute(statement)
                    db.execute(f"PRAGMA user_version = {version}")
    except sqlite3.Error:
        db.close()
        raise
    return db


def is_damage(error: BaseException | None, path: Path) -> bool:
    """Whether an error says that the file is damaged, or no database, or a folder."""
    if not isinstance(error, sqlite3.Error):
        return False
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in DAMAGE_CODES or path.is_dir()


def discard_cache(path: Path) -> None:
    """Delete a damaged file, which is then made anew. A folder is set aside. Raises OSError."""
    LOG.warning("%s was damaged and is made anew.", path)
    set_folder_aside(path)
    for end in ("", "-wal", "-shm"):
        path.with_name(path.name + end).unlink(missing_ok=True)


@contextmanager
def write_transaction(db: sqlite3.Connection) -> Iterator[None]:
    """A transaction that holds the write lock from its beginning."""
    with db:
        db.execute("BEGIN IMMEDIATE")
        yield


def _fits(db: sqlite3.Connection, version: int, tables: Collection[str]) -> bool:
    existing = {name for (name,) in db.execute("SELECT name FROM sqlite_master")}
    return (
        existing.issuperset(tables) and db.execute("PRAGMA user_version").fetchone()[0] == version
    )
