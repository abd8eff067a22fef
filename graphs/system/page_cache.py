"""The page cache: how much there is in it, and how it is deleted.

What sessions and maps rest on stays: the documents that were read from its pages, views, pictures.
"""

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from typing import NamedTuple

from forager.adapters.store.blobs import SqliteBlobs
from forager.adapters.web.page_rows import Cache
from forager.adapters.web.web_database import Database
from forager.domain.base import Frozen
from forager.settings import Settings
from graphs.reports.stored_pages import open_blobs

DOCUMENT_START = b'{"'
"""How a document or a view begins. A page that does may be one, so it is left."""


class PageCacheSize(Frozen):
    """How many pages there are, and how many bytes their bodies take."""

    pages: int = 0
    bytes: int = 0


class _OpenCache(NamedTuple):
    database: Database
    cache: Cache
    blobs: SqliteBlobs


def measure_page_cache(settings: Settings) -> PageCacheSize:
    """What could be deleted. Raises StoreError."""
    with _open_cache(settings) as opened:
        return PageCacheSize(
            pages=opened.cache.pages(), bytes=sum(_unshared_bodies(opened).values())
        )


def delete_page_cache(settings: Settings) -> PageCacheSize:
    """Delete it and give its space back; what there was. Pages are fetched anew when next opened.

    Runs may go on meanwhile. Raises StoreError.
    """
    with _open_cache(settings) as opened:
        bodies = _unshared_bodies(opened)
        found = PageCacheSize(pages=opened.cache.pages(), bytes=sum(bodies.values()))
        # In this order: a page is fetched anew without its body, which would stay without its page.
        opened.blobs.drop(bodies)
        opened.cache.clear()
        opened.database.shrink()
        return found


def _unshared_bodies(opened: _OpenCache) -> dict[str, int]:
    """The bodies that nothing but the cache names, and their sizes as stored."""
    heads = opened.blobs.heads(opened.cache.bodies())
    return {digest: head.size for digest, head in heads.items() if head.first != DOCUMENT_START}


@contextmanager
def _open_cache(settings: Settings) -> Iterator[_OpenCache]:
    with ExitStack() as stack:
        database = stack.enter_context(closing(Database(settings.data / "web.sqlite")))
        yield _OpenCache(database, Cache(database), stack.enter_context(open_blobs(settings)))
