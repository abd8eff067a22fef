"""A full-text index of every page that was crawled or opened, in its own SQLite file.

It is derived from the page store: before each search it is updated by the digests of the stored
documents, and a damaged file is rebuilt. `CrawledPages` is the search provider that asks it.
"""

import asyncio
import json
import re
import sqlite3
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from pydantic_core import from_json

from forager.adapters.search.provider import ResultRow, ResultRows, site_domain
from forager.adapters.web.web_database import WebDatabase
from forager.data_folder import shipped_sites
from forager.domain.urls import site_host
from forager.errors import SearchError, StoreError
from forager.ports import Blobs
from forager.settings import Settings
from forager.text.tokens import WORD, content_words
from forager.util.sqlite import discard_cache, is_damage, open_cache, write_transaction

SEPARATOR = "\u200b"
IDEOGRAM = (
    "[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003134f]"
)
ONE_IDEOGRAM = re.compile(IDEOGRAM)
IDEOGRAM_RUN = re.compile(f"{IDEOGRAM}+")
MAX_TERMS = 64


def separate_ideograms(text: str) -> str:
    """Put separators around Chinese, Japanese and Korean characters, so that each is a token."""
    return ONE_IDEOGRAM.sub(rf"{SEPARATOR}\g<0>{SEPARATOR}", text.replace("\0", " "))


def remove_separators(text: str) -> str:
    """Undo `separate_ideograms`."""
    return text.replace(SEPARATOR, "")


def match_expression(query: str) -> str:
    """An FTS5 query for pages with any word of a query; empty if the query has no word.

    Every term is quoted, so that none is read as FTS5 syntax.
    """
    words = content_words(query) or WORD.findall(query)
    terms = dict.fromkeys(term for word in words for term in _split_terms(word))
    return " OR ".join(f'"{term}"' for term in list(terms)[:MAX_TERMS])


def _split_terms(word: str) -> list[str]:
    terms = [rest.lower() for rest in IDEOGRAM_RUN.split(word) if rest]
    for run in IDEOGRAM_RUN.findall(word):
        terms += [f"{run[i]} {run[i + 1]}" for i in range(len(run) - 1)] or [run]
    return terms


Result = TypeVar("Result")
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
STORED_DOCUMENTS = "SELECT DISTINCT document FROM responses WHERE document != ''"
RANKED_PAGES = """
SELECT id, url FROM (
    SELECT rowid AS id, bm25(bodies) AS score FROM bodies WHERE bodies MATCH ?1
    UNION ALL SELECT rowid, 0.5 * bm25(titles) FROM titles WHERE titles MATCH ?1
) JOIN documents USING (id)
WHERE site = ?2 OR (?2 = '' AND site NOT IN (SELECT value FROM json_each(?4)))
GROUP BY id ORDER BY sum(score), id LIMIT ?3
"""
"""Titles and bodies have separate tables, because BM25 normalizes by length: in one table, a word
in the title of a long page would hardly count. A title has few words, so that each outweighs a word
of a body even at half the weight."""
PAGE_TITLE = "SELECT text FROM titles WHERE rowid = ?"
PAGE_SNIPPET = """
SELECT snippet(bodies, 0, '', '', ' … ', ?) FROM bodies WHERE bodies MATCH ? AND rowid = ?
"""
PAGE_START = "SELECT substr(text, 1, 400) FROM bodies WHERE rowid = ?"
LONG_PAGE = "SELECT text FROM bodies WHERE rowid = ? AND length(text) > 50000"
"""The time of SQLite's own snippets grows with the square of a page's matches."""
SNIPPET_LENGTH = 240
BATCH = 50
"""Pages added per transaction: about 0.1 s, for which other processes may have to wait."""
SNIPPET_TOKENS = 40
MAX_SNIPPET_TOKENS = 64
"""The length of snippets with ideograms, each of which is a token; FTS5 allows no more."""
MARKDOWN_MARKS = re.compile(r"^(?:#{1,6} |[|:-]+$)", re.M)


class PageIndex:
    """An index that threads and processes can share. Methods block: call them in a thread."""

    def __init__(self, folder: Path, blobs: Blobs) -> None:
        self._path = folder / "sites.sqlite"
        self._stored = folder / "web.sqlite"
        self._web = WebDatabase(self._stored)
        self._blobs = blobs
        self._lock = threading.Lock()
        self._opened: sqlite3.Connection | None = None
        self._seen = -1

    def search(
        self, query: str, count: int, site: str = "", without: Sequence[str] = ()
    ) -> tuple[ResultRow, ...]:
        """The best `count` pages with any word of the query, on one site if `site` is given.

        If none is, pages of the sites in `without`, as HOST:PORT, are left out.
        Raises SearchError and StoreError.
        """
        if not self._stored.exists():
            return ()
        wanted, at = match_expression(query), site_key(site)
        return self._query_index(lambda index: _search_pages(index, wanted, count, at, without))

    def count_pages(self, site: str = "") -> int:
        """Count the pages, of one site if `site` is given. Raises SearchError and StoreError."""
        if not self._stored.exists():
            return 0
        sql = "SELECT count(*) FROM documents WHERE ? = '' OR site = ?"
        at = site_key(site)
        return self._query_index(lambda index: int(index.execute(sql, (at, at)).fetchone()[0]))

    def scrub(self) -> None:
        """Drop deleted pages and rewrite the file without them. Raises SearchError, StoreError."""
        if (self._path).exists():
            self._query_index(_rewrite_index)

    def _query_index(self, question: Callable[[sqlite3.Connection], Result]) -> Result:
        """Update the index and run a query on it; a damaged index is rebuilt once."""
        with self._lock:
            try:
                return question(self._update_index())
            except sqlite3.DatabaseError as error:
                own = getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_ERROR
                if not own and not is_damage(error, self._path):
                    raise self._index_error(error) from error
            self._discard_file()
            try:
                return question(self._update_index())
            except sqlite3.DatabaseError as error:
                raise self._index_error(error) from error

    def _update_index(self) -> sqlite3.Connection:
        """Add documents that are new in the page store and drop deleted ones."""
        index = self._open_connection()
        version = self._web.query("PRAGMA data_version")[0][0]
        if version != self._seen:
            # The order matters: another process may add a page between the two queries.
            held = {blob for (blob,) in index.execute("SELECT blob FROM documents")}
            stored = {blob for (blob,) in self._web.query(STORED_DOCUMENTS)}
            self._drop_pages(index, sorted(held - stored))
            new = sorted(stored - held)
            for start in range(0, len(new), BATCH):
                self._add_pages(index, new[start : start + BATCH])
            self._seen = version
        return index

    def _drop_pages(self, index: sqlite3.Connection, blobs: list[str]) -> None:
        if not blobs:
            return
        with write_transaction(index):
            for blob in blobs:
                sql = "DELETE FROM documents WHERE blob = ? RETURNING id"
                gone = index.execute(sql, (blob,)).fetchall()
                index.executemany("DELETE FROM titles WHERE rowid = ?", gone)
                index.executemany("DELETE FROM bodies WHERE rowid = ?", gone)

    def _add_pages(self, index: sqlite3.Connection, blobs: list[str]) -> None:
        """Add pages in one transaction, except those another process has added meanwhile."""
        with write_transaction(index):
            for blob in blobs:
                if index.execute("SELECT 1 FROM documents WHERE blob = ?", (blob,)).fetchone():
                    continue
                try:
                    page = from_json(self._blobs.get(blob))
                except StoreError:
                    continue  # its blob is missing: it is fetched again when it is next opened
                sql = "INSERT INTO documents (blob, url, site) VALUES (?, ?, ?)"
                inserted = index.execute(sql, (blob, page["url"], site_key(page["url"])))
                title, body = (
                    separate_ideograms(page["title"]),
                    separate_ideograms(MARKDOWN_MARKS.sub("", page["text"])),
                )
                for table, text in (("titles", title), ("bodies", body)):
                    sql = f"INSERT INTO {table} (rowid, text) VALUES (?, ?)"  # noqa: S608
                    index.execute(sql, (inserted.lastrowid, text))

    def _open_connection(self) -> sqlite3.Connection:
        if self._opened is None:
            self._opened = open_cache(self._path, VERSION, TABLES, SCHEMA)
        return self._opened

    def _discard_file(self) -> None:
        """Delete the index file; it can be rebuilt from the page store."""
        self._close()
        try:
            discard_cache(self._path)
        except OSError as error:
            raise self._index_error(error) from error

    def _close(self) -> None:
        self._seen = -1
        if self._opened is not None:
            self._opened.close()
            self._opened = None

    def _index_error(self, error: Exception) -> SearchError:
        return SearchError(
            f"The index of crawled pages {self._path} failed: {error}.",
            "Free some space or set FORAGER_DATA to a folder that can be written.",
        )

    def close(self) -> None:
        """Close the files; the next call opens them again."""
        with self._lock:
            self._close()
            self._web.close()


def site_key(url: str) -> str:
    """The key that all pages of a site share, HOST:PORT; empty for an empty URL."""
    name, port = site_host(url)
    return f"{name}:{port or ''}" if url else ""


def _rewrite_index(index: sqlite3.Connection) -> None:
    for table in ("titles", "bodies"):  # words of deleted pages stay until their segments merge
        index.execute(f"INSERT INTO {table}({table}) VALUES ('optimize')")  # noqa: S608
    index.execute("VACUUM")
    index.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def cut_snippet(body: str, wanted: str) -> str:
    """The part of an indexed body around the first place of its rarest term that was wanted."""
    text = remove_separators(body)
    searched = text.lower()
    terms = [term.replace(" ", "") for term in re.findall('"(.*?)"', wanted)]
    rarest = min((term for term in terms if term in searched), key=searched.count, default="")
    start = max(0, searched.find(rarest) - SNIPPET_LENGTH // 4)
    return " ".join(text[start : start + SNIPPET_LENGTH].split())


def _search_pages(
    index: sqlite3.Connection, wanted: str, count: int, site: str, without: Sequence[str]
) -> tuple[ResultRow, ...]:
    if not wanted:
        return ()
    tokens = MAX_SNIPPET_TOKENS if IDEOGRAM_RUN.search(wanted) else SNIPPET_TOKENS
    rows = []
    with index:
        index.execute("BEGIN")  # one consistent snapshot
        for id, url in index.execute(
            RANKED_PAGES, (wanted, site, count, json.dumps(without))
        ).fetchall():
            [title] = index.execute(PAGE_TITLE, (id,)).fetchone()
            if long := index.execute(LONG_PAGE, (id,)).fetchone():
                rows.append(ResultRow(url, remove_separators(title), cut_snippet(long[0], wanted)))
                continue
            shown = index.execute(PAGE_SNIPPET, (tokens, wanted, id)).fetchone()
            [snippet] = shown or index.execute(PAGE_START, (id,)).fetchone()
            rows.append(ResultRow(url, remove_separators(title), remove_separators(snippet)))
    return tuple(rows)


class CrawledPages:
    """Full-text search over the page store.

    A search of the web leaves out the sites that ship with Forager: a question about the world must
    not be answered from its handbook.
    """

    name = "sites"
    crawled = True

    def __init__(self, settings: Settings, blobs: Blobs) -> None:
        self._index = PageIndex(settings.data, blobs)
        self._folder = settings.data

    async def find_rows(self, query: str, count: int, site: str) -> ResultRows:
        """Find pages; see `Provider`. Raises SearchError and StoreError."""
        rows = await asyncio.to_thread(self._search_index, query, count, site)
        if not rows and not await asyncio.to_thread(self._index.count_pages, site):
            of = f"of {site_domain(site)} " if site else ""
            raise SearchError(
                f"sites knows no page {of}yet.", "Ask a question about a site first, with --site."
            )
        return ResultRows(rows)

    def _search_index(self, query: str, count: int, site: str) -> tuple[ResultRow, ...]:
        return self._index.search(query, count, site, shipped_sites(self._folder))

    async def aclose(self) -> None:
        """Close the files."""
        await asyncio.to_thread(self._index.close)
