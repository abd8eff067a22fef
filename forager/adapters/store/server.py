"""PostgreSQL: one pool of connections in a process, tables upgraded, errors as StoreErrors."""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import blake2b
from threading import RLock
from typing import Any
from urllib.parse import quote, unquote

from sqlalchemy import Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError

from forager.adapters.store.store_files import HEADS
from forager.errors import StoreError, UsageError
from forager.util.place import Server, Tables

LOG = logging.getLogger(__name__)
DRIVER = "postgresql+psycopg"
POOL_SIZE = 8
MORE_CONNECTIONS = 16
"""Connections of a process: kept, and opened beyond that where many work at once."""
CONNECT_SECONDS = 5
CONNECTING = {
    "application_name": "forager",
    "connect_timeout": CONNECT_SECONDS,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,  # ms
}
"""What a connection is opened with; one whose network is cut is given up after 25 s."""
WAIT_SECONDS = 60.0
PAUSE_SECONDS = 0.5
"""How long a server that is away is waited for, and how often it is tried."""
NUL, UNKNOWN = "\0", "\N{REPLACEMENT CHARACTER}"
ALONE = text("SELECT pg_advisory_xact_lock(:key)")
TRY_LOCK = text("SELECT pg_try_advisory_lock(:key)")
UNLOCK = text("SELECT pg_advisory_unlock(:key)")
_REACHED: set[Server] = set()
_PREPARED: set[tuple[Server, str]] = set()
_PREPARING = RLock()
"""Taken again by what is prepared with something else on the server."""


def server_address(server: Server) -> URL:
    """The address with its driver. Raises UsageError where it is none of PostgreSQL."""
    try:
        url = make_url(server.url)
    except ArgumentError as error:
        raise _no_address() from error
    if url.get_backend_name() not in {"postgresql", "postgres"} or not url.database:
        raise _no_address()
    return url.set(drivername=DRIVER)


def with_schema(url: str, schema: str) -> str:
    """The address of the same database, whose connections see the schema alone."""
    parsed = make_url(url)
    known = parsed.query.get("options", "")
    options = f"{known if isinstance(known, str) else ' '.join(known)} -csearch_path={schema}"
    bare = parsed.difference_update_query(["options"])
    address = bare.render_as_string(hide_password=False)
    return f"{address}{'&' if '?' in address else '?'}options={quote(options.strip())}"


def without_schema(server: Server) -> Server:
    """The database to whose address `with_schema` added a schema."""
    address, _, options = server.url.rpartition("options=")
    kept = unquote(options).rpartition("-csearch_path=")[0].strip()
    return Server(f"{address}options={quote(kept)}" if kept else address.rstrip("?&"))


def _no_address() -> UsageError:
    return UsageError(
        "FORAGER_DATABASE_URL is not the address of a PostgreSQL database.",
        "Write it as postgresql://USER:PASSWORD@HOST:5432/NAME, or unset it for SQLite files.",
    )


@cache
def server_engine(server: Server) -> Engine:
    """The pool of connections of this process. Raises UsageError."""
    engine = create_engine(
        server_address(server),
        pool_size=POOL_SIZE,
        max_overflow=MORE_CONNECTIONS,
        pool_pre_ping=True,
        connect_args=CONNECTING,
    )
    event.listen(engine, "before_cursor_execute", _drop_nul, retval=True)
    return engine


def _drop_nul(*call: Any) -> tuple[str, Any]:
    """PostgreSQL keeps no NUL in a text, which pages and messages may have; SQLite does."""
    _, _, statement, parameters, _, _ = call
    return statement, _without_nul(parameters)


def _without_nul(value: Any) -> Any:
    match value:
        case str():
            return value.replace(NUL, UNKNOWN) if NUL in value else value
        case dict():
            return {key: _without_nul(each) for key, each in value.items()}
        case list() | tuple():
            return type(value)(_without_nul(each) for each in value)
    return value


def forget_server(server: Server) -> None:
    """Close all connections to a server, and know nothing of it."""
    server_engine(server).dispose()
    _REACHED.discard(server)
    with _PREPARING:
        _PREPARED.difference_update({each for each in _PREPARED if each[0] == server})


@contextmanager
def connected(server: Server) -> Iterator[Connection]:
    """A connection of the pool. Raises StoreError."""
    with open_patiently(server, server_engine(server)) as connection:
        yield connection


def open_patiently(server: Server, engine: Engine) -> Connection:
    """Connect. A server that was reached before and is away, as it starts anew, is waited for.

    Raises StoreError.
    """
    end = time.monotonic() + (WAIT_SECONDS if server in _REACHED else 0.0)
    while True:
        try:
            connection = engine.connect()
            break
        except OperationalError as error:
            if time.monotonic() > end:
                raise server_error(error, server) from error
            LOG.warning("%s", server_error(error, server).what)
            time.sleep(PAUSE_SECONDS)
    _REACHED.add(server)
    return connection


def hold_alone(db: Connection, key: str) -> None:
    """Wait until no other transaction of any process holds this key; held until the end."""
    db.execute(ALONE, {"key": lock_number(key)})


@contextmanager
def held_in_turn(db: Connection, key: str) -> Iterator[None]:
    """One process after the other is in the body, whose commands are committed one by one.

    It is asked for again and again: a command that waits for the lock would keep an index from
    being made.
    """
    number = {"key": lock_number(key)}
    while not db.execute(TRY_LOCK, number).scalar():
        time.sleep(PAUSE_SECONDS)
    try:
        yield
    finally:
        db.execute(UNLOCK, number)


def lock_number(key: str) -> int:
    """The number of PostgreSQL's advisory lock for a key, 64 bits with a sign."""
    return int.from_bytes(blake2b(key.encode(), digest_size=8).digest(), signed=True)


def upgrade_server(server: Server, tables: Tables) -> None:
    """Bring tables to this program's revision, once in a process. Raises StoreError."""

    def upgrade() -> None:
        with connected(server) as db:
            current = _read_revisions(db)
        if HEADS[tables] not in current:
            from forager.adapters.store.migrations import alembic_runner

            alembic_runner.upgrade_server_tables(server, tables)

    prepare_once(server, tables, upgrade)


def prepare_once(server: Server, what: str, prepare: Callable[[], None]) -> None:
    """Prepare something on a server, unless this process has done so."""
    with _PREPARING:
        if (server, what) not in _PREPARED:
            prepare()
            _PREPARED.add((server, what))


def _read_revisions(db: Connection) -> frozenset[str]:
    if not inspect(db).has_table("alembic_version"):
        return frozenset()
    return frozenset(db.execute(text("SELECT version_num FROM alembic_version")).scalars())


def describe_server(server: Server) -> str:
    """The version of PostgreSQL and the database, without its password.

    Raises StoreError and UsageError.
    """
    with connected(server) as db:
        version = str(db.execute(text("SHOW server_version")).scalar()).partition(" ")[0]
    return f"PostgreSQL {version}, {_name(server)}"


def _name(server: Server) -> str:
    url = server_address(server)
    return f"{url.host or 'localhost'}:{url.port or 5432}/{url.database}"


class LostConnectionError(StoreError):
    """The server is away, or was for a moment."""


def driver_error(error: Exception) -> Exception:
    """The driver's own error within SQLAlchemy's."""
    return error.orig if isinstance(error, DBAPIError) and error.orig else error


def server_error(error: Exception, server: Server) -> StoreError:
    """The StoreError that says what happened on the server and how to mend it."""
    import psycopg

    name = _name(server)
    cause = driver_error(error)
    said = " ".join(str(cause).split()).rstrip(".")
    if isinstance(cause, psycopg.OperationalError | psycopg.InterfaceError):
        return LostConnectionError(
            f"The database {name} cannot be used: {said}.",
            "Start it, or correct FORAGER_DATABASE_URL; what was found is kept.",
        )
    return StoreError(
        f"The database {name} refused a command: {said}.", "See the log of the database."
    )
