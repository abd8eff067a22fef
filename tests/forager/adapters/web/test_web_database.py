"""The page cache is made anew when its file is damaged."""

import sqlite3
from collections.abc import Callable
from contextlib import aclosing, closing
from pathlib import Path

import pytest

from forager.adapters.store.blobs import SqliteBlobs
from forager.adapters.web.library import WebLibrary
from forager.settings import Settings
from tests.servers import Site


def _garbage(path: Path) -> None:
    path.write_bytes(b"not a database" * 1000)


def _scribble(path: Path) -> None:
    body = path.read_bytes()
    path.write_bytes(body[:4096] + b"\xff" * (len(body) - 4096))


@pytest.mark.parametrize("damage", [_garbage, _scribble])
async def test_a_damaged_page_cache_is_made_anew_with_a_note(
    site: Site,
    settings: Settings,
    blobs: SqliteBlobs,
    damage: Callable[[Path], None],
    caplog: pytest.LogCaptureFixture,
) -> None:
    site.routes["/"] = "<title>Root</title><p>Lamps</p><a href='/a.html'>A</a>"
    site.routes["/a.html"] = "<title>A</title><p>A lamp</p>"
    async with aclosing(WebLibrary(settings, blobs)) as library:
        before = await library.survey(site.url(), 10)
    damage(settings.data / "web.sqlite")
    async with aclosing(WebLibrary(settings, blobs)) as again:
        after = await again.survey(site.url(), 10)
    assert [page.url for page in after.pages] == [page.url for page in before.pages]
    assert "web.sqlite was damaged and is made anew" in caplog.text


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE sites SET notes = '[{bad'",
        "UPDATE sites SET notes = x'ff'",
        "UPDATE sites SET surveyed = 'noon'",
        "UPDATE sites SET surveyed = 1e300",
        "UPDATE pages SET url = '[{bad' WHERE depth = 1",
        "UPDATE pages SET anchors = x'fffe80' WHERE depth = 1",
        "UPDATE pages SET depth = 'deep' WHERE depth = 1",
        "UPDATE pages SET title = CAST(x'7bff' AS TEXT) WHERE depth = 1",
        "UPDATE responses SET url = x'fffe80'",
        "UPDATE responses SET fetched = 'never'",
        "UPDATE responses SET etag = CAST(x'7bff' AS TEXT)",
    ],
)
async def test_a_row_that_cannot_be_read_is_made_anew(
    site: Site, settings: Settings, blobs: SqliteBlobs, damage: str
) -> None:
    site.routes["/"] = "<title>Root</title><p>Lamps</p><a href='/a.html'>A</a>"
    site.routes["/a.html"] = "<title>A</title><p>A lamp</p>"
    async with aclosing(WebLibrary(settings, blobs)) as library:
        before = await library.survey(site.url(), 10)
    with closing(sqlite3.connect(settings.data / "web.sqlite")) as db, db:
        assert db.execute(damage).rowcount
    async with aclosing(WebLibrary(settings, blobs)) as again:
        after = await again.survey(site.url(), 10)
        opened = await again.open(site.url("/a.html"))
    assert [page.url for page in after.pages] == [page.url for page in before.pages]
    assert opened.document.title == "A"
