"""The indexes of surveyed sites: built once per map, stored in files, loaded in milliseconds."""

import hashlib
import logging
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit
from weakref import WeakValueDictionary
from zipfile import BadZipFile

from forager.adapters.web.crawl.site_maps import CrawlMap, MapPage
from forager.domain.documents import Document
from forager.errors import LateError, StoreError
from forager.ports import Blobs, Embedder
from forager.ranking.index import Index, Source, build_index, dump_index, load_index
from forager.text.languages import page_language
from forager.text.tokens import search_terms, tokenize
from forager.util.files import atomic_write, set_file_aside, set_folder_aside

LOG = logging.getLogger(__name__)
INDEX_VERSION = 7
MAX_OPEN_SITES = 3
"""Sites held in memory; a site of 1,000 pages takes about 60 MB."""
MAX_PROMISING = 100
HURRY_SECONDS = 1.0
"""How long the index of a hurried survey is made; the pages that promise most come first."""
NO_FILE_ERRORS = (FileNotFoundError, IsADirectoryError, NotADirectoryError)
DAMAGE_ERRORS = (*NO_FILE_ERRORS, BadZipFile, ValueError, KeyError, EOFError)

INDEXING: WeakValueDictionary[str, threading.Lock] = WeakValueDictionary()
"""A lock per index file that is in use: runs of one process may survey the same site at once."""
_CHOOSING = threading.Lock()


def delete_indexes(folder: Path, site: str) -> None:
    """Delete the index files of a site, named by the key of its map. Raises OSError."""
    for file in folder.glob(f"{_site_prefix(site)}-*.npz"):
        file.unlink(missing_ok=True)


def promising_pages(found: CrawlMap, text: str) -> CrawlMap:
    """The map with the pages alone whose names hold most of the rarest terms of a text."""
    sought = frozenset(search_terms(text))
    held = [sought & _name_terms(page) for page in found.pages]
    common = Counter(term for terms in held for term in terms)
    worth = [sum(1 / common[term] for term in terms) for terms in held]
    best = sorted(range(len(worth)), key=lambda place: (-worth[place], place))
    return replace(found, pages=tuple(found.pages[place] for place in best[:MAX_PROMISING]))


def _name_terms(page: MapPage) -> frozenset[str]:
    return frozenset(tokenize(" ".join((page.title, urlsplit(page.url).path, *page.anchors))))


def _site_prefix(site: str) -> str:
    return hashlib.sha256(site.encode()).hexdigest()[:16]


@dataclass
class IndexWork:
    """How many pages an index has read; once it is unwanted it ends after a page.

    A hurried one holds what was read in `HURRY_SECONDS`, and is not stored. It is changed in one
    thread and read in another.
    """

    pages: int = 0
    unwanted: bool = False
    hurried: bool = False


class SiteIndexes:
    """Builds and loads the indexes of sites. Methods block: call them in a thread."""

    def __init__(self, folder: Path, blobs: Blobs, embedder: Embedder) -> None:
        self._folder = folder
        self._blobs = blobs
        self._embedder = embedder
        self._open: OrderedDict[Path, Index] = OrderedDict()
        self._lock = threading.Lock()

    def is_indexed(self, found: CrawlMap) -> bool:
        """Whether the index of a map is there."""
        path = self._index_path(found)
        with self._lock:
            return path in self._open or path.is_file()

    def index_site(self, found: CrawlMap, work: IndexWork | None = None) -> Index:
        """Return the index of a map.

        Raises StoreError, and LateError once the work is unwanted.
        """
        path = self._index_path(found)
        with _choose_lock(path):
            with self._lock:
                index = self._open.pop(path, None)
            index = index or self._load_or_build(found, path, work or IndexWork())
            with self._lock:
                self._open[path] = index
                if len(self._open) > MAX_OPEN_SITES:
                    self._open.popitem(last=False)
        return index

    def _load_or_build(self, found: CrawlMap, path: Path, work: IndexWork) -> Index:
        index = self._load_index(path)
        if index is None:
            index = build_index(self._read_sources(found, work), self._embedder.matcher)
            if not work.hurried:
                self._remove_old_indexes(path)
                self._write_file(path, dump_index(index))
        return index

    def _index_path(self, found: CrawlMap) -> Path:
        pages = ",".join(page.blob for page in found.pages)
        tokens = self._embedder.matcher.name if self._embedder.matcher else ""
        made = f"{INDEX_VERSION} {tokens} {found.site} {pages}"
        content = hashlib.sha256(made.encode()).hexdigest()
        return self._folder / f"{_site_prefix(found.site)}-{content[:16]}.npz"

    def _read_file(self, path: Path) -> bytes:
        try:
            return path.read_bytes()
        except NO_FILE_ERRORS:
            raise
        except OSError as error:
            raise StoreError(f"The index {path.name} cannot be read: {error}.") from error

    def _load_index(self, path: Path) -> Index | None:
        """Load an index; None if the file is missing or damaged."""
        try:
            return load_index(self._read_file(path))
        except DAMAGE_ERRORS as error:
            _log_damage(path, error)
            return None

    def _write_file(self, path: Path, data: bytes) -> None:
        try:
            set_file_aside(self._folder)
            set_folder_aside(path)
            with atomic_write(path) as fresh:
                fresh.write_bytes(data)
        except OSError as error:
            raise StoreError(
                f"The index of a site cannot be saved: {error}.",
                "Free some space and resume the session.",
            ) from error

    def _remove_old_indexes(self, path: Path) -> None:
        """Delete the index files of earlier maps of the same site."""
        set_folder_aside(path)
        for old in self._folder.glob(f"{path.name.partition('-')[0]}-*.npz"):
            old.unlink(missing_ok=True)

    def _read_sources(self, found: CrawlMap, work: IndexWork) -> Iterator[Source]:
        end = time.monotonic() + HURRY_SECONDS
        for page in found.pages:
            if work.unwanted:
                raise LateError(f"The index of {found.site} is not wanted any more.")
            if work.hurried and work.pages and time.monotonic() > end:
                return
            yield self._read_source(page)
            work.pages += 1

    def _read_source(self, page: MapPage) -> Source:
        document = Document.model_validate_json(self._blobs.get(page.blob))
        language = page_language(document.lang, document.text)
        anchors, depth, sections = page.anchors, page.depth, document.sections()
        return Source(page.url, page.title, document.text, sections, anchors, depth, language)


def _choose_lock(path: Path) -> threading.Lock:
    with _CHOOSING:
        return INDEXING.setdefault(str(path), threading.Lock())


def _log_damage(path: Path, error: Exception) -> None:
    if not isinstance(error, FileNotFoundError):
        LOG.warning("The index %s was damaged and is made anew.", path)
