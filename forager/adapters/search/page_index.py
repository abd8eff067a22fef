"""A full-text index of every page that was crawled or opened, in one SQLite file of its own.

It holds nothing that the page store does not: it follows the store by the digests of its documents
before each search, and a damaged file is made anew.
"""

import re
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from pydantic_core import from_json

from forager.adapters.search.provider import Row
from forager.adapters.web.web_database import Database
from forager.domain.urls import site_host
from forager.errors import SearchError, StoreError
from forager.ports import Blobs
from forager.text.tokens import WORD, content_words
from forager.util.sqlite import open_cache, write_transaction

APART = "\u200b"
IDEOGRAM = (
    "[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003134f]"
)
EACH = re.compile(IDEOGRAM)
RUN = re.compile(f"{IDEOGRAM}+")
MAX_TERMS = 64


def marked(text: str) -> str:
    """The text with its Chinese, Japanese and Korean characters set apart."""
    return EACH.sub(rf"{APART}\g<0>{APART}", text.replace("\0", " "))


def unmarked(text: str) -> str:
    """The text as it was before."""
    return text.replace(APART, "")


def expression(query: str) -> str:
    """An FTS5 query for pages with any of the words; every term is quoted, so none is syntax.

    Empty where the query holds no word.
    """
    words = content_words(query) or WORD.findall(query)
    terms = dict.fromkeys(term for word in words for term in _terms(word))
    return " OR ".join(f'"{term}"' for term in list(terms)[:MAX_TERMS])


def _terms(word: str) -> list[str]:
    terms = [rest.lower() for rest in RUN.split(word) if rest]
    for run in RUN.findall(word):
        terms += [f"{run[i]} {run[i + 1]}" for i in range(len(run) - 1)] or [run]
    return terms


Reply = TypeVar("Reply")
VERSION = 1
TOKENIZER = "porter unicode61 remove_diacritics 2"
TABLES = ("documents", "titles", "bodies")
SCHEMA = (
    "CREATE TABLE documents"
    " (id INTEGER PRIMARY KEY, blob TEXT NOT NULL UNIQUE, url TEXT NOT NULL, site TEXT NOT NULL)",
    "CREATE INDEX by_site ON documents (site)",
    f"CREATE VIRTUAL TABLE titles USING fts5(text, tokenize = '{TOKENIZER}')",
    f"CREATE VIRTUAL TABLE bodies USING fts5(text, tokenize = '{TOKENIZER}')",
)
STORED = "SELECT DISTINCT document FROM responses WHERE document != ''"
RANKED = """
SELECT id, url FROM (
    SELECT rowid AS id, bm25(bodies) AS score FROM bodies WHERE bodies MATCH ?1
    UNION ALL SELECT rowid, 0.5 * bm25(titles) FROM titles WHERE titles MATCH ?1
) JOIN documents USING (id)
WHERE ?2 = '' OR site = ?2 GROUP BY id ORDER BY sum(score), id LIMIT ?3
"""
"""A title and a body have lengths of their own: in one table, BM25 takes a title for a part of its
page, and a word in the title of a long page counts for next to nothing. A word of a title, being
one of few, counts for much more than one of a body, also at half the weight."""
TITLE = "SELECT text FROM titles WHERE rowid = ?"
SNIPPET = """
SELECT snippet(bodies, 0, '', '', ' … ', ?) FROM bodies WHERE bodies MATCH ? AND rowid = ?
"""
START = "SELECT substr(text, 1, 400) FROM bodies WHERE rowid = ?"
BATCH = 50
"""Pages added in one transaction: about 0.1 s, for which another process may have to wait."""
SNIPPET_TOKENS = 40
MOST_TOKENS = 64
"""For snippets of ideograms, each of which is a token; FTS5 takes no more."""
DAMAGES = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR})
MARKS = re.compile(r"^(?:#{1,6} |[|:-]+$)", re.M)


class SiteIndex:
    """Safe for threads and processes. Methods block: call them in a thread."""

    def __init__(self, folder: Path, blobs: Blobs) -> None:
        self._path = folder / "sites.sqlite"
        self._stored = folder / "web.sqlite"
        self._web = Database(self._stored)
        self._blobs = blobs
        self._lock = threading.Lock()
        self._opened: sqlite3.Connection | None = None
        self._seen = -1

    def search(self, query: str, count: int, site: str = "") -> tuple[Row, ...]:
        """The best `count` pages with any of the words, of one site if it is named.

        Raises SearchError and StoreError.
        """
        if not self._stored.exists():
            return ()
        wanted, at = expression(query), place(site)
        return self._ask(lambda index: _search(index, wanted, count, at))

    def pages(self, site: str = "") -> int:
        """How many pages are known, of one site if it is named. Raises SearchError, StoreError."""
        if not self._stored.exists():
            return 0
        sql = "SELECT count(*) FROM documents WHERE ? = '' OR site = ?"
        at = place(site)
        return self._ask(lambda index: int(index.execute(sql, (at, at)).fetchone()[0]))

    def _ask(self, question: Callable[[sqlite3.Connection], Reply]) -> Reply:
        """Ask the index as the page store is now; a damaged one is removed and made anew, once."""
        with self._lock:
            try:
                return question(self._follow())
            except sqlite3.DatabaseError as error:
                if getattr(error, "sqlite_errorcode", 0) & 0xFF not in DAMAGES:
                    raise self._failed(error) from error
            self._discard()
            try:
                return question(self._follow())
            except sqlite3.DatabaseError as error:
                raise self._failed(error) from error

    def _follow(self) -> sqlite3.Connection:
        """Take in the documents that are new in the page store, drop those that are gone."""
        index = self._connection()
        version = self._web.query("PRAGMA data_version")[0][0]
        if version != self._seen:
            # In this order: another process may take in a page between the two.
            held = {blob for (blob,) in index.execute("SELECT blob FROM documents")}
            stored = {blob for (blob,) in self._web.query(STORED)}
            self._drop(index, sorted(held - stored))
            new = sorted(stored - held)
            for start in range(0, len(new), BATCH):
                self._add(index, new[start : start + BATCH])
            self._seen = version
        return index

    def _drop(self, index: sqlite3.Connection, blobs: list[str]) -> None:
        if not blobs:
            return
        with write_transaction(index):
            for blob in blobs:
                sql = "DELETE FROM documents WHERE blob = ? RETURNING id"
                gone = index.execute(sql, (blob,)).fetchall()
                index.executemany("DELETE FROM titles WHERE rowid = ?", gone)
                index.executemany("DELETE FROM bodies WHERE rowid = ?", gone)

    def _add(self, index: sqlite3.Connection, blobs: list[str]) -> None:
        """One transaction; what another process added meanwhile is left alone."""
        with write_transaction(index):
            for blob in blobs:
                if index.execute("SELECT 1 FROM documents WHERE blob = ?", (blob,)).fetchone():
                    continue
                try:
                    page = from_json(self._blobs.get(blob))
                except StoreError:
                    continue  # it is fetched anew when it is next opened
                sql = "INSERT INTO documents (blob, url, site) VALUES (?, ?, ?)"
                made = index.execute(sql, (blob, page["url"], place(page["url"])))
                title, body = marked(page["title"]), marked(MARKS.sub("", page["text"]))
                for table, text in (("titles", title), ("bodies", body)):
                    sql = f"INSERT INTO {table} (rowid, text) VALUES (?, ?)"  # noqa: S608
                    index.execute(sql, (made.lastrowid, text))

    def _connection(self) -> sqlite3.Connection:
        if self._opened is None:
            self._opened = open_cache(self._path, VERSION, TABLES, SCHEMA)
        return self._opened

    def _discard(self) -> None:
        """Remove the file; the page store still has all that was in it."""
        self._close()
        try:
            for end in ("", "-wal", "-shm"):
                self._path.with_name(self._path.name + end).unlink(missing_ok=True)
        except OSError as error:
            raise self._failed(error) from error

    def _close(self) -> None:
        self._seen = -1
        if self._opened is not None:
            self._opened.close()
            self._opened = None

    def _failed(self, error: Exception) -> SearchError:
        return SearchError(
            f"The index of crawled pages {self._path} failed: {error}.",
            "Free some space or set FORAGER_DATA to a folder that can be written.",
        )

    def close(self) -> None:
        """Release the files; they open again when asked."""
        with self._lock:
            self._close()
            self._web.close()


def place(url: str) -> str:
    """What the pages of one site share, as text; nothing for nothing."""
    name, port = site_host(url)
    return f"{name}:{port or ''}" if url else ""


def _search(index: sqlite3.Connection, wanted: str, count: int, site: str) -> tuple[Row, ...]:
    if not wanted:
        return ()
    tokens = MOST_TOKENS if RUN.search(wanted) else SNIPPET_TOKENS
    rows = []
    with index:
        index.execute("BEGIN")  # all of it as of one moment
        for id, url in index.execute(RANKED, (wanted, site, count)).fetchall():
            [title] = index.execute(TITLE, (id,)).fetchone()
            shown = index.execute(SNIPPET, (tokens, wanted, id)).fetchone()
            [snippet] = shown or index.execute(START, (id,)).fetchone()
            rows.append(Row(url, unmarked(title), unmarked(snippet)))
    return tuple(rows)
