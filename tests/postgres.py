"""A PostgreSQL server on loopback, as one is installed; a database of its own for each test."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bench.scale.postgres_server import PostgresServer, find_program, serve_postgres
from forager.adapters.store.server import forget_server
from forager.util.place import Place, Server, Tables

QUICK = ("fsync=off", "full_page_writes=off", "synchronous_commit=off", "max_connections=200")


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """A server for all tests of this process; skipped where PostgreSQL is not installed."""
    if not find_program("initdb"):
        pytest.skip("PostgreSQL is not installed (Debian: apt install postgresql)")
    with serve_postgres(QUICK) as server:
        yield server


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
