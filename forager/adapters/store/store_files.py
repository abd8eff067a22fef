"""The SQLite files of the data folder: opened with their tables upgraded, errors as StoreErrors.

Each file has a table revision; those with older tables are upgraded. Errors of SQLite and of the
disk are translated to StoreError with a remedy.
"""

import sqlite3
import stat
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from forager.data_folder import claim_folder
from forager.errors import StoreError
from forager.util.place import Tables
from forager.util.sqlite import PATIENCE, open_connection, write_transaction

HEADS: dict[Tables, str] = {
    "sessions": "sessions_10",
    "checkpoints": "checkpoints_1",
    "blobs": "blobs_2",
    "graphs": "graphs_1",
    "drafts": "drafts_1",
    "recipes": "recipes_1",
    "webhooks": "webhooks_1",
    "accounts": "accounts_1",
    "crawls": "crawls_1",
}
"""The newest revision of each history in `migrations/versions`."""
NEWEST_TABLES = Path(__file__).parent / "migrations" / "newest_tables"
"""What the revisions make of an empty file, as SQL; `scripts/newest_tables.py` writes it."""


def open_tables(path: Path, tables: Tables, patience: float = PATIENCE) -> sqlite3.Connection:
    """Open a file and bring its tables to this program's revision. Raises StoreError.

    Importing Alembic takes as long as importing the rest of the program, so only upgrades do it;
    an empty file gets its tables at once.
    """
    claim_folder(path.parent)
    with ExitStack() as unfinished:
        with translate_errors(path):
            db = unfinished.enter_context(closing(open_connection(path, patience)))
            current = read_revision(db) or create_tables(db, tables)
        if current != HEADS[tables]:
            from forager.adapters.store.migrations import alembic_runner

            alembic_runner.upgrade_file(path, tables, patience)
        unfinished.pop_all()
    return db


def upgrade_tables(path: Path, tables: Tables, patience: float = PATIENCE) -> None:
    """Bring a file's tables to this program's revision. Raises StoreError."""
    with closing(open_tables(path, tables, patience)):
        pass


def create_tables(db: sqlite3.Connection, tables: Tables) -> str:
    """Make the tables of an empty file, which another process may have done by now.

    Returns the revision of the tables, which is empty for those of version 0.1. Raises
    sqlite3.Error.
    """
    script = (NEWEST_TABLES / f"{tables}.sql").read_text(encoding="utf-8")
    with write_transaction(db):
        if db.execute("SELECT 1 FROM sqlite_master").fetchone():
            return read_revision(db)
        for statement in script.split(";\n"):
            db.execute(statement)
    return HEADS[tables]


def read_revision(db: sqlite3.Connection) -> str:
    """The revision of a file's tables; empty for a new file and for one of version 0.1."""
    has_revision = "SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'"
    if not db.execute(has_revision).fetchone():
        return ""
    row = db.execute("SELECT version_num FROM alembic_version").fetchone()
    return str(row[0]) if row else ""


FULL = ("disk is full", "disk i/o error", "no space left", "file too large", "quota")
READ_ONLY = "readonly database"
LOCKED = ("is locked", "is busy", "table is locked")
OWN_LOSS = "what it holds is lost then"
LOST = {
    "sessions.sqlite": "the list of your sessions is lost then, stored pages are not",
    "checkpoints.sqlite": "the steps of your sessions are lost then, stored pages are not",
    "blobs.sqlite": "stored pages are lost then, and fetched anew where they are needed",
    "graphs.sqlite": "the graphs that you saved are lost then",
    "accounts.sqlite": "accounts, their tokens and shares are lost then",
    "drafts.sqlite": "unsaved changes of graphs are lost then",
}
"""What a file holds, so that its loss can be weighed."""
DAMAGED = ("not a database", "malformed", "corrupt", "encrypted")


def store_error(error: Exception, path: Path) -> StoreError:
    """The StoreError that says what happened to the file and how to mend it."""
    message = str(error).lower()
    if any(word in message for word in FULL):
        return StoreError(
            f"The disk is full: {path} could not be written.", "Free some space and resume."
        )
    if any(word in message for word in LOCKED):
        return StoreError(
            f"{path} is locked by another program.", "Close that program and try again."
        )
    if any(word in message for word in DAMAGED):
        return StoreError(
            f"{path} is damaged and cannot be read.",
            f"Restore a copy, or move it away with its -wal file; {LOST.get(path.name, OWN_LOSS)}.",
        )
    if READ_ONLY in message and (kept := _find_read_only(path)):
        return StoreError(f"{kept} is read-only.", f"Make it writable: chmod u+w {kept}")
    if isinstance(error, FileExistsError | NotADirectoryError) or path.is_dir():
        what = (
            f"{path} is a folder, not a file" if path.is_dir() else f"{path.parent} is not a folder"
        )
        return StoreError(f"{what}.", "Move it away and try again.")
    return StoreError(
        f"{path} cannot be used: {error}.",
        "Set FORAGER_DATA to a folder that can be read and written.",
    )


def _find_read_only(path: Path) -> Path | None:
    """The read-only one among a file and what SQLite has beside it.

    SQLite gives these the mode that the file has at that moment, and keeps it.
    """
    beside = (path.with_name(path.name + end) for end in ("", "-wal", "-shm"))
    return next((each for each in beside if each.exists() and not _is_writable(each)), None)


def _is_writable(path: Path) -> bool:
    """May the owner write the file?"""
    return bool(path.stat().st_mode & stat.S_IWUSR)


@contextmanager
def translate_errors(path: Path) -> Iterator[None]:
    """Raise StoreError for what SQLite or the file system raises in the body."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise store_error(error, path) from error
