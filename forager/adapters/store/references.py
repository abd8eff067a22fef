"""Which blobs the sessions name, and how deleted text leaves the files."""

import re
import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, inspect

from forager.adapters.store.blob_store import has_blobs, open_blob_store
from forager.adapters.store.database import look_into
from forager.adapters.store.sessions.session_records import session_of
from forager.adapters.store.store_files import translate_errors
from forager.settings import Settings
from forager.util.place import Place, Tables
from forager.util.sqlite import open_connection

DIGEST = re.compile(rb"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")
OWNERS = "session", "thread_id", "id"
"""Columns that name the session or thread of a row, in the order of their precedence."""
NAMING: Final[tuple[Tables, ...]] = ("sessions", "checkpoints")
UNNAMING = frozenset({"recipes", "drafts", "messages"})
"""Tables that have such a column, too, but name no blob: on a server they stand beside."""


def read_references(settings: Settings) -> Mapping[str, frozenset[str]]:
    """The blobs that each session names anywhere in its rows and checkpoints. Raises StoreError.

    Those that its views name in turn are among them, and perhaps digests that name no blob.
    """
    found: defaultdict[str, set[str]] = defaultdict(set)
    for tables in NAMING:
        if (place := settings.place(tables)).exists():
            with look_into(place) as db:
                for owner, digest in _read_digests(db):
                    found[session_of(owner)].add(digest)
            if not isinstance(place, Path):
                break  # a server has all tables in one database
    nested = _read_nested(settings)
    return {
        session: frozenset(digests).union(*(nested.get(each, ()) for each in digests))
        for session, digests in found.items()
    }


def scrub_place(place: Place) -> None:
    """Rewrite a file without what was deleted from it, its write-ahead log included.

    A server does so by itself. Raises StoreError.
    """
    if isinstance(place, Path) and place.exists():
        with translate_errors(place), closing(open_connection(place)) as db:
            db.execute("VACUUM")
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def _read_nested(settings: Settings) -> dict[str, frozenset[str]]:
    """What the views among the blobs name, and blobs of an older version that may be views."""
    if not has_blobs(settings):
        return {}
    with open_blob_store(settings) as blobs:
        found = ((digest, DIGEST.findall(view)) for digest, view in blobs.read_views())
        return {digest: frozenset(each.decode() for each in named) for digest, named in found}


def _read_digests(db: Connection) -> Iterator[tuple[str, str]]:
    look = inspect(db)
    for table in look.get_table_names():
        columns = [column["name"] for column in look.get_columns(table)]
        owner = next((name for name in OWNERS if name in columns), None)
        if owner is None or table in UNNAMING:
            continue
        query = f"SELECT {owner}, {table}.* FROM {table}"  # noqa: S608  names of ours
        for row in db.execution_options(stream_results=True).exec_driver_sql(query):
            for cell in row[1:]:
                for digest in DIGEST.findall(_unpack(cell)):
                    yield str(row[0]), digest.decode()


def _unpack(cell: object) -> bytes:
    """The bytes of a cell, decompressed if they are compressed."""
    if isinstance(cell, str | dict):
        return str(cell).encode()
    if not isinstance(cell, bytes):
        return b""
    try:
        return zlib.decompress(cell)
    except zlib.error:
        return cell
