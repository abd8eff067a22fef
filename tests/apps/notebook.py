"""Notes in Datasette, behind a box that searches all of them."""

import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from bench.apps.server_process import run_server
from tests.apps.wikis import PAGES

FILLING: Final = 400
"""Notes of the day before those that say something, 20 a page."""


@contextmanager
def notebook(folder: Path) -> Iterator[str]:
    """The first page of the notes; those of the wikis are the last."""
    database = folder / "harbour.db"
    days = [(f"Day {day}", f"Entry {day}: wind from the west.") for day in range(FILLING)]
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.executescript(
            "create table notes (id integer primary key, title text, note text);"
            'create virtual table notes_fts using fts5(title, note, content="notes",'
            " content_rowid='id', tokenize='porter');"
        )
        notes = [*days, *((name.capitalize(), text) for name, text in PAGES.items())]
        connection.executemany("insert into notes (title, note) values (?, ?)", notes)
        connection.execute("insert into notes_fts (notes_fts) values ('rebuild')")
    command = (sys.executable, "-m", "datasette", "serve", database, "--port", "0")
    with run_server((*command, "--setting", "default_page_size", "20"), folder) as root:
        yield f"{root}/harbour/notes"
