"""Upgrades and downgrades tables in one transaction."""

import threading
from collections.abc import Callable
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import create_engine, event
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from forager.adapters.store.server import connected, hold_alone, server_error
from forager.adapters.store.store_files import store_error
from forager.errors import StoreError
from forager.util.place import Server

HERE = Path(__file__).parent
_ALONE = threading.Lock()
"""Alembic keeps its state in module globals, so migrations run one at a time."""


def upgrade_file(path: Path, tables: str, patience: float, to: str = "head") -> None:
    """Upgrade a file's tables to a revision, by default the newest. Raises StoreError."""
    _change_file(path, patience, lambda config: command.upgrade(config, f"{tables}@{to}"))


def downgrade_file(path: Path, patience: float, to: str) -> None:
    """Downgrade a file's tables to an older revision, or to `base`. Raises StoreError."""
    _change_file(path, patience, lambda config: command.downgrade(config, to))


def upgrade_server_tables(server: Server, tables: str, to: str = "head") -> None:
    """Upgrade the tables of one history on a server. Raises StoreError."""
    _change_server(server, lambda config: command.upgrade(config, f"{tables}@{to}"))


def downgrade_server_tables(server: Server, tables: str, to: str) -> None:
    """Downgrade the tables of one history on a server to a revision or `base`. Raises StoreError.

    Those of the other histories stay.
    """
    _change_server(server, lambda config: command.downgrade(config, f"{tables}@{to}"))


def script_directory() -> ScriptDirectory:
    """The folder of revisions, as Alembic reads it."""
    return ScriptDirectory.from_config(_alembic_config())


def _change_file(path: Path, patience: float, work: Callable[[Config], None]) -> None:
    engine = create_engine(
        f"sqlite:///{path}",
        connect_args={"timeout": patience, "isolation_level": None},
        poolclass=NullPool,
    )
    event.listen(engine, "begin", _begin_immediate)
    try:
        with engine.begin() as connection:
            _run_scripts(connection, work)
    except DBAPIError as error:
        cause = error.orig if isinstance(error.orig, Exception) else error
        raise store_error(cause, path) from error
    except CommandError as error:
        raise StoreError(
            f"{path} was written by a newer Forager.",
            "Install the newest Forager, or set FORAGER_DATA to another folder.",
        ) from error


def _change_server(server: Server, work: Callable[[Config], None]) -> None:
    try:
        with connected(server) as connection, connection.begin():
            hold_alone(connection, "forager migrations")
            _run_scripts(connection, work)
    except DBAPIError as error:
        raise server_error(error, server) from error
    except CommandError as error:
        raise StoreError(
            "The tables of the database were written by a newer Forager.",
            "Install the newest Forager, or set FORAGER_DATABASE_URL to another database.",
        ) from error


def _run_scripts(connection: Connection, work: Callable[[Config], None]) -> None:
    config = _alembic_config()
    config.attributes["connection"] = connection
    with _ALONE:
        work(config)


def _begin_immediate(connection: Connection) -> None:
    """Take the write lock first: of two processes, one upgrades and the other waits."""
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _alembic_config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(HERE).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.set_main_option("recursive_version_locations", "true")
    return config
