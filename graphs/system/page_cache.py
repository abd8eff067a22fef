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

OURS = b'{"'
"""How a document or a view begins. A page that does may be one, so it is left."""


class PageCache(Frozen):
    """How many pages there are, and how many bytes their bodies take."""

    pages: int = 0
    bytes: int = 0


class _Opened(NamedTuple):
    database: Database
    cache: Cache
    blobs: SqliteBlobs


def page_cache(settings: Settings) -> PageCache:
    """What could be deleted. Raises StoreError."""
    with _opened(settings) as opened:
        return PageCache(pages=opened.cache.pages(), bytes=sum(_bodies(opened).values()))


def delete_page_cache(settings: Settings) -> PageCache:
    """Delete it and give its space back; what there was. Pages are fetched anew when next opened.

    Runs may go on meanwhile. Raises StoreError.
    """
    with _opened(settings) as opened:
        bodies = _bodies(opened)
        found = PageCache(pages=opened.cache.pages(), bytes=sum(bodies.values()))
        # In this order: a page is fetched anew without its body, which would stay without its page.
        opened.blobs.drop(bodies)
        opened.cache.clear()
        opened.database.shrink()
        return found


def _bodies(opened: _Opened) -> dict[str, int]:
    """The bodies that nothing but the cache names, and their sizes as stored."""
    heads = opened.blobs.heads(opened.cache.bodies())
    return {digest: head.size for digest, head in heads.items() if head.first != OURS}


@contextmanager
def _opened(settings: Settings) -> Iterator[_Opened]:
    with ExitStack() as stack:
        database = stack.enter_context(closing(Database(settings.data / "web.sqlite")))
        yield _Opened(database, Cache(database), stack.enter_context(open_blobs(settings)))
