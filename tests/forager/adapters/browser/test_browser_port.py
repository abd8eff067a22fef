"""The Browser port on a real browser: what it shows, refuses, keeps and survives."""

import zipfile
from collections.abc import AsyncIterator, Iterator
from io import BytesIO
from pathlib import Path

import pytest
import pytest_asyncio

from forager.adapters.browser.browser_port import PlaywrightBrowser
from forager.adapters.browser.process.engine import Engine
from forager.domain.actions import Action
from forager.domain.browser import Snapshot
from forager.domain.urls import forbid_addresses
from forager.errors import ActionError, AddressError, BrowserError, ConnectError, RobotsError
from forager.ports import ActionResult
from forager.settings import Settings
from tests.browsers import needs_browser
from tests.fakes import MemoryBlobs
from tests.forager.adapters.browser.processes import kill_browsers
from tests.forager.adapters.browser.snapshot_elements import called
from tests.forager.adapters.web.pdfs import make_pdf
from tests.servers import Reply, Route, Site

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="module")]

SCRIPTED = """<title>Station</title><div id=root></div><script>
  root.innerHTML = "<h1>Station</h1><p>The mast is 40 m high.</p>";
  const host = document.createElement("div");
  host.attachShadow({mode: "open"}).innerHTML = "<p>Built in <slot></slot>.</p>";
  host.textContent = "1931";
  root.append(host);
  const gone = document.createElement("p");
  gone.textContent = "Nobody sees this.";
  gone.style.display = "none";
  root.append(gone);
</script><iframe src="/inner"></iframe>"""


def zipped() -> bytes:
    data = BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("a", bytes(100))
    return data.getvalue()


def attached(body: bytes | str, kind: str, name: str) -> Reply:
    return Reply(body, kind=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})


ROUTES: dict[str, Route] = {
    "/": "<title>Start</title><a href=/scripted>On</a><a href=/ask>Ask</a>",
    "/robots.txt": Reply("User-agent: *\nDisallow: /closed\n", kind="text/plain"),
    "/scripted": SCRIPTED,
    "/inner": "<p>A frame says <a href=/deep>hello</a>.</p>",
    "/closed": "<p>Not for programs.",
    "/to-closed": "<a href=/closed>On</a>",
    "/tides.pdf": Reply(make_pdf("", title="Tide tables"), kind="application/pdf"),
    "/hang": "<button onclick='for (;;);'>Hang</button>",
    "/get": "<a href=/report.html>Report</a><a href=/all.zip>All</a><a href=/long.txt>Long</a>",
    "/report.html": attached(
        "<title>R</title><h1>Report</h1><p>Ok.", "text/html", "../re port.html"
    ),
    "/all.zip": attached(zipped(), "application/zip", "all.zip"),
    "/long.txt": attached("x" * 200_000, "text/plain", "long.txt"),
}


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with Site(ROUTES) as served:
        yield served


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def engine(site: Site, others: frozenset[int]) -> AsyncIterator[Engine]:
    running = Engine(Settings(allow_private=(f"127.0.0.1:{site.port}",)))
    yield running
    await running.aclose()


@pytest.fixture
def blobs() -> MemoryBlobs:
    return MemoryBlobs()


@pytest.fixture
def settings(site: Site, tmp_path: Path) -> Settings:
    return Settings(
        data=tmp_path,
        allow_private=(f"127.0.0.1:{site.port}",),
        max_bytes=100_000,
        browser_seconds=30,
    )


@pytest_asyncio.fixture(loop_scope="module")
async def door(
    settings: Settings, blobs: MemoryBlobs, engine: Engine
) -> AsyncIterator[PlaywrightBrowser]:
    opened = PlaywrightBrowser(settings, blobs, engine)
    await opened.restore("w", ())
    yield opened
    await opened.aclose()


def goto(url: str) -> Action:
    return Action(kind="goto", target=url)


def tree(done: ActionResult, blobs: MemoryBlobs) -> str:
    return Snapshot.model_validate_json(blobs.get(done.view.blob)).tree


def ref(done: ActionResult, blobs: MemoryBlobs, named: str) -> str:
    """The ref of the element with a name."""
    return called(tree(done, blobs), named).ref


async def test_a_page_is_shown_and_read_as_rendered(
    door: PlaywrightBrowser, site: Site, blobs: MemoryBlobs
) -> None:
    done = await door.perform("w", goto(site.url("/scripted")), "1.1")
    assert (done.view.title, done.view.url) == ("Station", site.url("/scripted"))
    assert 'heading "Station"' in tree(done, blobs)
    text = done.opened.document.text
    for said in ("# Station", "The mast is 40 m high.", "Built in 1931.", "A frame says"):
        assert said in text
    assert "Nobody" not in text
    assert site.url("/deep") in [link.url for link in done.opened.document.links]
    assert blobs.get(done.opened.blob) == done.opened.document.model_dump_json().encode()


async def test_a_click_leads_on_and_the_walk_stands_there(
    door: PlaywrightBrowser, site: Site, blobs: MemoryBlobs
) -> None:
    done = await door.perform("w", goto(site.url()), "1.1")
    done = await door.perform("w", Action(kind="click", target=ref(done, blobs, "On")), "1.2")
    assert done.view.url == site.url("/scripted")
    with pytest.raises(ActionError, match="page has changed"):
        await door.perform("w", Action(kind="click", target="e999"), "1.3")
    await door.close_tabs("w")


async def test_a_link_to_what_the_user_has_forbidden_is_at_fault(
    door: PlaywrightBrowser, site: Site, blobs: MemoryBlobs
) -> None:
    done = await door.perform("w", goto(site.url()), "1.1")
    click = Action(kind="click", target=ref(done, blobs, "On"))
    assert (await door.examine("w", click)).fault == ""
    with forbid_addresses([site.url("/scripted")]):
        assert "was forbidden" in (await door.examine("w", click)).fault
    await door.close_tabs("w")


async def test_a_page_is_rendered_in_a_tab_of_its_own(door: PlaywrightBrowser, site: Site) -> None:
    opened = await door.render(site.url("/scripted"))
    assert "The mast is 40 m high." in opened.document.text
    opened = await door.render(site.url("/tides.pdf"))
    assert opened.document.title == "Tide tables"


@pytest.mark.parametrize("url", ["file:///etc/passwd", "chrome://version", "javascript:alert(1)"])
async def test_only_the_web_is_gone_to(door: PlaywrightBrowser, url: str) -> None:
    assert (await door.examine("w", goto(url))).fault
    with pytest.raises(AddressError):
        await door.perform("w", goto(url), "1.1")


async def test_private_addresses_are_refused(door: PlaywrightBrowser, site: Site) -> None:
    with Site() as private:
        for url in (private.url(), private.url().replace("http:", "https:")):
            with pytest.raises(AddressError, match="private address"):
                await door.perform("w", goto(url), "1.1")
        site.routes["/away"] = Reply("", 302, headers={"Location": private.url()})
        site.routes["/safe"] = Reply(
            "", 302, headers={"Location": private.url().replace("http:", "https:")}
        )
        for path in ("/away", "/safe"):
            with pytest.raises(AddressError, match="private address"):
                await door.perform("w", goto(site.url(path)), "1.1")
    assert not private.asked


async def test_a_server_that_is_away_is_told(
    door: PlaywrightBrowser, engine: Engine, site: Site
) -> None:
    with pytest.raises(ConnectError, match="unknown"):
        await door.perform("w", goto("http://nowhere.invalid/"), "1.1")


async def test_robots_txt_is_obeyed(
    door: PlaywrightBrowser, site: Site, blobs: MemoryBlobs
) -> None:
    asked = len(site.paths())
    with pytest.raises(RobotsError, match=r"robots\.txt"):
        await door.perform("w", goto(site.url("/closed")), "1.1")
    with pytest.raises(RobotsError):
        await door.render(site.url("/closed"))
    assert len(site.paths()) == asked
    done = await door.perform("w", goto(site.url("/to-closed")), "1.1")
    with pytest.raises(RobotsError):
        await door.perform("w", Action(kind="click", target=ref(done, blobs, "On")), "1.2")


async def test_a_download_is_kept_apart_and_read(
    door: PlaywrightBrowser, site: Site, blobs: MemoryBlobs, tmp_path: Path
) -> None:
    done = await door.perform("w", goto(site.url("/get")), "1.1")
    done = await door.perform("w", Action(kind="click", target=ref(done, blobs, "Report")), "1.2")
    assert "# Report" in done.opened.document.text
    assert done.opened.document.url == site.url("/report.html")
    assert any("re_port.html was read" in note for note in done.view.notes)
    [kept] = [each for each in (tmp_path / "downloads").rglob("*") if each.is_file()]
    assert kept.name == "re_port.html"


async def test_other_downloads_are_not_kept(
    door: PlaywrightBrowser, site: Site, blobs: MemoryBlobs, tmp_path: Path
) -> None:
    start = await door.perform("w", goto(site.url("/get")), "1.1")
    for link, why in (("All", "holds no readable text"), ("Long", "larger than 100,000 bytes")):
        click = Action(kind="click", target=ref(start, blobs, link))
        done = await door.perform("w", click, "1.2")
        assert any(why in note for note in done.view.notes), done.view.notes
        assert done.opened.document.url == site.url("/get")
    assert not (tmp_path / "downloads").exists()


async def test_a_page_that_hangs_is_given_up(
    settings: Settings, blobs: MemoryBlobs, engine: Engine, site: Site
) -> None:
    patient = PlaywrightBrowser(settings, blobs, engine)
    await patient.restore("w", ())
    done = await patient.perform("w", goto(site.url("/hang")), "1.1")
    hang = Action(kind="click", target=ref(done, blobs, "Hang"))
    await patient.aclose()
    door = PlaywrightBrowser(settings.model_copy(update={"browser_seconds": 2.0}), blobs, engine)
    await door.restore("w", ())
    await door.perform("w", goto(site.url("/hang")), "1.1")
    with pytest.raises(BrowserError):
        await door.perform("w", hang, "1.2")
    await door.restore("w", ())
    assert (await door.perform("w", goto(site.url()), "1.1")).view.title == "Start"
    await door.aclose()


@pytest.mark.parametrize("kind", ["renderer", ""])
async def test_a_crash_is_told_and_survived(
    door: PlaywrightBrowser, site: Site, blobs: MemoryBlobs, kind: str, others: frozenset[int]
) -> None:
    """Of a tab, and of the whole browser."""
    start = await door.perform("w", goto(site.url()), "1.1")
    assert kill_browsers(others, kind)
    with pytest.raises(BrowserError):
        await door.perform("w", Action(kind="click", target=ref(start, blobs, "On")), "1.2")
    await door.restore("w", ())
    assert (await door.perform("w", goto(site.url()), "1.1")).view.title == "Start"
