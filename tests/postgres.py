"""A PostgreSQL server on loopback, as one is installed; a database of its own for each test."""

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from itertools import count
from pathlib import Path
from typing import NamedTuple

import psycopg
import pytest

from forager.adapters.store.server import forget_server
from forager.util.place import Place, Server, Tables

INSTALLED = "/usr/lib/postgresql"
OTHER_USER = "nobody"
"""PostgreSQL refuses to run as root."""
QUICK = ("fsync=off", "full_page_writes=off", "synchronous_commit=off", "max_connections=200")
NUMBERS = count(1)


def find_program(name: str) -> str:
    """The path of a program of PostgreSQL; empty if it is not installed."""
    beside = sorted(Path(INSTALLED).glob(f"*/bin/{name}"))
    return str(beside[-1]) if beside else shutil.which(name) or ""


class PostgresServer(NamedTuple):
    """A server with its folder; it can be stopped and started again."""

    folder: Path
    port: int

    def start(self) -> None:
        """Start it, and return once it takes connections."""
        settings = [part for each in QUICK for part in ("-c", each)]
        options = f"-p {self.port} -k {self.folder} -h 127.0.0.1 {' '.join(settings)}"
        self._control("start", "-l", str(self.folder / "log"), "-o", options)

    def stop(self) -> None:
        """Stop it; open connections break."""
        self._control("stop", "-m", "fast")

    def _control(self, *words: str) -> None:
        control = [find_program("pg_ctl"), "-w", "-D", str(self.folder / "data"), *words]
        subprocess.run(control, check=True, stdout=subprocess.DEVNULL, user=run_as())

    def make_database(self) -> Server:
        """A new database."""
        name = f"test_{next(NUMBERS)}"
        with self.connect("postgres") as db:
            db.execute(f"CREATE DATABASE {name}")
        return Server(f"postgresql://forager@127.0.0.1:{self.port}/{name}")

    def connect(self, name: str) -> psycopg.Connection:
        """A connection to a database, which commits each command."""
        return psycopg.connect(
            host="127.0.0.1", port=self.port, user="forager", dbname=name, autocommit=True
        )


def run_as() -> str | None:
    """Another user where the tests run as root."""
    return OTHER_USER if os.geteuid() == 0 else None


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """A server for all tests of this process; skipped where PostgreSQL is not installed."""
    if not find_program("initdb"):
        pytest.skip("PostgreSQL is not installed (Debian: apt install postgresql)")
    with tempfile.TemporaryDirectory(prefix="forager-pg-") as folder:
        if (user := run_as()) is not None:
            shutil.chown(folder, user)
        initdb = [find_program("initdb"), "-D", f"{folder}/data", "-U", "forager", "-A", "trust"]
        more = ["-E", "UTF8", "--locale=C", "-N"]
        subprocess.run(initdb + more, check=True, stdout=subprocess.DEVNULL, user=user)
        server = PostgresServer(Path(folder), _free_port())
        server.start()
        try:
            yield server
        finally:
            with suppress(subprocess.CalledProcessError):
                server.stop()


@pytest.fixture
def postgres(postgres_server: PostgresServer) -> Iterator[Server]:
    """An empty database."""
    server = postgres_server.make_database()
    yield server
    forget_server(server)


IN_FILES = pytest.mark.parametrize("stored", ["files"], indirect=True)
"""For a test that looks into the files, or reaches a run in time whose nodes take no time."""


@pytest.fixture(params=["files", "server"])
def stored(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is stored is in files once, and once on a server, as the environment names it."""
    if request.param == "server":
        server: Server = request.getfixturevalue("postgres")
        monkeypatch.setenv("FORAGER_DATABASE_URL", server.url)


@pytest.fixture(params=["files", "server"])
def table_place(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[Tables], Place]:
    """Where tables of a name are: once in files, once on a server."""
    if request.param == "files":
        return lambda tables: tmp_path / "deep" / f"{tables}.sqlite"
    server: Server = request.getfixturevalue("postgres")
    return lambda _tables: server


def _free_port() -> int:
    with closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])
