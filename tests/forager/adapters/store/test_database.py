"""A file of an older release goes on being used."""

import sqlite3
from contextlib import closing
from pathlib import Path

from forager.adapters.store.sessions.session_store import SessionStore

FIRST_RELEASE = """
CREATE TABLE sessions (
    id VARCHAR(64) NOT NULL, created FLOAT NOT NULL, changed FLOAT NOT NULL,
    question TEXT NOT NULL, graph VARCHAR(200) NOT NULL, graph_hash VARCHAR(64) NOT NULL,
    graph_body TEXT NOT NULL, model TEXT NOT NULL, status VARCHAR(20) NOT NULL,
    error TEXT NOT NULL, mend TEXT NOT NULL, asked VARCHAR(20) NOT NULL, PRIMARY KEY (id)
)
"""
ROW = (
    *("old", 1.0, 2.0, '{"text": "Which?", "sites": []}', "forager", "hash", "{}", "offline"),
    *("answered", "", "", ""),
)


def test_columns_that_are_missing_are_added(tmp_path: Path) -> None:
    path = tmp_path / "sessions.sqlite"
    with closing(sqlite3.connect(path)) as db:
        db.execute(FIRST_RELEASE)
        db.execute("INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", ROW)
        db.commit()
    for title in ("", "Emperors"):
        with closing(SessionStore(path)) as store:
            kept = store.get("old")
            assert (kept.title, kept.forked_from, kept.forked_step, kept.pages) == (title, "", 0, 0)
            assert kept.question.hints == ()
            store.change("old", title="Emperors")
            assert store.list() == (store.get("old"),)
