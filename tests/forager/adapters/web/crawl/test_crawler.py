"""Sites of many kinds are mapped."""

import gzip
import threading

import pytest

from forager.adapters.web.crawl.crawl_frontier import MAX_REPEATING
from forager.adapters.web.crawl.crawler import CrawledPage
from forager.adapters.web.library import WebLibrary
from forager.budget import start_meter
from forager.domain.spend import Budget
from forager.errors import ConnectError, LateError, RobotsError, StatusError
from tests.forager.adapters.web.crawled import make_page, page_paths
from tests.servers import Asked, Reply, Site

WORDS = "Words that tell this page from others, as every page has some of its own. "


async def test_a_site_is_mapped(small: Site, library: WebLibrary) -> None:
    seen: list[CrawledPage] = []
    found = await library.survey(small.url(), 100, on_page=seen.append)
    assert page_paths(found, small) == ["/", "/a.html", "/b.html", "/sub/c.html", "/sub/d.html"]
    assert [one.depth for one in found.pages] == [0, 1, 1, 2, 3]
    assert [one.title for one in found.pages] == ["Root", "A", "B", "C", "D"]
    assert found.pages[3].anchors == ("to sub/c.html", "to sub/c.html#part")
    assert found.pages[0].anchors == ("to /", "to ../index.html")
    assert (found.complete, found.fetched) == (True, 5)
    assert found.notes == (f"{small.url('/gone.html')} answered 404 Not Found.",)
    assert [one.url for one in seen] == [one.url for one in found.pages]
    assert small.paths().count("/a.html") == 1
    assert "/pic.png" not in small.paths()


async def test_a_site_with_one_page(site: Site, library: WebLibrary) -> None:
    site.routes["/"] = make_page("Alone")
    found = await library.survey(site.url(), 100)
    assert (page_paths(found, site), found.complete) == (["/"], True)


async def test_an_unreachable_root_raises_an_error(site: Site, library: WebLibrary) -> None:
    with pytest.raises(StatusError, match="404"):
        await library.survey(site.url("/nothing"), 10)
    with pytest.raises(ConnectError, match="unknown"):
        await library.survey("http://nowhere.invalid/", 10)
    site.routes["/robots.txt"] = Reply("User-agent: *\nDisallow: /shut", kind="text/plain")
    assert library.load_map(site.url("/nothing")) is None


async def test_a_root_disallowed_by_robots_raises_an_error(site: Site, library: WebLibrary) -> None:
    site.routes["/robots.txt"] = Reply("User-agent: *\nDisallow: /", kind="text/plain")
    with pytest.raises(RobotsError):
        await library.survey(site.url(), 10)


async def test_pages_disallowed_by_robots_are_counted(small: Site, library: WebLibrary) -> None:
    small.routes["/robots.txt"] = Reply("User-agent: *\nDisallow: /sub/", kind="text/plain")
    found = await library.survey(small.url(), 100)
    assert page_paths(found, small) == ["/", "/a.html", "/b.html"]
    assert found.notes[-1] == "1 pages are disallowed by robots.txt."


async def test_a_root_that_takes_too_long_is_said_to_be_late(
    site: Site, library: WebLibrary
) -> None:
    held = threading.Event()

    def hold(asked: Asked) -> Reply:
        held.wait(20)
        return Reply(make_page("Late"))

    site.routes["/"] = hold
    with start_meter(Budget(seconds=0.001)):
        with pytest.raises(LateError, match="did not answer within the time"):
            await library.survey(site.url(), 10)
        with pytest.raises(LateError, match="took longer than the seconds"):
            await library.open(site.url())
    held.set()


async def test_a_redirected_root_is_mapped(site: Site, library: WebLibrary) -> None:
    site.routes["/"] = Reply("", 302, headers={"Location": "/home/"})
    site.routes["/home/"] = make_page("Home", "a.html", "/")
    site.routes["/home/a.html"] = make_page("A")
    found = await library.survey(site.url(), 10)
    assert page_paths(found, site) == ["/home/", "/home/a.html"]
    assert found.pages[0].anchors == ("to /",)
    assert library.load_map(site.url()) == found


async def test_a_page_with_many_urls_is_mapped_once(site: Site, library: WebLibrary) -> None:
    same = WORDS * 5
    site.routes |= {
        "/": make_page("Root", "index.html", "a?PHPSESSID=1", "a?PHPSESSID=2", "p/a", "a?id=1"),
        "/a": make_page("A", words=same),
        "/a?id=1": make_page("A", "deep", words=same),
        "/p/a": make_page("A", words=same),
    }
    site.routes["/index.html"] = site.routes["/"]
    found = await library.survey(site.url(), 100)
    assert page_paths(found, site) == ["/", "/a", "/a?id=1"]
    assert len(site.paths()) == len(set(site.paths())) == 5


async def test_sessions_in_links_do_not_multiply_pages(site: Site, library: WebLibrary) -> None:
    count = iter(range(1, 10_000))

    def fresh(asked: Asked) -> Reply:
        links = [f"/{name}?sid={next(count):032d}" for name in ("a", "b")]
        return Reply(make_page(f"Page {asked.path.partition('?')[0]}", *links))

    site.otherwise = fresh
    site.routes["/robots.txt"] = site.routes["/sitemap.xml"] = Reply("", 404)
    assert len((await library.survey(site.url(), 100)).pages) == 3


async def test_an_endless_calendar_ends(site: Site, library: WebLibrary) -> None:
    def month(asked: Asked) -> Reply:
        number = int(asked.path.rpartition("=")[2])
        links = (f"calendar?month={number + 1}", f"calendar?month={number - 1}")
        return Reply(make_page(f"Month {number}", *links))

    site.routes |= {
        "/": make_page("Root", "calendar?month=1000", *(f"{name}.html" for name in "abcdefgh")),
        "/calendar": month,
        **{f"/{name}.html": make_page(name) for name in "abcdefgh"},
    }
    found = await library.survey(site.url(), 1000)
    assert len(found.pages) == 9 + 2 * MAX_REPEATING + 1
    assert set(page_paths(found, site)) >= {f"/{name}.html" for name in "abcdefgh"}
    assert found.notes == (
        "2 addresses look like a crawler trap or repeat other pages but for numbers,"
        " and were skipped.",
    )


async def test_a_maze_ends_at_the_limit(site: Site, library: WebLibrary) -> None:
    def room(asked: Asked) -> Reply:
        doors = [f"{asked.path.rstrip('/')}/{name}" for name in ("left", "right", "up")]
        return Reply(make_page(f"Room {asked.path}", *doors))

    site.otherwise = room
    site.routes["/robots.txt"] = site.routes["/sitemap.xml"] = Reply("", 404)
    assert len((await library.survey(site.url(), 60)).pages) == 60
    assert len(site.paths()) <= 60


async def test_frames_are_followed(site: Site, library: WebLibrary) -> None:
    site.routes |= {
        "/": "<frameset><frame src=menu.html><frame src=main.html></frameset>",
        "/menu.html": make_page("Menu", "a.html"),
        "/main.html": "<meta http-equiv=refresh content='0; url=b.html'>",
        "/a.html": make_page("A"),
        "/b.html": make_page("B"),
    }
    found = await library.survey(site.url(), 100)
    assert page_paths(found, site) == ["/", "/menu.html", "/main.html", "/a.html", "/b.html"]


async def test_a_sitemap_is_read(site: Site, library: WebLibrary) -> None:
    listed = "<url><loc> {} </loc></url>"
    pages = [site.url("/hidden.html"), "/relative.html", "http://example.org/", site.url("/i.png")]
    body = f"<urlset>{''.join(listed.format(one) for one in pages)}</urlset>"
    index = f"<sitemapindex><sitemap><loc>{site.url('/map.xml.gz')}</loc></sitemap></sitemapindex>"
    site.routes |= {
        "/robots.txt": Reply(f"Sitemap: {site.url('/index.xml')}", kind="text/plain"),
        "/index.xml": Reply(index, kind="text/xml"),
        "/map.xml.gz": Reply(gzip.compress(body.encode()), kind="application/gzip"),
        "/": make_page("Root", "a.html"),
        "/a.html": make_page("A"),
        "/hidden.html": make_page("Hidden", "a.html"),
        "/relative.html": make_page("Relative"),
    }
    found = await library.survey(site.url(), 100)
    assert page_paths(found, site) == ["/", "/a.html", "/hidden.html", "/relative.html"]
    assert [one.depth for one in found.pages] == [0, 1, 1, 1]


async def test_a_broken_sitemap_does_no_harm(small: Site, library: WebLibrary) -> None:
    small.routes["/sitemap.xml"] = Reply(b"\x1f\x8bnonsense", kind="application/gzip")
    assert len((await library.survey(small.url(), 100)).pages) == 5


async def test_many_pages_are_read_by_a_second_process(site: Site, library: WebLibrary) -> None:
    names = [f"/{chr(97 + i)}{chr(97 + j)}.html" for i in range(5) for j in range(12)]
    site.routes["/"] = make_page("Root", *names)
    site.routes |= {name: make_page(f"Page {name}") for name in names}
    site.routes[names[30]] = Reply(b"\0\1\2", kind="application/octet-stream")
    found = await library.survey(site.url(), 1000)
    assert len(found.pages) == 60
    assert "holds no readable text" in found.notes[0]


async def test_links_that_change_something_are_noted_and_not_followed(
    site: Site, library: WebLibrary
) -> None:
    buttons = "<a href=/x/3/delete>Delete</a> <a href=/bye>Log out</a> <a href=/moved>News</a>"
    site.routes |= {
        "/": make_page("Root", "a.html", "/x/4/remove") + buttons,
        "/a.html": make_page("A", "/x/4/remove", "b.html"),
        "/b.html": make_page("B"),
        "/moved": Reply("", 302, headers={"Location": "/x/5/delete"}),
        "/sitemap.xml": Reply(f"<urlset><loc>{site.url('/x/6/delete')}</loc></urlset>"),
    }
    found = await library.survey(site.url(), 100, seeds=[site.url("/x/7/delete")])
    assert page_paths(found, site) == ["/", "/a.html", "/b.html"]
    assert {*site.paths()} == {"/", "/a.html", "/b.html", "/moved"}
    many, redirect = found.notes
    assert many.startswith("3 links may change something and were not followed, as ")
    assert f"redirects to {site.url('/x/5/delete')}, which may change something" in redirect
