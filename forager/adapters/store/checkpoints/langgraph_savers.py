"""LangGraph's savers of SQLite and of PostgreSQL, at work within a transaction of ours."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any

import psycopg
from langgraph.checkpoint.postgres import PostgresSaver
from langgraph.checkpoint.sqlite import SqliteSaver
from psycopg.rows import DictRow, dict_row
from sqlalchemy import Connection

from forager.adapters.store.database import Database
from forager.adapters.store.server import held_in_turn, prepare_once
from forager.util.place import Server

if TYPE_CHECKING:
    from langgraph.checkpoint.serde.base import SerializerProtocol

LangGraphSaver = SqliteSaver | PostgresSaver
DRIVER_ERRORS = (sqlite3.Error, psycopg.Error)


class FileSaver(SqliteSaver):
    """The saver of a SQLite file; who opened the transaction ends it."""

    @contextmanager
    def cursor(self, transaction: bool = True) -> Iterator[sqlite3.Cursor]:
        with closing(self.conn.cursor()) as cursor:
            yield cursor


class ServerSaver(PostgresSaver):
    """The saver of PostgreSQL; who opened the transaction ends it."""

    @contextmanager
    def _cursor(self, *, pipeline: bool = False) -> Iterator[psycopg.Cursor[DictRow]]:
        connection: Any = self.conn
        with connection.cursor(binary=True, row_factory=dict_row) as cursor:
            yield cursor


def saver_on(db: Connection, serde: "SerializerProtocol") -> LangGraphSaver:
    """The saver that works on an open connection."""
    connection: Any = db.connection.driver_connection
    if isinstance(connection, sqlite3.Connection):
        return FileSaver(connection, serde=serde)
    return ServerSaver(connection, serde=serde)


def make_tables(database: Database) -> None:
    """Make LangGraph's tables where they are missing. Raises StoreError."""
    if isinstance(database.place, Server):
        prepare_once(database.place, "LangGraph's tables", lambda: _make_on_server(database))
    else:
        with database.committing() as db:
            connection: Any = db.connection.driver_connection
            SqliteSaver(connection).setup()


def _make_on_server(database: Database) -> None:
    with database.committing() as db, held_in_turn(db, "forager checkpoints"):
        connection: Any = db.connection.driver_connection
        ServerSaver(connection).setup()
