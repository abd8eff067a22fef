"""Upgrades and downgrades the tables of a file in one transaction."""

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

from forager.adapters.store.store_files import store_error
from forager.errors import StoreError

HERE = Path(__file__).parent
_ALONE = threading.Lock()
"""Alembic keeps its state in module globals, so migrations run one at a time."""


def upgrade_file(path: Path, tables: str, patience: float, to: str = "head") -> None:
    """Upgrade a file's tables to a revision, by default the newest. Raises StoreError."""
    _change_tables(path, patience, lambda config: command.upgrade(config, f"{tables}@{to}"))


def downgrade_file(path: Path, patience: float, to: str) -> None:
    """Downgrade a file's tables to an older revision, or to `base`. Raises StoreError."""
    _change_tables(path, patience, lambda config: command.downgrade(config, to))


def script_directory() -> ScriptDirectory:
    """The folder of revisions, as Alembic reads it."""
    return ScriptDirectory.from_config(_alembic_config())


def _change_tables(path: Path, patience: float, work: Callable[[Config], None]) -> None:
    engine = create_engine(
        f"sqlite:///{path}",
        connect_args={"timeout": patience, "isolation_level": None},
        poolclass=NullPool,
    )
    event.listen(engine, "begin", _begin_immediate)
    try:
        with _ALONE, engine.begin() as connection:
            config = _alembic_config()
            config.attributes["connection"] = connection
            work(config)
    except DBAPIError as error:
        cause = error.orig if isinstance(error.orig, Exception) else error
        raise store_error(cause, path) from error
    except CommandError as error:
        raise StoreError(
            f"{path} was written by a newer Forager.",
            "Install the newest Forager, or set FORAGER_DATA to another folder.",
        ) from error


def _begin_immediate(connection: Connection) -> None:
    """Take the write lock first: of two processes, one upgrades and the other waits."""
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _alembic_config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(HERE).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config
