"""The indexes of surveyed sites: made once per map, kept in a file, loaded in milliseconds."""

import hashlib
import os
from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path

from forager.errors import StoreError
from forager.lexical import Index, Source, build, dumps, loads
from forager.ports import Blobs, Document
from forager.web.maps import CrawlMap, MapPage

INDEX_VERSION = 1
OPEN_AT_ONCE = 3
"""Indexes held in memory; a site of 1,000 pages takes about 60 MB."""


class Atlas:
    """Indexes by site. Methods block: call them in a thread."""

    def __init__(self, folder: Path, blobs: Blobs) -> None:
        self._folder = folder
        self._blobs = blobs
        self._open: OrderedDict[Path, Index] = OrderedDict()

    def index(self, found: CrawlMap) -> Index:
        """The index of a map. Raises StoreError."""
        path = self._path(found)
        known = self._open.pop(path, None)
        index = known or self._load(path) or self._build(found, path)
        self._open[path] = index
        while len(self._open) > OPEN_AT_ONCE:
            self._open.popitem(last=False)
        return index

    def _path(self, found: CrawlMap) -> Path:
        pages = ",".join(page.blob for page in found.pages)
        content = hashlib.sha256(f"{INDEX_VERSION} {found.site} {pages}".encode()).hexdigest()
        site = hashlib.sha256(found.site.encode()).hexdigest()[:16]
        return self._folder / f"{site}-{content[:16]}.npz"

    def _load(self, path: Path) -> Index | None:
        """The index in a file; None where there is none, or a damaged one."""
        try:
            return loads(path.read_bytes())
        except (FileNotFoundError, ValueError, KeyError, EOFError):
            return None
        except OSError as error:
            raise StoreError(f"The index {path.name} cannot be read: {error}.") from error

    def _build(self, found: CrawlMap, path: Path) -> Index:
        index = build(self._sources(found))
        partial = path.with_suffix(f".{os.getpid()}.part")
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            for old in self._folder.glob(f"{path.name.partition('-')[0]}-*.npz"):
                old.unlink(missing_ok=True)
            partial.write_bytes(dumps(index))
            partial.replace(path)
        except OSError as error:
            partial.unlink(missing_ok=True)
            raise StoreError(
                f"The index of {found.site} cannot be kept: {error}.",
                "Free some space and resume the session.",
            ) from error
        return index

    def _sources(self, found: CrawlMap) -> Iterator[Source]:
        for page in found.pages:
            yield self._source(page)

    def _source(self, page: MapPage) -> Source:
        document = Document.model_validate_json(self._blobs.get(page.blob))
        headings = tuple((heading.start, heading.text) for heading in document.headings)
        return Source(page.url, page.title, document.text, headings, page.anchors, page.depth)
