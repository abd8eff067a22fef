"""A PostgreSQL server on loopback, as one is installed, for as long as it is needed."""

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import NamedTuple

import psycopg

from forager.util.place import Server

INSTALLED = "/usr/lib/postgresql"
OTHER_USER = "nobody"
"""PostgreSQL refuses to run as root."""
CONNECTIONS = "max_connections=300"
PATIENCE = "300"
"""Seconds that a loaded machine may take to start or stop a server."""
NUMBERS = count(1)


def find_program(name: str) -> str:
    """The path of a program of PostgreSQL; empty if it is not installed."""
    beside = sorted(Path(INSTALLED).glob(f"*/bin/{name}"))
    return str(beside[-1]) if beside else shutil.which(name) or ""


class PostgresServer(NamedTuple):
    """A server with its folder; it can be stopped and started again."""

    folder: Path
    port: int
    settings: Sequence[str] = (CONNECTIONS,)

    def start(self) -> None:
        """Start it, and return once it takes connections."""
        settings = " ".join(f"-c {each}" for each in self.settings)
        options = f"-p {self.port} -k {self.folder} -h 127.0.0.1 {settings}"
        self._control("start", "-l", str(self.folder / "log"), "-o", options)

    def stop(self) -> None:
        """Stop it; open connections break."""
        self._control("stop", "-m", "fast")

    def _control(self, *words: str) -> None:
        data = str(self.folder / "data")
        control = [find_program("pg_ctl"), "-w", "-t", PATIENCE, "-D", data, *words]
        subprocess.run([*as_other_user(), *control], check=True, stdout=subprocess.DEVNULL)  # noqa: S603

    def make_database(self) -> Server:
        """A new database."""
        name = f"test_{next(NUMBERS)}"
        with self.connect("postgres") as db:
            db.execute(f"CREATE DATABASE {name}".encode())
        return Server(f"postgresql://forager@127.0.0.1:{self.port}/{name}")

    def connect(self, name: str) -> psycopg.Connection:
        """A connection to a database, which commits each command."""
        return psycopg.connect(
            host="127.0.0.1", port=self.port, user="forager", dbname=name, autocommit=True
        )


@contextmanager
def serve_postgres(settings: Sequence[str] = (CONNECTIONS,)) -> Iterator[PostgresServer]:
    """Set a server up, start it, and remove it in the end."""
    with tempfile.TemporaryDirectory(prefix="forager-pg-") as folder:
        if words := as_other_user():
            shutil.chown(folder, OTHER_USER)
        initdb = [find_program("initdb"), "-D", f"{folder}/data", "-U", "forager", "-A", "trust"]
        more = ["-E", "UTF8", "--locale=C", "-N"]
        subprocess.run([*words, *initdb, *more], check=True, stdout=subprocess.DEVNULL)  # noqa: S603
        server = PostgresServer(Path(folder), _free_port(), settings)
        server.start()
        try:
            yield server
        finally:
            with suppress(subprocess.CalledProcessError):
                server.stop()


def as_other_user() -> list[str]:
    """What a command begins with where this process runs as root.

    subprocess would fork for another user, which a process with a client of Ray does not survive.
    """
    return ["setpriv", f"--reuid={OTHER_USER}", "--clear-groups"] if os.geteuid() == 0 else []


def _free_port() -> int:
    with closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])
