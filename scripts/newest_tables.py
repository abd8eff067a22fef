"""Writes what the revisions make of an empty file, as SQL, so that a new file needs no Alembic."""

import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

from forager.adapters.store.migrations.alembic_runner import upgrade_file
from forager.adapters.store.store_files import HEADS, NEWEST_TABLES


def main() -> None:
    """Write one file of statements for each history of tables."""
    with tempfile.TemporaryDirectory() as folder:
        for tables, head in HEADS.items():
            path = Path(folder) / f"{tables}.sqlite"
            upgrade_file(path, tables, patience=1)
            revision = f"INSERT INTO alembic_version VALUES ({head!r})"  # noqa: S608  a name of ours
            statements = [*_statements(path), revision]
            (NEWEST_TABLES / f"{tables}.sql").write_text(";\n".join(statements), encoding="utf-8")


def _statements(path: Path) -> list[str]:
    made = "SELECT sql FROM sqlite_master WHERE sql != '' AND name NOT LIKE 'sqlite_%'"
    with closing(sqlite3.connect(path)) as db:
        return [str(sql) for (sql,) in db.execute(made)]


if __name__ == "__main__":
    main()
