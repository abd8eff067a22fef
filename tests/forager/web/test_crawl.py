import asyncio
import gzip
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from forager.errors import ConnectError, RobotsError, StatusError
from forager.ports import Document
from forager.settings import Settings
from forager.store.blobs import SqliteBlobs
from forager.web.crawl import Crawled
from forager.web.frontier import MAX_CHAIN
from forager.web.library import Library
from forager.web.maps import CrawlMap
from tests.forager.web.conftest import Naps
from tests.servers import Asked, Reply, Site

WORDS = "Words that tell this page from others, as every page has some of its own. "


def page(title: str, *links: str, words: str = "") -> str:
    anchors = " ".join(f"<a href='{link}'>to {link}</a>" for link in links)
    return f"<title>{title}</title><h1>{title}</h1><p>{words or title * 3}</p><p>{anchors}</p>"


def paths(found: CrawlMap, site: Site) -> list[str]:
    return [one.url.removeprefix(site.url("")) for one in found.pages]


@pytest.fixture
def small(site: Site) -> Site:
    """Six pages, one of them broken, in three levels."""
    site.routes |= {
        "/": page("Root", "a.html", "b.html", "pic.png", "http://example.org/"),
        "/a.html": page("A", "sub/c.html", "/", "gone.html"),
        "/b.html": page("B", "a.html", "sub/c.html#part"),
        "/sub/c.html": page("C", "d.html", "../index.html"),
        "/sub/d.html": page("D"),
    }
    return site


async def test_a_site_is_mapped(small: Site, library: Library) -> None:
    seen: list[Crawled] = []
    found = await library.survey(small.url(), 100, seen.append)
    assert paths(found, small) == ["/", "/a.html", "/b.html", "/sub/c.html", "/sub/d.html"]
    assert [one.depth for one in found.pages] == [0, 1, 1, 2, 3]
    assert [one.title for one in found.pages] == ["Root", "A", "B", "C", "D"]
    assert found.pages[3].anchors == ("to sub/c.html", "to sub/c.html#part")
    assert found.pages[0].anchors == ("to /", "to ../index.html")
    assert (found.complete, found.fetched) == (True, 5)
    assert found.notes == (f"{small.url('/gone.html')} answered 404 Not Found.",)
    assert [one.url for one in seen] == [one.url for one in found.pages]
    assert small.paths().count("/a.html") == 1
    assert "/pic.png" not in small.paths()


async def test_the_map_serves_again(
    small: Site, library: Library, settings: Settings, blobs: SqliteBlobs
) -> None:
    found = await library.survey(small.url(), 100)
    asked = len(small.asked)
    assert await library.survey(small.url("/index.html"), 1000) == found
    later = Library(settings, blobs)
    again = await later.survey(small.url(), 100)
    assert again == found == later.load(small.url())
    assert again.fetched == 0
    opened = await later.open(found.pages[3].url)
    assert opened.cached
    assert opened.blob == found.pages[3].blob
    assert opened.document == Document.model_validate_json(blobs.get(opened.blob))
    assert len(small.asked) == asked
    await later.aclose()


async def test_a_page_whose_blob_is_gone_is_fetched_anew(
    small: Site, library: Library, settings: Settings, tmp_path: Path
) -> None:
    await library.open(small.url("/a.html"))
    empty = SqliteBlobs(tmp_path / "other.sqlite")
    later = Library(settings, empty)
    assert not (await later.open(small.url("/a.html"))).cached
    assert (await later.open(small.url("/a.html"))).cached
    assert small.paths() == ["/a.html", "/a.html"]
    await later.aclose()
    empty.close()


async def test_a_larger_survey_extends_a_smaller_one(small: Site, library: Library) -> None:
    first = await library.survey(small.url(), 2)
    assert paths(first, small) == ["/", "/a.html"]
    assert not first.complete
    assert await library.survey(small.url(), 2) == first
    second = await library.survey(small.url(), 100)
    assert len(second.pages) == 5
    assert second.fetched == 3
    assert len(small.paths()) == len(set(small.paths()))


async def test_an_interrupted_survey_goes_on(
    site: Site, library: Library, settings: Settings, blobs: SqliteBlobs
) -> None:
    names = [f"/{chr(97 + i)}{chr(97 + j)}.html" for i in range(10) for j in range(12)]
    site.routes["/"] = page("Root", *names)
    site.routes |= {name: page(f"Page {name}") for name in names}

    def enough(crawled: Crawled) -> None:
        if crawled.url == site.url(names[59]):
            task.cancel()

    task = asyncio.create_task(library.survey(site.url(), 1000, enough))
    with pytest.raises(asyncio.CancelledError):
        await task
    kept = library.load(site.url())
    assert kept is not None
    assert len(kept.pages) >= 60
    assert not kept.serves(10, 1e9)
    other = Library(settings, blobs)
    found = await other.survey(site.url(), 1000)
    assert (len(found.pages), found.complete) == (121, True)
    assert all(site.paths().count(path) == 1 for path in paths(kept, site))
    await other.aclose()


async def test_two_surveys_at_once(
    small: Site, library: Library, settings: Settings, blobs: SqliteBlobs
) -> None:
    other = Library(settings, blobs)
    surveys = [one.survey(small.url(), 100) for one in (library, library, other)]
    found = await asyncio.gather(*surveys)
    assert len({one.pages for one in found}) == 1
    assert library.load(small.url()) == found[0] or library.load(small.url()) == found[2]
    await other.aclose()


def start(settings: Settings, site: Site) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.forager.web.worker"]
    return subprocess.Popen(
        [*command, str(settings.data), site.url(), "1000"], stdout=subprocess.PIPE, text=True
    )


async def test_two_processes_share_a_folder(
    site: Site, library: Library, settings: Settings
) -> None:
    names = [f"/{chr(97 + i)}{chr(97 + j)}.html" for i in range(6) for j in range(10)]
    site.routes["/"] = page("Root", *names)
    site.routes |= {name: page(f"Page {name}", "/") for name in names}
    both = [start(settings, site) for _ in range(2)]
    assert [one.communicate()[0] for one in both] == ["61\n", "61\n"]
    found = library.load(site.url())
    assert found is not None
    assert (len(found.pages), found.complete) == (61, True)


async def test_a_killed_process_leaves_what_it_had(
    site: Site, library: Library, settings: Settings
) -> None:
    names = [f"/{chr(97 + i)}{chr(97 + j)}.html" for i in range(6) for j in range(10)]
    killed = threading.Event()

    def last(_: Asked) -> Reply:
        if not killed.is_set():
            process.kill()
            process.wait()
            killed.set()
        return Reply(page("Last"))

    site.routes["/"] = page("Root", *names, "last.html")
    site.routes |= {name: page(f"Page {name}", "/") for name in names}
    site.routes["/last.html"] = last
    process = start(settings, site)
    assert killed.wait(60)
    process.communicate()
    before = len(site.paths())
    found = await library.survey(site.url(), 1000)
    assert len(found.pages) == 62
    assert len(site.paths()) - before < 20


async def test_an_old_map_is_revalidated(
    small: Site, library: Library, settings: Settings, blobs: SqliteBlobs, naps: Naps
) -> None:
    await library.survey(small.url(), 100)
    small.routes["/sub/d.html"] = page("New")
    old = settings.model_copy(update={"survey_age_seconds": 0.0})
    later = Library(old, blobs, naps)
    found = await later.survey(small.url(), 100)
    assert found.pages[4].title == "New"
    small.routes["/"] = Reply("no", 500)
    stale = await later.survey(small.url(), 100)
    assert stale.pages == found.pages
    assert "older map" in stale.notes[-1]
    await later.aclose()


async def test_a_site_with_one_page(site: Site, library: Library) -> None:
    site.routes["/"] = page("Alone")
    found = await library.survey(site.url(), 100)
    assert (paths(found, site), found.complete) == (["/"], True)


async def test_a_root_that_cannot_be_had(site: Site, library: Library) -> None:
    with pytest.raises(StatusError, match="404"):
        await library.survey(site.url("/nothing"), 10)
    with pytest.raises(ConnectError, match="unknown"):
        await library.survey("http://nowhere.invalid/", 10)
    site.routes["/robots.txt"] = Reply("User-agent: *\nDisallow: /shut", kind="text/plain")
    assert library.load(site.url("/nothing")) is None


async def test_robots_close_a_root(site: Site, library: Library) -> None:
    site.routes["/robots.txt"] = Reply("User-agent: *\nDisallow: /", kind="text/plain")
    with pytest.raises(RobotsError):
        await library.survey(site.url(), 10)


async def test_pages_closed_by_robots_are_counted(small: Site, library: Library) -> None:
    small.routes["/robots.txt"] = Reply("User-agent: *\nDisallow: /sub/", kind="text/plain")
    found = await library.survey(small.url(), 100)
    assert paths(found, small) == ["/", "/a.html", "/b.html"]
    assert found.notes[-1] == "1 pages are closed by robots.txt."


async def test_a_root_that_moves(site: Site, library: Library) -> None:
    site.routes["/"] = Reply("", 302, headers={"Location": "/home/"})
    site.routes["/home/"] = page("Home", "a.html", "/")
    site.routes["/home/a.html"] = page("A")
    found = await library.survey(site.url(), 10)
    assert paths(found, site) == ["/home/", "/home/a.html"]
    assert found.pages[0].anchors == ("to /",)
    assert library.load(site.url()) == found


async def test_one_page_under_many_addresses(site: Site, library: Library) -> None:
    same = WORDS * 5
    site.routes |= {
        "/": page("Root", "index.html", "a?PHPSESSID=1", "a?PHPSESSID=2", "p/a", "a?id=1"),
        "/a": page("A", words=same),
        "/a?id=1": page("A", "deep", words=same),
        "/p/a": page("A", words=same),
    }
    site.routes["/index.html"] = site.routes["/"]
    found = await library.survey(site.url(), 100)
    assert paths(found, site) == ["/", "/a", "/a?id=1"]
    assert len(site.paths()) == len(set(site.paths())) == 5


async def test_sessions_in_links_do_not_multiply_pages(site: Site, library: Library) -> None:
    count = iter(range(1, 10_000))

    def fresh(asked: Asked) -> Reply:
        links = [f"/{name}?sid={next(count):032d}" for name in ("a", "b")]
        return Reply(page(f"Page {asked.path.partition('?')[0]}", *links))

    site.otherwise = fresh
    site.routes["/robots.txt"] = site.routes["/sitemap.xml"] = Reply("", 404)
    assert len((await library.survey(site.url(), 100)).pages) == 3


async def test_an_endless_calendar_ends(site: Site, library: Library) -> None:
    def month(asked: Asked) -> Reply:
        number = int(asked.path.rpartition("=")[2])
        links = (f"calendar?month={number + 1}", f"calendar?month={number - 1}")
        return Reply(page(f"Month {number}", *links))

    site.routes |= {
        "/": page("Root", "calendar?month=1000", *(f"{name}.html" for name in "abcdefgh")),
        "/calendar": month,
        **{f"/{name}.html": page(name) for name in "abcdefgh"},
    }
    found = await library.survey(site.url(), 1000)
    assert len(found.pages) == 9 + 2 * MAX_CHAIN + 1
    assert set(paths(found, site)) >= {f"/{name}.html" for name in "abcdefgh"}
    assert found.notes == ("2 addresses look endless and were left out.",)


async def test_a_maze_ends_at_the_limit(site: Site, library: Library) -> None:
    def room(asked: Asked) -> Reply:
        doors = [f"{asked.path.rstrip('/')}/{name}" for name in ("left", "right", "up")]
        return Reply(page(f"Room {asked.path}", *doors))

    site.otherwise = room
    site.routes["/robots.txt"] = site.routes["/sitemap.xml"] = Reply("", 404)
    assert len((await library.survey(site.url(), 60)).pages) == 60
    assert len(site.paths()) <= 60


async def test_frames_are_followed(site: Site, library: Library) -> None:
    site.routes |= {
        "/": "<frameset><frame src=menu.html><frame src=main.html></frameset>",
        "/menu.html": page("Menu", "a.html"),
        "/main.html": "<meta http-equiv=refresh content='0; url=b.html'>",
        "/a.html": page("A"),
        "/b.html": page("B"),
    }
    found = await library.survey(site.url(), 100)
    assert paths(found, site) == ["/", "/menu.html", "/main.html", "/a.html", "/b.html"]


async def test_a_sitemap_is_read(site: Site, library: Library) -> None:
    listed = "<url><loc> {} </loc></url>"
    pages = [site.url("/hidden.html"), "/relative.html", "http://example.org/", site.url("/i.png")]
    body = f"<urlset>{''.join(listed.format(one) for one in pages)}</urlset>"
    index = f"<sitemapindex><sitemap><loc>{site.url('/map.xml.gz')}</loc></sitemap></sitemapindex>"
    site.routes |= {
        "/robots.txt": Reply(f"Sitemap: {site.url('/index.xml')}", kind="text/plain"),
        "/index.xml": Reply(index, kind="text/xml"),
        "/map.xml.gz": Reply(gzip.compress(body.encode()), kind="application/gzip"),
        "/": page("Root", "a.html"),
        "/a.html": page("A"),
        "/hidden.html": page("Hidden", "a.html"),
        "/relative.html": page("Relative"),
    }
    found = await library.survey(site.url(), 100)
    assert paths(found, site) == ["/", "/a.html", "/hidden.html", "/relative.html"]
    assert [one.depth for one in found.pages] == [0, 1, 1, 1]


async def test_a_broken_sitemap_does_no_harm(small: Site, library: Library) -> None:
    small.routes["/sitemap.xml"] = Reply(b"\x1f\x8bnonsense", kind="application/gzip")
    assert len((await library.survey(small.url(), 100)).pages) == 5


async def test_many_pages_are_read_by_a_helper(site: Site, library: Library) -> None:
    names = [f"/{chr(97 + i)}{chr(97 + j)}.html" for i in range(5) for j in range(12)]
    site.routes["/"] = page("Root", *names)
    site.routes |= {name: page(f"Page {name}") for name in names}
    site.routes[names[30]] = Reply(b"\0\1\2", kind="application/octet-stream")
    found = await library.survey(site.url(), 1000)
    assert len(found.pages) == 60
    assert "holds no readable text" in found.notes[0]
