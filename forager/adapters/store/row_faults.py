"""What is wrong in the tables of sessions and checkpoints: rows lost, doubled or left behind."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, Literal, NamedTuple

from sqlalchemy import Connection, select

from forager.adapters.store.blob_store import has_blobs, open_blob_store
from forager.adapters.store.checkpoints.checkpoint_tables import FILE_TABLES, SERVER_TABLES
from forager.adapters.store.checkpoints.value_pieces import split_digests
from forager.adapters.store.database import has_table, look_into
from forager.adapters.store.references import NAMING
from forager.adapters.store.sessions.session_records import UNDER_WAY, session_of, thread_of
from forager.adapters.store.store_files import translate_errors
from forager.errors import MissingBlobError
from forager.settings import Settings
from forager.util.sqlite import open_connection

FaultKind = Literal["lost", "twice", "unreadable", "missing", "left"]
OF_SESSIONS = "events", "replies", "turns", "remembered"
OF_THREADS = "paid", "pleas", "steers", "let_go"
DOUBLED_EVENTS = """
SELECT session, min(message), count(*) FROM events GROUP BY session, time HAVING count(*) > 1
    AND count(DISTINCT node || '~' || kind || '~' || message || '~' || data) = 1
"""
"""A time at which nothing but the same event stands. While a clock stands still, others do, too."""


class Fault(NamedTuple):
    """Something lost, twice, unreadable or left behind; `where` names the session or the file.

    A `missing` page, view or picture of a session is not stored any more, and can be fetched anew.
    """

    kind: FaultKind
    where: str
    what: str


def find_row_faults(settings: Settings, *, quick: bool = False) -> tuple[Fault, ...]:
    """The faults in the stored rows, but for those in the sense of their values.

    A `quick` look reads the sessions and their steps alone, no pages. Raises StoreError for a file
    that cannot be opened.
    """
    return tuple(_find_faults(settings, quick=quick))


def _find_faults(settings: Settings, *, quick: bool) -> Iterator[Fault]:
    yield from _check_files(settings.data, quick=quick)
    place = settings.place("sessions")
    if not has_table(place, "sessions"):
        return
    with look_into(place) as db:
        turns = _read_turns(db)
        status = dict(_rows(db, "SELECT id, status FROM sessions"))
        yield from _check_turns(turns)
        yield from _find_doubled_events(db)
        yield from _find_left_rows(db, status)
    threads = {id: len(turns.get(id, ())) + 1 for id in status}
    ended = {id for id, word in status.items() if word not in UNDER_WAY}
    place = settings.place("checkpoints")
    if has_table(place, "checkpoints"):
        with look_into(place) as db:
            yield from _check_checkpoints(db, threads, ended)
    if not quick and has_blobs(settings):
        yield from _check_blobs(settings)


def _check_files(data: Path, *, quick: bool) -> Iterator[Fault]:
    check = "PRAGMA quick_check" if quick else "PRAGMA integrity_check"
    for path in sorted(data.glob("*.sqlite")):
        if quick and path.stem not in NAMING:
            continue
        with translate_errors(path), closing(open_connection(path)) as db:
            for (told,) in db.execute(check):
                if told != "ok":
                    yield Fault("unreadable", path.name, str(told))


def _rows(db: Connection, query: str) -> Iterator[tuple[Any, ...]]:
    return (tuple(row) for row in db.exec_driver_sql(query))


def _read_turns(db: Connection) -> Mapping[str, list[tuple[int, str]]]:
    found: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
    for session, number, body in _rows(db, "SELECT session, number, body FROM turns ORDER BY 1,2"):
        found[session].append((number, body))
    return found


def _check_turns(turns: Mapping[str, list[tuple[int, str]]]) -> Iterator[Fault]:
    for session, rows in turns.items():
        numbers = {number for number, _ in rows}
        for number in sorted(set(range(1, max(numbers))) - numbers):
            yield Fault("lost", session, f"turn {number}")
        bodies: Counter[str] = Counter()
        for number, body in rows:
            try:
                values = json.loads(body)
                named = values.pop("number")
            except (ValueError, KeyError, AttributeError, TypeError):
                yield Fault("unreadable", session, f"turn {number}")
                continue
            if named != number:
                yield Fault("unreadable", session, f"turn {number} calls itself {named}")
            bodies[json.dumps(values, sort_keys=True)] += 1
        for count in bodies.values():
            if count > 1:
                yield Fault("twice", session, f"a turn stands {count} times")


def _find_doubled_events(db: Connection) -> Iterator[Fault]:
    for session, message, count in _rows(db, DOUBLED_EVENTS):
        yield Fault("twice", session, f"the event {message!r} stands {count} times")


def _find_left_rows(db: Connection, known: Mapping[str, str]) -> Iterator[Fault]:
    for table in (*OF_SESSIONS, *OF_THREADS):
        for (owner,) in _rows(db, f"SELECT DISTINCT session FROM {table}"):  # noqa: S608
            if session_of(owner) not in known:
                yield Fault("left", owner, f"rows of {table} without their session")


def _check_checkpoints(
    db: Connection, turns: Mapping[str, int], ended: set[str]
) -> Iterator[Fault]:
    expected = {thread_of(id, n) for id, last in turns.items() for n in range(1, last + 1)}
    present = {id for id, last in turns.items() if last and id not in ended}
    unstarted = {thread_of(id, turns[id]) for id in present}
    server = db.dialect.name == "postgresql"
    for table in SERVER_TABLES if server else FILE_TABLES:
        threads = {*db.execute(select(table.c.thread_id).distinct()).scalars()}
        for thread in sorted(threads - expected):
            yield Fault("left", thread, f"rows of {table.name} without their session or turn")
        if table.name == "checkpoints":
            for thread in sorted(expected - threads - unstarted):
                yield Fault("lost", thread, "its checkpoints")
    pieces: defaultdict[str, set[str]] = defaultdict(set)
    for thread, digest in _rows(db, "SELECT thread_id, digest FROM pieces"):
        pieces[thread].add(digest)
    rows = _rows(db, "SELECT thread_id, channel, digests FROM channel_values")
    for thread, channel, digests in rows:
        if not pieces[thread].issuperset(split_digests(digests)):
            yield Fault("lost", thread, f"a piece of a value of {channel}")


def _check_blobs(settings: Settings) -> Iterator[Fault]:
    """Blobs that are damaged: reading them deletes them."""
    with open_blob_store(settings) as blobs:
        for digest in blobs.read_sizes():
            try:
                blobs.get(digest)
            except MissingBlobError:
                yield Fault("missing", f"blob {digest[:12]}", "its bytes do not fit its hash")
