"""The content that an application keeps, as a digest: what a change of it is, is defined here.

Sessions, dates of the last visit, locks, caches and counters of looks are no content. Who is logged
in is asked of the application itself.
"""

import hashlib
import sqlite3
from collections.abc import Collection, Iterable
from contextlib import closing
from pathlib import Path


def tables(database: Path, without: Collection[str] = (), blind: Collection[str] = ()) -> str:
    """A digest of the rows of an SQLite database, without some tables and some columns."""
    digest = hashlib.sha256()
    with closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)) as connection:
        found = connection.execute("select name from sqlite_master where type = 'table'").fetchall()
        for (table,) in sorted(found):
            if table in without or table.startswith("sqlite_"):
                continue
            columns = connection.execute("select name from pragma_table_info(?)", (table,))
            kept = [f'"{name}"' for (name,) in columns if name not in blind]
            rows = connection.execute(f'select {", ".join(kept)} from "{table}"')  # noqa: S608
            digest.update(repr((table, sorted(map(repr, rows)))).encode())
    return digest.hexdigest()


def files(folder: Path, patterns: Iterable[str]) -> str:
    """A digest of the files that match."""
    digest = hashlib.sha256()
    for file in sorted({file for pattern in patterns for file in folder.glob(pattern)}):
        if file.is_file():
            digest.update(repr((file.relative_to(folder).as_posix(), file.read_bytes())).encode())
    return digest.hexdigest()
