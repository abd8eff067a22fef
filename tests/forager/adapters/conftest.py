from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from forager.adapters.store.blobs import SqliteBlobs
from forager.adapters.web.fetch.fetcher import Fetcher
from forager.adapters.web.library import WebLibrary
from forager.adapters.web.web_database import PageCache, WebDatabase
from forager.settings import Settings
from tests.forager.adapters.web.crawled import make_page
from tests.servers import Site


class Naps:
    """A sleep that takes no time and remembers how long it should have been."""

    def __init__(self) -> None:
        self.taken: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.taken.append(seconds)


@pytest.fixture
def naps() -> Naps:
    return Naps()


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as served:
        yield served


@pytest.fixture
def small(site: Site) -> Site:
    """Six pages, one of them broken, in three levels."""
    site.routes |= {
        "/": make_page("Root", "a.html", "b.html", "pic.png", "http://example.org/"),
        "/a.html": make_page("A", "sub/c.html", "/", "gone.html"),
        "/b.html": make_page("B", "a.html", "sub/c.html#part"),
        "/sub/c.html": make_page("C", "d.html", "../index.html"),
        "/sub/d.html": make_page("D"),
    }
    return site


@pytest.fixture
def settings(tmp_path: Path, site: Site) -> Settings:
    """Only the site of the test may be private, and only on its port."""
    return Settings(
        data=tmp_path,
        allow_private=(f"127.0.0.1:{site.port}",),
        max_bytes=1_000_000,
        request_seconds=10,
    )


@pytest.fixture
def blobs(tmp_path: Path) -> Iterator[SqliteBlobs]:
    store = SqliteBlobs(tmp_path / "blobs.sqlite")
    yield store
    store.close()


@pytest.fixture
async def fetcher(settings: Settings, blobs: SqliteBlobs, naps: Naps) -> AsyncIterator[Fetcher]:
    database = WebDatabase(settings.data / "web.sqlite")
    opened = Fetcher(settings, PageCache(database), blobs, naps)
    yield opened
    await opened.aclose()
    database.close()


@pytest.fixture
async def library(settings: Settings, blobs: SqliteBlobs, naps: Naps) -> AsyncIterator[WebLibrary]:
    opened = WebLibrary(settings, blobs, naps)
    yield opened
    await opened.aclose()
