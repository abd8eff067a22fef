"""Later and concurrent surveys reuse pages, also of interrupted surveys."""

import asyncio
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from forager.adapters.store.blobs import SqliteBlobs
from forager.adapters.web.crawl.crawler import CrawledPage
from forager.adapters.web.library import WebLibrary
from forager.domain.documents import Document
from forager.settings import Settings
from tests.forager.adapters.conftest import Naps
from tests.forager.adapters.web.crawled import make_page, page_paths
from tests.servers import Asked, Reply, Site


async def test_a_recent_map_is_reused(
    small: Site, library: WebLibrary, settings: Settings, blobs: SqliteBlobs
) -> None:
    found = await library.survey(small.url(), 100)
    asked = len(small.asked)
    assert await library.survey(small.url("/index.html"), 1000) == found
    later = WebLibrary(settings, blobs)
    again = await later.survey(small.url(), 100)
    assert again == found == later.load_map(small.url())
    assert again.fetched == 0
    opened = await later.open(found.pages[3].url)
    assert opened.cached
    assert opened.blob == found.pages[3].blob
    assert opened.document == Document.model_validate_json(blobs.get(opened.blob))
    assert len(small.asked) == asked
    await later.aclose()


async def test_a_page_whose_blob_is_missing_is_fetched_again(
    small: Site, library: WebLibrary, settings: Settings, tmp_path: Path
) -> None:
    await library.open(small.url("/a.html"))
    empty = SqliteBlobs(tmp_path / "other.sqlite")
    later = WebLibrary(settings, empty)
    assert not (await later.open(small.url("/a.html"))).cached
    assert (await later.open(small.url("/a.html"))).cached
    assert small.paths() == ["/a.html", "/a.html"]
    await later.aclose()
    empty.close()


async def test_a_larger_survey_extends_a_smaller_one(small: Site, library: WebLibrary) -> None:
    first = await library.survey(small.url(), 2)
    assert page_paths(first, small) == ["/", "/a.html"]
    assert not first.complete
    assert await library.survey(small.url(), 2) == first
    second = await library.survey(small.url(), 100)
    assert len(second.pages) == 5
    assert second.fetched == 3
    assert len(small.paths()) == len(set(small.paths()))


async def test_an_interrupted_survey_is_continued(
    site: Site, library: WebLibrary, settings: Settings, blobs: SqliteBlobs
) -> None:
    names = [f"/{chr(97 + i)}{chr(97 + j)}.html" for i in range(10) for j in range(12)]
    site.routes["/"] = make_page("Root", *names)
    site.routes |= {name: make_page(f"Page {name}") for name in names}

    def enough(crawled: CrawledPage) -> None:
        if crawled.url == site.url(names[59]):
            task.cancel()

    task = asyncio.create_task(library.survey(site.url(), 1000, on_page=enough))
    with pytest.raises(asyncio.CancelledError):
        await task
    kept = library.load_map(site.url())
    assert kept is not None
    assert len(kept.pages) >= 60
    assert not kept.is_sufficient(10, 1e9)
    other = WebLibrary(settings, blobs)
    found = await other.survey(site.url(), 1000)
    assert (len(found.pages), found.complete) == (121, True)
    assert all(site.paths().count(path) == 1 for path in page_paths(kept, site))
    await other.aclose()


async def test_concurrent_surveys_give_the_same_map(
    small: Site, library: WebLibrary, settings: Settings, blobs: SqliteBlobs
) -> None:
    other = WebLibrary(settings, blobs)
    surveys = [one.survey(small.url(), 100) for one in (library, library, other)]
    found = await asyncio.gather(*surveys)
    assert len({one.pages for one in found}) == 1
    assert library.load_map(small.url()) == found[0] or library.load_map(small.url()) == found[2]
    await other.aclose()


def start(settings: Settings, site: Site) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.forager.adapters.web.worker"]
    return subprocess.Popen(
        [*command, str(settings.data), site.url(), "1000"], stdout=subprocess.PIPE, text=True
    )


async def test_two_processes_share_a_folder(
    site: Site, library: WebLibrary, settings: Settings
) -> None:
    names = [f"/{chr(97 + i)}{chr(97 + j)}.html" for i in range(6) for j in range(10)]
    site.routes["/"] = make_page("Root", *names)
    site.routes |= {name: make_page(f"Page {name}", "/") for name in names}
    both = [start(settings, site) for _ in range(2)]
    assert [one.communicate()[0] for one in both] == ["61\n", "61\n"]
    found = library.load_map(site.url())
    assert found is not None
    assert (len(found.pages), found.complete) == (61, True)


async def test_a_killed_process_keeps_its_pages(
    site: Site, library: WebLibrary, settings: Settings
) -> None:
    names = [f"/{chr(97 + i)}{chr(97 + j)}.html" for i in range(6) for j in range(10)]
    killed = threading.Event()

    def last(_: Asked) -> Reply:
        if not killed.is_set():
            process.kill()
            process.wait()
            killed.set()
        return Reply(make_page("Last"))

    site.routes["/"] = make_page("Root", *names, "last.html")
    site.routes |= {name: make_page(f"Page {name}", "/") for name in names}
    site.routes["/last.html"] = last
    process = start(settings, site)
    assert killed.wait(60)
    process.communicate()
    before = len(site.paths())
    found = await library.survey(site.url(), 1000)
    assert len(found.pages) == 62
    assert len(site.paths()) - before < 20


async def test_an_old_map_is_revalidated(
    small: Site, library: WebLibrary, settings: Settings, blobs: SqliteBlobs, naps: Naps
) -> None:
    await library.survey(small.url(), 100)
    small.routes["/sub/d.html"] = make_page("New")
    old = settings.model_copy(update={"survey_age_seconds": 0.0})
    later = WebLibrary(old, blobs, naps)
    found = await later.survey(small.url(), 100)
    assert found.pages[4].title == "New"
    small.routes["/"] = Reply("no", 500)
    stale = await later.survey(small.url(), 100)
    assert stale.pages == found.pages
    assert "older map" in stale.notes[-1]
    await later.aclose()


async def test_seeds_come_first(small: Site, library: WebLibrary) -> None:
    deep = small.url("/sub/d.html")
    found = await library.survey(small.url(), 1, [deep])
    assert page_paths(found, small) == ["/", "/sub/d.html"]
    before = len(small.asked)
    again = await library.survey(small.url(), 1, [deep])
    assert page_paths(again, small) == page_paths(found, small)
    assert len(small.asked) == before


async def test_a_later_seed_joins_the_map(small: Site, library: WebLibrary) -> None:
    await library.survey(small.url(), 3)
    found = await library.survey(small.url(), 3, [small.url("/sub/d.html")])
    assert {"/", "/a.html", "/b.html", "/sub/d.html"} <= set(page_paths(found, small))
    assert len(small.paths()) == len(set(small.paths()))


async def test_a_seed_does_not_renew_the_whole_map(
    small: Site, library: WebLibrary, settings: Settings, blobs: SqliteBlobs, naps: Naps
) -> None:
    await library.survey(small.url(), 100)
    before = len(small.paths())
    old = settings.model_copy(update={"survey_age_seconds": 0.0})
    later = WebLibrary(old, blobs, naps)
    small.routes["/new.html"] = make_page("New")
    found = await later.survey(small.url(), 1, [small.url("/new.html")])
    assert page_paths(found, small) == ["/", "/new.html"]
    assert not {"/a.html", "/b.html", "/sub/d.html"} & set(small.paths()[before:])
    await later.aclose()


async def test_a_missing_seed_is_noted(small: Site, library: WebLibrary) -> None:
    found = await library.survey(small.url(), 2, [small.url("/gone.html")])
    assert any("gone.html" in note for note in found.notes)
    assert "/gone.html" not in page_paths(found, small)
