"""Which blobs the sessions of a data folder name, and how deleted text leaves its files."""

import re
import sqlite3
import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path

from forager.adapters.store.sessions.session_records import session_of
from forager.adapters.store.store_files import open_tables, translate_errors
from forager.util.sqlite import open_connection

DIGEST = re.compile(rb"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")
OWNERS = "session", "thread_id", "id"
"""Columns that name the session or thread of a row, in the order of their precedence."""
FILES = "sessions.sqlite", "checkpoints.sqlite"


def read_references(data: Path) -> Mapping[str, frozenset[str]]:
    """The blobs that each session names anywhere in its rows and checkpoints. Raises StoreError.

    Those that its views name in turn are among them, and perhaps digests that name no blob.
    """
    found: defaultdict[str, set[str]] = defaultdict(set)
    for name in FILES:
        path = data / name
        if not path.exists():
            continue
        with translate_errors(path), closing(open_connection(path)) as db:
            for owner, digest in _read_digests(db):
                found[session_of(owner)].add(digest)
    nested = _read_nested(data / "blobs.sqlite")
    return {
        session: frozenset(digests).union(*(nested.get(each, ()) for each in digests))
        for session, digests in found.items()
    }


def scrub_file(path: Path) -> None:
    """Rewrite a file without what was deleted from it, its write-ahead log included.

    Raises StoreError.
    """
    if path.exists():
        with translate_errors(path), closing(open_connection(path)) as db:
            db.execute("VACUUM")
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def _read_nested(path: Path) -> dict[str, frozenset[str]]:
    """What the views among the blobs name, and blobs of an older version that may be views."""
    if not path.exists():
        return {}
    with translate_errors(path), closing(open_tables(path, "blobs")) as db:
        rows = db.execute("SELECT digest, body FROM blobs WHERE kind IN ('view', '')")
        found = ((digest, DIGEST.findall(_unpack(body))) for digest, body in rows)
        return {digest: frozenset(each.decode() for each in named) for digest, named in found}


def _read_digests(db: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    for table in tables:
        columns = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
        owner = next((name for name in OWNERS if name in columns), None)
        if owner is None:
            continue
        for row in db.execute(f"SELECT {owner}, * FROM {table}"):  # noqa: S608
            for cell in row[1:]:
                for digest in DIGEST.findall(_unpack(cell)):
                    yield str(row[0]), digest.decode()


def _unpack(cell: object) -> bytes:
    """The bytes of a cell, decompressed if they are compressed."""
    if isinstance(cell, str):
        return cell.encode()
    if not isinstance(cell, bytes):
        return b""
    try:
        return zlib.decompress(cell)
    except zlib.error:
        return cell
