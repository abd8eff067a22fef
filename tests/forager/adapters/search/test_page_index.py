"""The full-text index of crawled pages, on real crawls."""

import asyncio
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Iterable
from contextlib import aclosing, closing
from pathlib import Path

import pytest

from forager.adapters.search.page_index import CrawledPages, PageIndex
from forager.adapters.search.provider_registry import open_search_chain
from forager.adapters.store.blobs import SqliteBlobs
from forager.adapters.web.library import WebLibrary
from forager.adapters.web.web_database import CachedResponse, PageCache, WebDatabase
from forager.domain.documents import Document
from forager.domain.survey import NOT_THE_WEB
from forager.errors import SearchError
from forager.settings import Settings
from tests.forager.adapters.conftest import Naps
from tests.servers import Site

LAMPS = "The lamps were burning whale oil until the year 1894, when gas came to the island."
HOLM = "霍尔姆灯塔建于一八七四年，塔高四十一米，由工程师玛尔塔设计。"


def page(title: str, text: str, *links: str) -> str:
    anchors = " ".join(f"<a href='{link}'>{link}</a>" for link in links)
    return f"<title>{title}</title><h1>{title}</h1><p>{text}</p><p>{anchors}</p>"


@pytest.fixture
def coast(site: Site) -> Site:
    site.routes |= {
        "/": page("The coast", "Pages about lights.", "lamp.html", "tower.html", "zh.html"),
        "/lamp.html": page("Oil and gas", LAMPS),
        "/tower.html": page("The tower", "Holm tower. It has a lamp, a lamp and a lamp. " * 20),
        "/zh.html": page("霍尔姆灯塔", HOLM * 3),
    }
    return site


@pytest.fixture
async def sites(settings: Settings, blobs: SqliteBlobs) -> AsyncIterator[CrawledPages]:
    async with aclosing(CrawledPages(settings, blobs)) as provider:
        yield provider


async def paths(sites: CrawledPages, query: str, site: str = "") -> list[str]:
    found = await sites.find_rows(query, 500, site)
    return ["/" + row.url.split("/", 3)[3] for row in found.rows]


async def test_crawled_pages_are_found(
    coast: Site, library: WebLibrary, sites: CrawledPages
) -> None:
    await library.survey(coast.url(), 10)
    asked = len(coast.asked)
    [row] = (await sites.find_rows("burned lamp", 1, "")).rows
    assert (row.url, row.title) == (coast.url("/lamp.html"), "Oil and gas")
    assert LAMPS in row.snippet
    assert await paths(sites, "towers holm") == ["/tower.html", "/"]
    assert len(coast.asked) == asked


async def test_a_web_search_leaves_out_what_ships_with_forager(
    coast: Site, library: WebLibrary, sites: CrawledPages, settings: Settings
) -> None:
    await library.survey(coast.url(), 10)
    for name in ("handbook-port", "example-manual-port"):
        (settings.data / name).write_text(f"{coast.port}\n1")  # served there the time before
        assert await paths(sites, "towers holm") == []
        assert await paths(sites, "towers holm", coast.url()) == ["/tower.html", "/"]
        (settings.data / name).unlink()
    assert await paths(sites, "towers holm") == ["/tower.html", "/"]


async def test_a_title_counts_for_more(
    site: Site, library: WebLibrary, sites: CrawledPages
) -> None:
    words = "Many words on other things, which make a page long. " * 200
    site.routes |= {
        "/": page("Root", words, "a.html", "b.html", "c.html"),
        "/a.html": page("Granite", words + "The tower is of granite."),
        "/b.html": page("The tower", words + "It is of granite."),
        "/c.html": page("Sand", words + "A tower of sand. A tower of sand."),
    }
    await library.survey(site.url(), 10)
    assert (await paths(sites, "tower"))[0] == "/b.html"


async def test_chinese_words_are_found(
    coast: Site, library: WebLibrary, sites: CrawledPages
) -> None:
    await library.survey(coast.url(), 10)
    for query in ("灯塔", "霍尔姆灯塔有多高？", "工程师", "高"):
        assert await paths(sites, query) == ["/zh.html"]
    assert await paths(sites, "塔灯") == []
    [row] = (await sites.find_rows("工程师", 5, "")).rows
    assert row.title == "霍尔姆灯塔"
    assert "由工程师玛尔塔设计" in row.snippet


async def test_a_page_that_was_only_opened(
    coast: Site, library: WebLibrary, sites: CrawledPages
) -> None:
    await library.open(coast.url("/lamp.html"))
    assert await paths(sites, "whale") == ["/lamp.html"]
    await library.open(coast.url("/tower.html"))
    assert await paths(sites, "holm") == ["/tower.html"]


async def test_sites_are_kept_apart(
    coast: Site, library: WebLibrary, sites: CrawledPages, settings: Settings
) -> None:
    await library.survey(coast.url(), 10)
    with Site({"/": page("Other", LAMPS)}) as other:
        allowed = settings.model_copy(update={"allow_private": ("127.0.0.1",)})
        async with aclosing(
            WebLibrary(allowed, SqliteBlobs(settings.data / "blobs.sqlite"))
        ) as more:
            await more.survey(other.url(), 10)
            assert await paths(sites, "whale", other.url("/any.html")) == ["/"]
            assert await paths(sites, "whale", coast.url()) == ["/lamp.html"]
            assert len(await paths(sites, "whale")) == 2


async def test_searching_an_unknown_site_is_an_error(
    coast: Site, library: WebLibrary, sites: CrawledPages
) -> None:
    with pytest.raises(SearchError, match="sites knows no page yet"):
        await sites.find_rows("lamp", 5, "")
    await library.survey(coast.url(), 10)
    with pytest.raises(SearchError, match=r"no page of example\.org yet\. Ask a question"):
        await sites.find_rows("lamp", 5, "https://example.org/")
    assert await paths(sites, "zeppelin") == []
    assert await paths(sites, '"') == []


async def test_a_changed_page_is_updated(
    coast: Site, settings: Settings, blobs: SqliteBlobs, naps: Naps, sites: CrawledPages
) -> None:
    stale = settings.model_copy(update={"survey_age_seconds": 0.0})
    async with aclosing(WebLibrary(stale, blobs, naps)) as library:
        await library.open(coast.url("/lamp.html"))
        assert await paths(sites, "whale") == ["/lamp.html"]
        coast.routes["/lamp.html"] = page("Electricity", "Now there are bulbs.")
        await library.open(coast.url("/lamp.html"))
    assert await paths(sites, "whale") == []
    assert await paths(sites, "bulbs") == ["/lamp.html"]


async def test_a_page_without_blob_is_skipped(
    coast: Site, library: WebLibrary, settings: Settings, sites: CrawledPages
) -> None:
    opened = await library.open(coast.url("/lamp.html"))
    await library.open(coast.url("/tower.html"))
    with closing(sqlite3.connect(settings.data / "blobs.sqlite", isolation_level=None)) as file:
        file.execute("DELETE FROM blobs WHERE digest = ?", (opened.blob,))
    assert await paths(sites, "lamp") == ["/tower.html"]


def keep(settings: Settings, blobs: SqliteBlobs, texts: Iterable[str]) -> list[str]:
    """Put pages in the store as if they had been opened; returns their URLs."""
    entries = []
    for number, text in enumerate(texts):
        document = Document(url=f"https://a.org/p{number:03}", title="Lamps", text=text)
        blob = blobs.put(document.model_dump_json().encode(), "document")
        entries.append(CachedResponse(document.url, document.url, "", "", "", 1.0, blob, blob, 1))
    with closing(WebDatabase(settings.data / "web.sqlite")) as database:
        for entry in entries:
            PageCache(database).put(entry, [entry.key])
    return [entry.url for entry in entries]


async def test_two_hundred_pages_alike(settings: Settings, blobs: SqliteBlobs) -> None:
    words = "The lamps of Holm burn oil. They are bright and many."
    keep(settings, blobs, [words + " Read on." * (number % 2) for number in range(200)])
    async with aclosing(open_search_chain(settings, blobs, ["sites"])) as searches:
        found = await searches.search("lamps oil", 200)
    assert len(found.results) == 2
    left_out = "sites: results were left out: 198 that repeat other results."
    assert found.notes == (left_out, NOT_THE_WEB)
    async with aclosing(open_search_chain(settings, blobs, ["sites"])) as searches:
        assert NOT_THE_WEB not in (await searches.search("lamps oil", 200, "a.org")).notes


def _garbage(path: Path) -> None:
    path.write_bytes(b"This is no database. " * 400)


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _scribble(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xa5" * (len(data) - 4096)
    path.write_bytes(data)


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _drop(path: Path) -> None:
    with closing(sqlite3.connect(path)) as file:
        file.execute("DROP TABLE bodies")


def _older(path: Path) -> None:
    with closing(sqlite3.connect(path)) as file:
        file.execute("DELETE FROM documents")
        file.execute("PRAGMA user_version = 0")


@pytest.mark.parametrize("damage", [_garbage, _cut, _scribble, _empty, _drop, _older, Path.unlink])
async def test_a_damaged_index_is_rebuilt(
    coast: Site, library: WebLibrary, settings: Settings, blobs: SqliteBlobs, damage: object
) -> None:
    await library.survey(coast.url(), 10)
    path = settings.data / "sites.sqlite"
    async with aclosing(CrawledPages(settings, blobs)) as sites:
        assert await paths(sites, "whale") == ["/lamp.html"]
    assert callable(damage)
    damage(path)
    async with aclosing(CrawledPages(settings, blobs)) as sites:
        assert await paths(sites, "whale") == ["/lamp.html"]
        assert await paths(sites, "灯塔") == ["/zh.html"]


async def test_a_folder_in_place_of_the_index_is_set_aside(
    coast: Site, library: WebLibrary, settings: Settings, sites: CrawledPages
) -> None:
    await library.survey(coast.url(), 10)
    (settings.data / "sites.sqlite").mkdir()
    assert await sites.find_rows("lamp", 5, "")
    assert (settings.data / "sites.sqlite.aside-1").is_dir()


async def test_an_unwritable_index_is_an_error(
    coast: Site, library: WebLibrary, settings: Settings, sites: CrawledPages
) -> None:
    await library.survey(coast.url(), 10)
    for index in settings.data.glob("sites.sqlite*"):
        index.unlink()
    (settings.data / "sites.sqlite").symlink_to(settings.data / "absent" / "sites.sqlite")
    with pytest.raises(SearchError, match=r"sites\.sqlite failed: unable to open"):
        await sites.find_rows("lamp", 5, "")


async def test_searching_while_crawling(
    site: Site, library: WebLibrary, sites: CrawledPages
) -> None:
    names = [f"p{number}.html" for number in range(40)]
    site.routes["/"] = page("Root", "Start", *names)
    for name in names:
        site.routes[f"/{name}"] = page(name, f"The lamp of {name} has words of its own: {name}.")
    crawl = asyncio.create_task(library.survey(site.url(), 200))
    counts = []
    while not crawl.done():
        await asyncio.sleep(0)
        if len(site.asked) > 5:
            counts.append(len(await _found(sites)))
    await crawl
    assert counts == sorted(counts)
    assert len(await _found(sites)) == 40


async def _found(sites: CrawledPages) -> list[str]:
    try:
        return await paths(sites, "lamp")
    except SearchError:
        return []  # nothing was crawled yet


async def test_several_processes_share_an_index(settings: Settings, blobs: SqliteBlobs) -> None:
    urls = keep(settings, blobs, [f"The lamp number {number}." for number in range(120)])
    command = [
        sys.executable,
        "-m",
        "tests.forager.adapters.search.worker",
        str(settings.data),
        "lamp",
    ]
    workers = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    said = [(await asyncio.to_thread(worker.communicate))[0].split() for worker in workers]
    assert said == [urls, urls]
    with closing(PageIndex(settings.data, blobs)) as index:
        assert index.count_pages() == 120
