"""Where tables are: in a SQLite file of the data folder, or in a database on a server."""

from pathlib import Path
from typing import Literal, NamedTuple

Tables = Literal[
    "sessions",
    "checkpoints",
    "blobs",
    "graphs",
    "drafts",
    "recipes",
    "webhooks",
    "crawls",
    "accounts",
]
"""The histories of tables; on a server they stand in one database, else each in its own file."""


class Server(NamedTuple):
    """A PostgreSQL database, by its address: `postgresql://USER:PASSWORD@HOST:PORT/NAME`."""

    url: str

    def __repr__(self) -> str:
        return "Server()"  # the address holds a password

    def exists(self) -> bool:
        """True: its tables are made when they are first used."""
        return True


Place = Path | Server
