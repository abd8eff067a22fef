"""The table revision of each file in the data folder; files with older tables are upgraded."""

import sqlite3
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Literal

from forager.adapters.store.store_errors import translate_errors
from forager.data_folder import claim_folder
from forager.util.sqlite import PATIENCE, open_connection, write_transaction

Tables = Literal["sessions", "checkpoints", "blobs", "graphs", "drafts", "recipes"]
HEADS: dict[Tables, str] = {
    "sessions": "sessions_3",
    "checkpoints": "checkpoints_1",
    "blobs": "blobs_2",
    "graphs": "graphs_1",
    "drafts": "drafts_1",
    "recipes": "recipes_1",
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
