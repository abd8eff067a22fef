"""The maps of surveyed sites, which are stored, and the link graph that a crawl makes them of.

A map has the pages of a site, their depths, and the texts of links to them.
"""

import json
import time
from collections import deque
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


MAX_ANCHORS = 40
MAX_ANCHOR_LENGTH = 200


class LinkGraph:
    """Pages by key in order of discovery; the first page is the root."""

    def __init__(self) -> None:
        self._pages: dict[str, MapPage] = {}
        self._depths: dict[str, int] = {}
        self._aliases: dict[str, str] = {}
        self._links: dict[str, dict[str, None]] = {}
        self._anchors: dict[str, dict[str, None]] = {}

    def __len__(self) -> int:
        return len(self._pages)

    def __contains__(self, url: str) -> bool:
        return urls.page_key(url) in self._pages

    def add_page(self, url: str, title: str, blob: str) -> int:
        """Add a page and return its smallest known depth."""
        key = urls.page_key(url)
        depth = self._depths.setdefault(key, 1 if self._pages else 0)
        self._pages[key] = MapPage(url, depth, title, blob)
        return depth

    def add_alias(self, url: str, page: str) -> None:
        """Add another URL of a page; links to that URL count for the page."""
        key, target = urls.page_key(url), urls.page_key(page)
        if key != target:
            self._aliases[key] = target
            self._lower_depth(target, self._depths.get(key))

    def add_links(self, source: str, target: str, texts: Iterable[str]) -> None:
        """Add links from one page to another, with their texts."""
        origin, key = urls.page_key(source), urls.page_key(target)
        self._links.setdefault(origin, {})[key] = None
        self._lower_depth(key, self._depths[origin] + 1)
        words = self._anchors.setdefault(key, {})
        for text in texts:
            if text and len(words) < MAX_ANCHORS:
                words[text[:MAX_ANCHOR_LENGTH]] = None

    def link_texts(self, url: str) -> tuple[str, ...]:
        """The texts of the links to an address."""
        return tuple(self._anchors.get(urls.page_key(url), ()))

    def _lower_depth(self, key: str, depth: int | None) -> None:
        if depth is not None:
            self._depths[key] = min(depth, self._depths.get(key, depth))

    def pages_from(self, start: int) -> list[MapPage]:
        """The pages from a position on, in order of discovery."""
        return list(self._pages.values())[start:]

    def final_pages(self) -> tuple[MapPage, ...]:
        """All pages, sorted by final depth, with the texts of the links to them."""
        depths = self._measure_depths()
        words: dict[str, dict[str, None]] = {}
        for key, texts in self._anchors.items():
            words.setdefault(self._aliases.get(key, key), {}).update(texts)
        pages = [
            MapPage(page.url, depths.get(key, 1), page.title, page.blob, tuple(words.get(key, ())))
            for key, page in self._pages.items()
        ]
        return tuple(sorted(pages, key=lambda page: page.depth))

    def _measure_depths(self) -> dict[str, int]:
        """Clicks from the root by breadth-first search; unreachable pages are missing."""
        depths = dict.fromkeys(list(self._pages)[:1], 0)
        queue = deque(depths)
        while queue:
            key = queue.popleft()
            for target in self._links.get(key, ()):
                page = self._aliases.get(target, target)
                if page in self._pages and page not in depths:
                    depths[page] = depths[key] + 1
                    queue.append(page)
        return depths
