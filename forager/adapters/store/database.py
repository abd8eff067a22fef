"""Tables in portable SQL, in a SQLite file or on a PostgreSQL server."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Insert,
    Table,
    Text,
    create_engine,
    inspect,
    literal,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.pool import NullPool, QueuePool
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

from forager.adapters.store.server import (
    LostConnectionError,
    connected,
    driver_error,
    hold_alone,
    server_error,
    upgrade_server,
)
from forager.adapters.store.store_files import (
    open_tables,
    store_error,
    translate_errors,
    upgrade_tables,
)
from forager.errors import StoreError
from forager.util.place import Place, Tables
from forager.util.sqlite import PATIENCE, discard_cache, is_damage, open_connection

TRIES = 3
"""How often work is tried whose connection to a server breaks."""
Given = ParamSpec("Given")
Result = TypeVar("Result")


def tried_again(work: Callable[Given, Result]) -> Callable[Given, Result]:
    """Do work of one transaction again where the connection to a server breaks meanwhile.

    The transaction was rolled back, unless the connection broke while it was committed: the work
    must bear being done twice.
    """

    @wraps(work)
    def work_again(*args: Given.args, **named: Given.kwargs) -> Result:
        for _ in range(TRIES - 1):
            with suppress(LostConnectionError):
                return work(*args, **named)
        return work(*args, **named)

    return work_again


class Database:
    """The tables of one history; safe for threads and for several processes."""

    def __init__(
        self,
        place: Place,
        tables: Tables,
        patience: float = PATIENCE,
        *,
        pooled: bool = False,
        upgraded: bool = True,
    ) -> None:
        """`patience`: seconds to wait for a locked file.

        A file that is not `pooled` is opened anew each time, so that it may be moved meanwhile.
        Tables that are not `upgraded` stay as they are.
        """
        self.place = place
        self._tables = tables
        self._patience = patience
        self._upgraded = upgraded
        self._engine = self._file_engine(place, pooled=pooled) if isinstance(place, Path) else None

    def prepare(self) -> None:
        """Bring the tables to this program's revision, as the first use does. Raises StoreError."""
        if isinstance(self.place, Path):
            upgrade_tables(self.place, self._tables, self._patience)
        else:
            upgrade_server(self.place, self._tables)

    def exists(self) -> bool:
        """Whether something was stored."""
        return self.place.exists()

    @contextmanager
    def transaction(self, *, alone: str = "") -> Iterator[Connection]:
        """Commit at the end, roll back on any error.

        `alone` names what is read and then changed: no other transaction that names the same runs
        meanwhile, in any process. Raises StoreError and IntegrityError.
        """
        with self._explain(passing=IntegrityError), self._connect() as db, db.begin():
            if alone and isinstance(self.place, Path):
                db.exec_driver_sql("BEGIN IMMEDIATE")
            elif alone:
                hold_alone(db, f"forager {self._tables} {alone}")
            yield db

    @contextmanager
    def committing(self) -> Iterator[Connection]:
        """A connection that commits each command. Raises StoreError."""
        with self._explain(), self._connect() as db:
            yield db.execution_options(isolation_level="AUTOCOMMIT")

    @tried_again
    def run(
        self, work: Callable[[Connection], Result], errors: tuple[type[Exception], ...]
    ) -> Result:
        """Do work in a transaction.

        `errors` are those of the drivers, for work on their connections. Raises StoreError.
        """
        with self._explain(errors), self._connect() as db, db.begin():
            return work(db)

    @contextmanager
    def _explain(
        self,
        drivers: tuple[type[Exception], ...] = (),
        passing: type[Exception] | tuple[()] = (),
    ) -> Iterator[None]:
        errors: tuple[type[Exception], ...] = (DBAPIError, *drivers)
        try:
            yield
        except passing:
            raise
        except errors as error:
            if isinstance(self.place, Path):
                raise store_error(driver_error(error), self.place) from error
            raise server_error(error, self.place) from error

    @contextmanager
    def _connect(self) -> Iterator[Connection]:
        if self._engine:
            with self._engine.connect() as db:
                yield db
        elif not isinstance(self.place, Path):
            if self._upgraded:
                upgrade_server(self.place, self._tables)
            with connected(self.place) as db:
                yield db

    def mended(self, use: Callable[[], Result]) -> Result:
        """What a use of tables gives whose loss can be borne: a damaged file is made anew once.

        Raises StoreError.
        """
        if not isinstance(self.place, Path):
            return use()
        try:
            return use()
        except StoreError as error:
            if not is_damage(_first_cause(error), self.place):
                raise
        self.close()
        with translate_errors(self.place):
            discard_cache(self.place)
        return use()

    def close(self) -> None:
        """Close the file; connections to a server stay open for others."""
        if self._engine:
            self._engine.dispose()

    def _file_engine(self, path: Path, *, pooled: bool) -> Engine:
        def connect() -> sqlite3.Connection:
            db = (
                open_tables(path, self._tables, self._patience)
                if self._upgraded
                else open_connection(path, self._patience)
            )
            # The driver begins a transaction where something is changed.
            db.isolation_level = "DEFERRED"
            return db

        pool = QueuePool if pooled else NullPool
        return create_engine("sqlite://", creator=connect, poolclass=pool)


def _first_cause(error: BaseException) -> BaseException:
    while error.__cause__:
        error = error.__cause__
    return error


@contextmanager
def look_into(place: Place) -> Iterator[Connection]:
    """A connection that leaves the tables as they are, of an older version too, or missing.

    Raises StoreError.
    """
    database = Database(place, "sessions", upgraded=False)
    with database.transaction() as db:
        yield db


def has_table(place: Place, name: str) -> bool:
    """Whether there is a table. Raises StoreError."""
    if not place.exists():
        return False
    with look_into(place) as db:
        return inspect(db).has_table(name)


class JsonPart(FunctionElement[str]):
    """What stands in a JSON text under some keys: a string as it is, all else as JSON.

    NULL where there is nothing, or where the text is damaged.
    """

    inherit_cache = True
    type = Text()

    def __init__(self, column: ColumnElement[str], *keys: str) -> None:
        in_file, on_server = f"$.{'.'.join(keys)}", f"{{{','.join(keys)}}}"
        super().__init__(column, literal(in_file), literal(on_server))


@compiles(JsonPart, "sqlite")
def _read_in_file(part: JsonPart, compiler: SQLCompiler, **options: Any) -> str:
    text, path, _ = (compiler.process(each, **options) for each in part.clauses)
    return f"CASE WHEN json_valid({text}) THEN json_extract({text}, {path}) END"


@compiles(JsonPart, "postgresql")
def _read_on_server(part: JsonPart, compiler: SQLCompiler, **options: Any) -> str:
    text, _, path = (compiler.process(each, **options) for each in part.clauses)
    return f"(forager_json({text}) #>> CAST({path} AS text[]))"


def insert_or_skip(db: Connection, table: Table) -> Insert:
    """An INSERT that leaves a row alone whose key is there."""
    return insert_on(db, table).on_conflict_do_nothing()


def insert_or_replace(db: Connection, table: Table) -> Insert:
    """An INSERT that replaces a row whose key is there."""
    new = insert_on(db, table)
    keys = [column.name for column in table.primary_key]
    others = {each.key: new.excluded[each.key] for each in table.c if each.name not in keys}
    return new.on_conflict_do_update(index_elements=keys, set_=others)


def insert_on(db: Connection, table: Table) -> postgresql.Insert | sqlite.Insert:
    """An INSERT that may say what happens where the key is there."""
    return postgresql.insert(table) if db.dialect.name == "postgresql" else sqlite.insert(table)
