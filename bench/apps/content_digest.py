"""Digests of an application's content; a changed digest means an action had a side effect.

Sessions, last-visit dates, locks, caches and view counters do not count as content. Who is logged
in is asked of the application itself.
"""

import hashlib
import sqlite3
from collections.abc import Collection, Iterable
from contextlib import closing
from pathlib import Path


def digest_tables(
    database: Path, without: Collection[str] = (), blind: Collection[str] = ()
) -> str:
    """Return a digest of all rows of an SQLite database but those of `without` tables.

    Columns named in `blind` are left out.
    """
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


def digest_files(folder: Path, patterns: Iterable[str]) -> str:
    """Return a digest of the files in `folder` that match any of the glob patterns."""
    digest = hashlib.sha256()
    for file in sorted({file for pattern in patterns for file in folder.glob(pattern)}):
        if file.is_file():
            digest.update(repr((file.relative_to(folder).as_posix(), file.read_bytes())).encode())
    return digest.hexdigest()
