"""Pages are fetched once and retried only if that may help; faults raise errors."""

import asyncio
import logging
import socket
import time
from collections import Counter
from contextlib import AsyncExitStack, aclosing, closing
from pathlib import Path

import pytest

from forager.adapters.store.blobs import SqliteBlobs
from forager.adapters.web.fetch.fetcher import Fetcher
from forager.adapters.web.fetch.politeness import Traffic
from forager.adapters.web.web_database import PageCache, WebDatabase
from forager.domain.urls import forbid_addresses
from forager.errors import (
    AddressError,
    ConnectError,
    RobotsError,
    StatusError,
    StoreError,
    TransferError,
)
from forager.settings import Settings
from tests.forager.adapters.conftest import Naps
from tests.servers import Asked, Reply, Site


async def test_a_page_is_fetched_once(site: Site, fetcher: Fetcher) -> None:
    site.routes["/a"] = "<p>A"
    first = await fetcher.get(site.url("/a#part"))
    again = await fetcher.get(site.url("/a?utm_source=x"))
    assert (first.cached, again.cached) == (False, True)
    assert first.entry == again.entry
    assert first.data == b"<p>A"
    assert site.paths() == ["/a"]


async def test_proxies_of_the_environment_are_not_used(
    site: Site, fetcher: Fetcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.routes["/a"] = "<p>A"
    with Site() as proxy:
        for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url())
        assert (await fetcher.get(site.url("/a"))).data == b"<p>A"
        assert proxy.asked == []
    assert site.paths() == ["/a"]


async def test_concurrent_requests_for_a_page_fetch_it_once(site: Site, fetcher: Fetcher) -> None:
    site.routes["/a"] = "<p>A"
    found = await asyncio.gather(*(fetcher.get(site.url("/a")) for _ in range(8)))
    assert sorted(one.cached for one in found) == [False] + [True] * 7
    assert [asked.path for asked in site.asked] == ["/robots.txt", "/a"]


def older(settings: Settings, **changes: object) -> Settings:
    return settings.model_copy(update={"survey_age_seconds": 0.0, **changes})


async def test_an_old_page_is_revalidated(
    site: Site, settings: Settings, blobs: SqliteBlobs
) -> None:
    def validated(asked: Asked) -> Reply:
        same = asked.headers.get("if-none-match") == '"1"'
        return Reply("" if same else "<p>A", 304 if same else 200, headers={"ETag": '"1"'})

    site.routes["/a"] = validated
    database = WebDatabase(settings.data / "web.sqlite")
    fetcher = Fetcher(older(settings), PageCache(database), blobs)
    first = await fetcher.get(site.url("/a"))
    second = await fetcher.get(site.url("/a"))
    third = await fetcher.get(site.url("/a"), since=first.entry.fetched)
    assert (first.cached, second.cached, third.cached) == (False, True, True)
    assert second.entry.fetched > first.entry.fetched
    assert len(site.paths()) == 2
    await fetcher.aclose()
    database.close()


async def test_a_changed_page_is_fetched_again(
    site: Site, settings: Settings, blobs: SqliteBlobs
) -> None:
    site.routes["/a"] = Reply("<p>Old", headers={"Last-Modified": "Mon, 01 Jan 2024 00:00:00 GMT"})
    database = WebDatabase(settings.data / "web.sqlite")
    fetcher = Fetcher(older(settings), PageCache(database), blobs)
    await fetcher.get(site.url("/a"))
    site.routes["/a"] = "<p>New"
    second = await fetcher.get(site.url("/a"))
    assert (second.cached, second.data) == (False, b"<p>New")
    assert site.asked[-1].headers["if-modified-since"] == "Mon, 01 Jan 2024 00:00:00 GMT"
    await fetcher.aclose()
    database.close()


@pytest.mark.parametrize("status", [400, 401, 403, 404, 407, 410, 418, 204, 599])
async def test_an_error_status_raises_an_error(site: Site, fetcher: Fetcher, status: int) -> None:
    site.routes["/a"] = Reply("no", status)
    with pytest.raises(StatusError, match=f"/a answered {status}") as caught:
        await fetcher.get(site.url("/a"))
    assert caught.value.status == status
    assert "\n" not in str(caught.value)
    assert len(site.paths()) == 1


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
async def test_a_temporary_fault_is_retried(
    site: Site, fetcher: Fetcher, naps: Naps, status: int
) -> None:
    replies = iter([Reply("no", status), Reply("no", status), Reply("<p>A")])
    site.routes["/a"] = lambda _: next(replies)
    assert (await fetcher.get(site.url("/a"))).data == b"<p>A"
    assert naps.taken == [0.5, 1.0]


async def test_a_lasting_fault_raises_an_error(site: Site, fetcher: Fetcher) -> None:
    site.routes["/a"] = Reply("no", 500)
    with pytest.raises(StatusError, match="500 Internal Server Error"):
        await fetcher.get(site.url("/a"))
    assert len(site.paths()) == 3


async def test_retry_after_is_obeyed(site: Site, fetcher: Fetcher, naps: Naps) -> None:
    replies = iter([Reply("no", 429, headers={"Retry-After": "7"}), Reply("<p>A")])
    site.routes["/a"] = lambda _: next(replies)
    await fetcher.get(site.url("/a"))
    assert naps.taken == [7.0]


async def test_retry_after_may_be_a_date(site: Site, fetcher: Fetcher, naps: Naps) -> None:
    past = {"Retry-After": "Mon, 01 Jan 2024 00:00:00 GMT"}
    replies = iter([Reply("no", 503, headers=past), Reply("<p>A")])
    site.routes["/a"] = lambda _: next(replies)
    await fetcher.get(site.url("/a"))
    assert naps.taken == [0.5]


async def test_a_long_retry_after_raises_an_error_at_once(
    site: Site, fetcher: Fetcher, naps: Naps
) -> None:
    site.routes["/a"] = Reply("no", 429, headers={"Retry-After": "3600"})
    with pytest.raises(StatusError, match=r"429 Too Many Requests.*wait 3600 s"):
        await fetcher.get(site.url("/a"))
    assert naps.taken == []


async def test_an_unknown_host(fetcher: Fetcher) -> None:
    with pytest.raises(ConnectError, match=r"The host nowhere\.invalid is unknown\."):
        await fetcher.get("http://nowhere.invalid/")


async def test_a_refused_connection(settings: Settings, blobs: SqliteBlobs) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    allowed = settings.model_copy(update={"allow_private": ("127.0.0.1",)})
    database = WebDatabase(settings.data / "web.sqlite")
    fetcher = Fetcher(allowed, PageCache(database), blobs)
    with pytest.raises(ConnectError, match=rf"127\.0\.0\.1:{port} refused the connection"):
        await fetcher.get(f"http://127.0.0.1:{port}/")
    plain = f"over https. .* write http://127.0.0.1:{port}/"
    with pytest.raises(ConnectError, match=plain):
        await fetcher.get(f"https://127.0.0.1:{port}/")
    await fetcher.aclose()
    database.close()


async def test_a_silent_host_times_out(site: Site, settings: Settings, blobs: SqliteBlobs) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        port = silent.getsockname()[1]
        hasty = settings.model_copy(
            update={"allow_private": ("127.0.0.1",), "request_seconds": 0.05}
        )
        database = WebDatabase(settings.data / "web.sqlite")
        fetcher = Fetcher(hasty, PageCache(database), blobs)
        with pytest.raises(ConnectError, match=r"did not answer within 0\.05 s"):
            await fetcher.get(f"http://127.0.0.1:{port}/")
        await fetcher.aclose()
        database.close()


async def test_a_private_address(fetcher: Fetcher) -> None:
    with pytest.raises(AddressError, match=r"127.0.0.1:1 is a private address"):
        await fetcher.get("http://127.0.0.1:1/")


async def test_an_invalid_url_raises_an_error(fetcher: Fetcher) -> None:
    with pytest.raises(AddressError, match="not a web address"):
        await fetcher.get("file:///etc/passwd")


async def test_redirects_are_followed(site: Site, fetcher: Fetcher) -> None:
    site.routes["/a"] = Reply("", 301, headers={"Location": "b?x=1"})
    site.routes["/b"] = "<p>B"
    found = await fetcher.get(site.url("/a"))
    assert found.entry.url == site.url("/b?x=1")
    assert (await fetcher.get(site.url("/b?x=1"))).cached
    assert (await fetcher.get(site.url("/a"))).cached
    assert site.paths() == ["/a", "/b?x=1"]


async def test_a_redirect_to_a_known_page_fetches_nothing(site: Site, fetcher: Fetcher) -> None:
    site.routes["/b"] = "<p>B"
    site.routes["/a"] = Reply("", 302, headers={"Location": "/b"})
    await fetcher.get(site.url("/b"))
    assert (await fetcher.get(site.url("/a"))).cached
    assert site.paths() == ["/b", "/a"]


def wants_cookie(asked: Asked) -> Reply:
    """Redirects to the same address with a cookie until it comes back."""
    if "seen=yes" in asked.headers.get("cookie", ""):
        return Reply("<p>Welcome back.")
    return Reply("", 302, headers={"Location": asked.path, "Set-Cookie": "seen=yes; Path=/"})


async def test_a_site_that_redirects_until_its_cookie_comes_back(
    site: Site, fetcher: Fetcher
) -> None:
    site.routes |= {"/a": wants_cookie, "/b": wants_cookie}
    assert (await fetcher.get(site.url("/a"))).data == b"<p>Welcome back."
    assert site.paths() == ["/a", "/a"]
    await fetcher.get(site.url("/b"))
    assert site.paths() == ["/a", "/a", "/b"]


async def test_cookies_go_to_their_site_alone(
    site: Site, settings: Settings, blobs: SqliteBlobs
) -> None:
    with Site({"/": "<p>Another."}) as other:
        allowed = (f"127.0.0.1:{site.port}", f"localhost:{other.port}")
        both = settings.model_copy(update={"allow_private": allowed})
        database = WebDatabase(settings.data / "web.sqlite")
        fetcher = Fetcher(both, PageCache(database), blobs)
        site.routes["/a"] = wants_cookie
        await fetcher.get(site.url("/a"))
        await fetcher.get(f"http://localhost:{other.port}/")
        await fetcher.aclose()
        database.close()
        assert "cookie" not in other.asked[-1].headers


async def test_a_redirect_loop_that_cookies_do_not_end(site: Site, fetcher: Fetcher) -> None:
    site.routes["/a"] = Reply("", 302, headers={"Location": "/a", "Set-Cookie": "seen=yes"})
    with pytest.raises(TransferError, match="in a loop although its cookies were kept"):
        await fetcher.get(site.url("/a"))


async def test_a_redirect_loop(site: Site, fetcher: Fetcher) -> None:
    site.routes["/a"] = Reply("", 302, headers={"Location": "/b"})
    site.routes["/b"] = Reply("", 302, headers={"Location": "/a"})
    with pytest.raises(TransferError, match="/a redirects in a loop"):
        await fetcher.get(site.url("/a"))


async def test_too_many_redirects_raise_an_error(site: Site, fetcher: Fetcher) -> None:
    def further(asked: Asked) -> Reply:
        return Reply("", 302, headers={"Location": asked.path + "a"})

    site.otherwise = further
    with pytest.raises(TransferError, match="redirects more than 8 times"):
        await fetcher.get(site.url("/a"))


@pytest.mark.parametrize(
    "target", ["http://127.0.0.1:1/", "http://localhost/", "http://169.254.169.254/latest/"]
)
async def test_a_redirect_to_a_private_address(site: Site, fetcher: Fetcher, target: str) -> None:
    site.routes["/a"] = Reply("", 302, headers={"Location": target})
    with pytest.raises(AddressError, match=r"/a redirects to .* private address"):
        await fetcher.get(site.url("/a"))


async def test_a_redirect_to_another_scheme_raises_an_error(site: Site, fetcher: Fetcher) -> None:
    site.routes["/a"] = Reply("", 302, headers={"Location": "file:///etc/passwd"})
    with pytest.raises(AddressError, match="not a web address"):
        await fetcher.get(site.url("/a"))


async def test_robots_are_obeyed(site: Site, fetcher: Fetcher) -> None:
    site.routes["/robots.txt"] = Reply("User-agent: *\nDisallow: /private/", kind="text/plain")
    site.routes["/a"] = "<p>A"
    await fetcher.get(site.url("/a"))
    with pytest.raises(RobotsError, match=r"robots\.txt disallows it"):
        await fetcher.get(site.url("/private/b"))
    assert [asked.path for asked in site.asked] == ["/robots.txt", "/a"]


async def test_robots_rules_for_our_agent_are_obeyed(site: Site, fetcher: Fetcher) -> None:
    rules = "User-agent: forager\nDisallow: /\n\nUser-agent: *\nAllow: /"
    site.routes["/robots.txt"] = Reply(rules, kind="text/plain")
    with pytest.raises(RobotsError):
        await fetcher.get(site.url("/a"))


async def test_robots_are_obeyed_after_a_redirect(site: Site, fetcher: Fetcher) -> None:
    site.routes["/robots.txt"] = Reply("User-agent: *\nDisallow: /b", kind="text/plain")
    site.routes["/a"] = Reply("", 302, headers={"Location": "/b"})
    with pytest.raises(RobotsError):
        await fetcher.get(site.url("/a"))


async def test_a_full_disk(site: Site, settings: Settings, blobs: SqliteBlobs) -> None:
    site.routes["/a"] = "<p>A"
    in_the_way = settings.data / "file"
    in_the_way.write_text("")
    database = WebDatabase(Path(in_the_way / "web.sqlite"))
    fetcher = Fetcher(settings, PageCache(database), blobs)
    with pytest.raises(StoreError, match="FORAGER_DATA"):
        await fetcher.get(site.url("/a"))
    await fetcher.aclose()


async def test_the_cache_outlives_the_process(
    site: Site, settings: Settings, blobs: SqliteBlobs
) -> None:
    site.routes["/a"] = "<p>A"
    for cached in (False, True):
        database = WebDatabase(settings.data / "web.sqlite")
        fetcher = Fetcher(settings, PageCache(database), blobs)
        found = await fetcher.get(site.url("/a"))
        assert found.cached is cached
        assert time.time() - found.entry.fetched < 60
        await fetcher.aclose()
        database.close()


async def test_forbidden_urls_are_not_fetched_nor_followed(site: Site, fetcher: Fetcher) -> None:
    site.routes |= {"/a": Reply(status=302, headers={"Location": "/private/b"}), "/private/b": "b"}
    with forbid_addresses([site.url("/private")]):
        for path in ("/private/b", "/a"):
            with pytest.raises(AddressError, match="private/b is not read"):
                await fetcher.get(site.url(path))
    assert [asked.path for asked in site.asked if "private" in asked.path] == []
    assert (await fetcher.get(site.url("/a"))).entry.url == site.url("/private/b")


async def test_two_runs_fetch_a_page_once(
    site: Site, settings: Settings, blobs: SqliteBlobs
) -> None:
    site.routes |= {f"/{name}": f"<p>{name}" for name in "abc"}
    traffic = Traffic()
    async with AsyncExitStack() as stack:
        runs: list[Fetcher] = []
        for _ in range(2):
            cache = PageCache(
                stack.enter_context(closing(WebDatabase(settings.data / "web.sqlite")))
            )
            run = Fetcher(settings, cache, blobs, traffic=traffic)
            runs.append(await stack.enter_async_context(aclosing(run)))
        found = await asyncio.gather(*(run.get(site.url("/a")) for run in runs))
        await asyncio.gather(runs[0].get(site.url("/b")), runs[1].get(site.url("/c")))
    assert sorted(each.cached for each in found) == [False, True]
    asked = Counter(each.path for each in site.asked)
    assert asked == dict.fromkeys(("/robots.txt", "/a", "/b", "/c"), 1)


async def test_the_log_names_hosts_but_no_path_of_an_address(
    site: Site, fetcher: Fetcher, caplog: pytest.LogCaptureFixture
) -> None:
    site.routes["/private-path"] = "<p>Text.</p>"
    with caplog.at_level(logging.INFO, "forager"):
        await fetcher.get(site.url("/private-path"))
    assert f"fetched 127.0.0.1:{site.port}" in caplog.text
    assert "private-path" not in caplog.text
