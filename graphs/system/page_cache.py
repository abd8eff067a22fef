"""The page cache: how much it holds, and how to delete it.

The documents, views and screenshots that sessions and site maps rest on are not deleted.
"""

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from typing import NamedTuple

from forager.adapters.store.blob_store import BlobStore
from forager.adapters.web.web_database import PageCache, WebDatabase
from forager.domain.base import Frozen
from forager.settings import Settings
from graphs.reports.stored_pages import open_blobs


class PageCacheSize(Frozen):
    """The number of pages, and the bytes that their bodies take."""

    pages: int = 0
    bytes: int = 0


class _OpenCache(NamedTuple):
    database: WebDatabase
    cache: PageCache
    blobs: BlobStore


def measure_page_cache(settings: Settings) -> PageCacheSize:
    """What `delete_page_cache` would delete. Raises StoreError."""
    with _open_cache(settings) as opened:
        return PageCacheSize(
            pages=opened.cache.count_pages(), bytes=sum(_response_bodies(opened).values())
        )


def delete_page_cache(settings: Settings) -> PageCacheSize:
    """Delete the cache and free its space; what was deleted. Pages are fetched again when needed.

    Runs may continue meanwhile. Raises StoreError.
    """
    with _open_cache(settings) as opened:
        bodies = _response_bodies(opened)
        found = PageCacheSize(pages=opened.cache.count_pages(), bytes=sum(bodies.values()))
        # In this order: a page without a body is fetched again, a body without a page would stay.
        opened.blobs.delete_blobs(bodies)
        opened.cache.clear()
        opened.database.shrink()
        return found


def _response_bodies(opened: _OpenCache) -> dict[str, int]:
    """The sizes, as stored, of the bodies of responses."""
    return opened.blobs.measure_responses(opened.cache.body_blobs())


@contextmanager
def _open_cache(settings: Settings) -> Iterator[_OpenCache]:
    with ExitStack() as stack:
        database = stack.enter_context(closing(WebDatabase(settings.data / "web.sqlite")))
        yield _OpenCache(database, PageCache(database), stack.enter_context(open_blobs(settings)))
