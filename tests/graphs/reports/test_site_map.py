"""A site's pages as a tree."""

import json
from contextlib import closing
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from forager.adapters.store.blobs import SqliteBlobs
from forager.adapters.web.crawl.site_maps import CrawlMap, MapPage, MapStore
from forager.adapters.web.web_database import WebDatabase
from forager.settings import Settings
from graphs.reports.site_map import parent_places, places_to_show, read_site_maps
from tests.fakes import MemoryBlobs

ROOT = "http://lights/"


def page(blobs: MemoryBlobs, path: str, depth: int, *links: str) -> MapPage:
    body = {"links": [{"url": ROOT + link, "text": link} for link in links]}
    return MapPage(ROOT + path, depth, path, blobs.put(json.dumps(body).encode(), "document"))


def test_a_page_is_below_the_first_page_that_links_to_it() -> None:
    blobs = MemoryBlobs()
    pages = [
        page(blobs, "", 0, "a", "b"),
        page(blobs, "a", 1, "b", "c"),
        page(blobs, "b", 1, "c", "d"),
        page(blobs, "c", 2, "a"),
        page(blobs, "d", 2),
    ]
    assert parent_places(pages, blobs) == (-1, 0, 0, 1, 2)


def test_an_unlinked_page_is_below_its_folder() -> None:
    blobs = MemoryBlobs()
    pages = [
        page(blobs, "", 0, "docs"),
        page(blobs, "docs", 1),
        page(blobs, "docs/keeper", 1),
        page(blobs, "lost", 1),
        MapPage(f"{ROOT}gone", 1, "gone", "no such blob"),
    ]
    assert parent_places(pages, blobs) == (-1, 0, 1, 0, 0)


@st.composite
def trees(draw: st.DrawFn) -> tuple[list[int], list[int], int]:
    count = draw(st.integers(1, 40))
    above = [-1, *(draw(st.integers(0, page - 1)) for page in range(1, count))]
    wanted = draw(st.lists(st.integers(0, count - 1), max_size=3))
    return above, wanted, draw(st.integers(1, 45))


@given(trees())
def test_shown_pages_are_a_tree(given: tuple[list[int], list[int], int]) -> None:
    above, wanted, most = given
    shown = places_to_show(above, wanted, most)
    assert 0 in shown
    assert len(shown) == min(most, len(above))
    assert all(above[place] in shown for place in shown if place)


def test_wanted_pages_are_shown_first() -> None:
    above = [-1, 0, 0, 0, 2, 4]
    assert places_to_show(above, [5], most=4) == (0, 2, 4, 5)
    assert places_to_show(above, [], most=4) == (0, 1, 2, 3)


def test_the_tree_of_a_map_is_cached(tmp_path: Path) -> None:
    with closing(SqliteBlobs(tmp_path / "blobs.sqlite")) as blobs:
        body = {"links": [{"url": f"{ROOT}b", "text": "b"}]}
        root = MapPage(ROOT, 0, "", blobs.put(b'{"links": []}', "document"))
        a = MapPage(f"{ROOT}a", 1, "a", blobs.put(json.dumps(body).encode(), "document"))
    with closing(WebDatabase(tmp_path / "web.sqlite")) as file:
        MapStore(file).replace(
            CrawlMap(site=ROOT, pages=(root, a, MapPage(f"{ROOT}b", 2, "b", "")))
        )
    settings = Settings(data=tmp_path)
    (first,) = read_site_maps(settings, [ROOT], [])
    assert [node.parent for node in first.nodes] == [-1, 0, 1]
    (tmp_path / "blobs.sqlite").unlink()
    assert read_site_maps(settings, [ROOT], []) == (first,)
