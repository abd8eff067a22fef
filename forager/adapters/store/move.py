"""Copies the tables of a data folder to a server, all or nothing, and proves the counts."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, MetaData, Table, func, insert, select, text
from sqlalchemy.exc import DBAPIError

from forager.adapters.store import recipe_store, webhook_queue
from forager.adapters.store.accounts import account_tables
from forager.adapters.store.checkpoints.checkpoint_tables import FILE_TABLES, SERVER_TABLES
from forager.adapters.store.checkpoints.langgraph_savers import make_tables
from forager.adapters.store.checkpoints.saver import Checkpoints
from forager.adapters.store.checkpoints.thread_transfer import read_thread, write_thread
from forager.adapters.store.database import Database
from forager.adapters.store.graphs import graph_drafts, saved_graphs
from forager.adapters.store.server import connected, server_error, upgrade_server
from forager.adapters.store.sessions import session_tables
from forager.errors import StoreError, UsageError
from forager.util.place import Server, Tables

PLAIN: Final[dict[Tables, MetaData]] = {
    "sessions": session_tables.TABLES,
    "graphs": saved_graphs.TABLES,
    "drafts": graph_drafts.TABLES,
    "recipes": recipe_store.TABLES,
    "webhooks": webhook_queue.TABLES,
}
"""The histories whose rows are the same in a file and on a server."""
INSTALLATION: Final[dict[Tables, MetaData]] = {**PLAIN, "accounts": account_tables.TABLES}
"""The same for the space of the first account, beside which all accounts stand."""
BATCH = 500
NEXT_RECIPE = text(
    "SELECT setval(pg_get_serial_sequence('recipes', 'id'), (SELECT max(id) FROM recipes))"
)
Say = Callable[[str], None]


class MovedTable(NamedTuple):
    """How many rows a table has in the file, and on the server after the copy."""

    name: str
    rows: int
    copied: int


def move_tables(
    data: Path, server: Server, holds: type, say: Say, plain: Mapping[Tables, MetaData] = PLAIN
) -> tuple[MovedTable, ...]:
    """Copy sessions, checkpoints, graphs, drafts, recipes and messages; the files stay.

    `holds` is the class of the states in checkpoints; `say` is told of each table; `plain` are the
    histories beside checkpoints. Raises UsageError for a server that holds something, and
    StoreError: then nothing is on the server.
    """
    histories: tuple[Tables, ...] = (*plain, "checkpoints")
    for tables in histories:
        upgrade_server(server, tables)
    make_tables(Database(server, "checkpoints"))
    try:
        with connected(server) as target, target.begin():
            _refuse_used(target, plain)
            moved = tuple(_copy_all(data, server, target, (holds, say, plain)))
            if wrong := [each for each in moved if each.rows != each.copied]:
                raise StoreError(
                    f"{wrong[0].name}: {wrong[0].rows:,} rows became {wrong[0].copied:,}.",
                    "Nothing was moved. See what differs: forager doctor --stored.",
                )
    except DBAPIError as error:
        raise server_error(error, server) from error
    return moved


def _copy_all(
    data: Path,
    server: Server,
    target: Connection,
    how: tuple[type, Say, Mapping[Tables, MetaData]],
) -> Iterator[MovedTable]:
    holds, say, plain = how
    for tables, declared in plain.items():
        path = data / f"{tables}.sqlite"
        if path.exists():
            with Database(path, tables).transaction() as source:
                for table in declared.sorted_tables:
                    say(f"{table.name} …")
                    for some in source.execute(select(table)).mappings().partitions(BATCH):
                        target.execute(insert(table), [dict(row) for row in some])
                    yield MovedTable(table.name, _count(source, table), _count(target, table))
    if _count(target, recipe_store.RECIPES):
        target.execute(NEXT_RECIPE)
    if (path := data / "checkpoints.sqlite").exists():
        yield from _copy_checkpoints(path, server, target, holds, say)


def _copy_checkpoints(
    path: Path, server: Server, target: Connection, holds: type, say: Say
) -> Iterator[MovedTable]:
    files = Database(path, "checkpoints")
    make_tables(files)
    reader, writer = (
        Checkpoints(files, holds, ()),
        Checkpoints(Database(server, "checkpoints"), holds, ()),
    )
    with files.transaction() as source:
        threads = reader.read_threads(source)
        for number, thread in enumerate(threads, start=1):
            say(f"checkpoints of {number:,} of {len(threads):,} turns …")
            write_thread(target, writer, thread, read_thread(source, reader, thread))
        for own, theirs in zip(FILE_TABLES, SERVER_TABLES, strict=True):
            yield MovedTable(own.name, _count(source, own), _count(target, theirs))


def _refuse_used(target: Connection, plain: Mapping[Tables, MetaData]) -> None:
    tables = [table for declared in plain.values() for table in declared.sorted_tables]
    for table in (*tables, *SERVER_TABLES):
        if count := _count(target, table):
            raise UsageError(
                f"The database is in use: its table {table.name} has {count:,} rows.",
                "Name an empty database; single sessions can be moved with forager export --format "
                "zip and forager import.",
            )


def _count(db: Connection, table: Table) -> int:
    count: Any = db.execute(select(func.count()).select_from(table)).scalar()
    return int(count)
