"""The page cache is made anew when its file is damaged."""

from collections.abc import Callable
from contextlib import aclosing
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
