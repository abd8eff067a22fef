"""The stored maps of surveyed sites: pages, their depths, and the texts of links to them."""

import json
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from forager.adapters.web.web_database import Row, WebDatabase
from forager.domain import urls
from forager.domain.survey import ClosedPage

COLUMNS = "site, key, position, url, depth, title, blob, anchors"
INSERT_PAGES = f"INTO pages ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
INSERT_SITE = (
    "INSERT OR REPLACE INTO sites (site, surveyed, asked, complete, notes) VALUES (?, ?, ?, ?, ?)"
)
INSERT_CLOSED = "INSERT OR REPLACE INTO closed (site, url, why, anchors) VALUES (?, ?, ?, ?)"


@dataclass(frozen=True, slots=True)
class MapPage:
    """A page of a map. `depth` is in clicks from the root, `anchors` are the texts of its links."""

    url: str
    depth: int
    title: str
    blob: str
    anchors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CrawlMap:
    """A site's pages by depth, then in order of discovery.

    `surveyed` is in seconds since the epoch, 0 for an interrupted survey; `asked` is the page
    limit; `complete` means that no page was left out; `fetched` counts the pages downloaded now.
    `closed` are pages that are linked and cannot be read.
    """

    site: str
    pages: tuple[MapPage, ...] = ()
    notes: tuple[str, ...] = ()
    surveyed: float = 0.0
    asked: int = 0
    complete: bool = False
    closed: tuple[ClosedPage, ...] = ()
    fetched: int = field(default=0, compare=False)

    def find_missing(self, wanted: Iterable[str]) -> tuple[str, ...]:
        """The URLs that have no page in the map."""
        known = {urls.page_key(page.url) for page in self.pages}
        return tuple(url for url in wanted if urls.page_key(url) not in known)

    def is_sufficient(self, pages: int, age: float) -> bool:
        """Does the map cover `pages` pages, and is it younger than `age` seconds?"""
        enough = self.complete or self.asked >= pages or len(self.pages) >= pages
        return enough and time.time() - self.surveyed < age


class MapStore:
    """The maps of all sites, by the page key of their root."""

    def __init__(self, database: WebDatabase) -> None:
        self._database = database

    def load(self, site: str) -> CrawlMap | None:
        """Load the map of a site, also from an interrupted survey. Raises StoreError."""
        site = urls.page_key(site)
        columns = "url, depth, title, blob, anchors"
        sql = f"SELECT {columns} FROM pages WHERE site = ? ORDER BY depth, position"  # noqa: S608
        rows = self._database.query(sql, (site,))
        heads = self._database.query("SELECT * FROM sites WHERE site = ?", (site,))
        if not rows:
            return None
        pages = tuple(_parse_page(row) for row in rows)
        if not heads:
            return CrawlMap(site=site, pages=pages)
        _, surveyed, asked, complete, notes = heads[0]
        return CrawlMap(
            site=site,
            pages=pages,
            notes=tuple(json.loads(notes)),
            surveyed=surveyed,
            asked=asked,
            complete=bool(complete),
            closed=self._load_closed(site),
        )

    def _load_closed(self, site: str) -> tuple[ClosedPage, ...]:
        rows = self._database.query("SELECT url, why, anchors FROM closed WHERE site = ?", (site,))
        return tuple(
            ClosedPage(url=url, why=why, texts=_split_texts(anchors)) for url, why, anchors in rows
        )

    def add_pages(self, site: str, position: int, pages: Iterable[MapPage]) -> None:
        """Store pages of a running survey, from a position on. Raises StoreError."""
        self._database.write(
            (f"INSERT OR IGNORE {INSERT_PAGES}", _page_rows(site, position, pages))
        )

    def replace(self, found: CrawlMap) -> None:
        """Replace the map of a site in one transaction. Raises StoreError."""
        notes = json.dumps(found.notes)
        head = (found.site, found.surveyed, found.asked, found.complete, notes)
        self._database.write(
            ("DELETE FROM pages WHERE site = ?", [(found.site,)]),
            (f"INSERT OR REPLACE {INSERT_PAGES}", _page_rows(found.site, 0, found.pages)),
            (INSERT_SITE, [head]),
            ("DELETE FROM closed WHERE site = ?", [(found.site,)]),
            (INSERT_CLOSED, _closed_rows(found)),
        )


def _parse_page(row: Row) -> MapPage:
    url, depth, title, blob, anchors = row
    return MapPage(url, depth, title, blob, _split_texts(anchors))


def _split_texts(anchors: str) -> tuple[str, ...]:
    return tuple(anchors.split("\n")) if anchors else ()


def _closed_rows(found: CrawlMap) -> Iterator[Row]:
    for page in found.closed:
        yield found.site, page.url, page.why, "\n".join(page.texts)


def _page_rows(site: str, position: int, pages: Iterable[MapPage]) -> Iterator[Row]:
    for number, page in enumerate(pages, position):
        anchors = "\n".join(page.anchors)
        key = urls.page_key(page.url)
        yield site, key, number, page.url, page.depth, page.title, page.blob, anchors
