"""Datasette with a table of weather stations and one writable query."""

import json
import random
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from bench.apps.app import App
from bench.apps.content_digest import digest_tables
from bench.apps.server_process import run_server

ROWS: Final = 4000
SEED: Final = 20
HEADS = ("Ald", "Bren", "Cor", "Dun", "El", "Fenn", "Gar", "Hol", "Ister", "Kell", "Lor", "Mar")
MIDDLES = ("a", "e", "en", "er", "i", "o", "ow", "u")
TAILS = (
    "beck",
    "burg",
    "dale",
    "ford",
    "ham",
    "holm",
    "mere",
    "ness",
    "stad",
    "ton",
    "vik",
    "wald",
)
COUNTRIES = ("Austria", "Denmark", "Estonia", "Finland", "Iceland", "Ireland", "Norway", "Sweden")
KINDS = ("airport", "coast", "forest", "lake", "mountain", "town")
QUERIES: Final = {
    "note_a_fault": {
        "sql": "insert into faults (station, fault) values (:station, :fault)",
        "write": True,
        "title": "Note a fault",
    }
}


class Station(NamedTuple):
    """A row of the table: elevation in metres, highest wind in km/h."""

    id: int
    name: str
    country: str
    kind: str
    opened: int
    elevation: int
    highest_wind: int


def make_stations() -> list[Station]:
    """Return the rows of the table, always the same; station names are unique."""
    draw = random.Random(SEED)
    names = [head + middle + tail for head in HEADS for middle in MIDDLES for tail in TAILS]
    numbered = [f"{name} {part}" for part in ("North", "South", "East", "West") for name in names]
    draw.shuffle(numbered)
    return [
        Station(
            number,
            name,
            draw.choice(COUNTRIES),
            draw.choice(KINDS),
            draw.randint(1850, 2020),
            draw.randint(1, 2400),
            draw.randint(60, 210),
        )
        for number, name in enumerate(numbered[:ROWS], 1)
    ]


@contextmanager
def serve_datasette(folder: Path) -> Iterator[str]:
    """Serve Datasette and yield its root URL.

    It has the tables /weather/stations (100 rows a page) and /weather/faults, and the writable
    query /weather/note_a_fault.
    """
    database, metadata = folder / "weather.db", folder / "metadata.json"
    _fill_database(database)
    metadata.write_text(json.dumps({"databases": {"weather": {"queries": QUERIES}}}))
    command = (sys.executable, "-m", "datasette", "serve", database, "--port", "0")
    with run_server((*command, "--metadata", metadata), folder) as root:
        yield root


@contextmanager
def serve_datasette_app(folder: Path) -> Iterator[App]:
    """Serve the same Datasette as an `App` without logins."""
    with serve_datasette(folder) as root:
        yield App(root, partial(digest_tables, folder / "weather.db"))


def _fill_database(database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.executescript(
            "create table stations (id integer primary key, name text, country text, kind text,"
            " opened integer, elevation integer, highest_wind integer);"
            "create table faults (id integer primary key, station text, fault text);"
        )
        connection.executemany("insert into stations values (?, ?, ?, ?, ?, ?, ?)", make_stations())
