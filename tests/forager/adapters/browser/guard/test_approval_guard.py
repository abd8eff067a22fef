"""What a harmless-looking action leads to is refused unless a person has approved it."""

from collections.abc import AsyncIterator, Iterator
from uuid import uuid4

import pytest
import pytest_asyncio

from forager.adapters.browser.browser_port import PlaywrightBrowser
from forager.domain.actions import Action
from forager.domain.browser import Snapshot
from forager.errors import ActionError
from forager.ports import ActionResult
from forager.settings import Settings
from tests.browsers import needs_browser
from tests.fakes import MemoryBlobs
from tests.forager.adapters.browser.snapshot_elements import called
from tests.servers import Reply, Site

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="module")]

DELETE = "/lamps/delete?id=1"
START = """<title>Lamps</title><h1>Lamps</h1>
<a href=/moved>Moved</a> <a href=/refreshed>Refreshed</a> <a href=/scripted>Scripted</a>
<a href=/framed>Framed</a> <a href=/moved target=_blank>Beside</a>
<a href=#a>Fetched</a> <a href=#b>Opened</a> <a href=#c>Pictured</a> <a href=#d>Reported</a>
<a href=#e>Put out</a> <a href=#f>Worked</a>
<script>
  const url = "/lamps/delete?id=1";
  const does = {
    a: () => fetch(url), b: () => open(url), c: () => { new Image().src = url; },
    d: () => navigator.sendBeacon(url), e: () => fetch("/lamps/1", {method: "DELETE"}),
    f: () => new Worker("/worker.js"),
  };
  for (const link of document.querySelectorAll("a[href^='#']"))
    link.addEventListener("click", does[link.hash.slice(1)]);
</script>"""


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with Site(
        {
            "/": START,
            "/moved": Reply("", status=302, headers={"Location": DELETE}),
            "/refreshed": f"<title>R</title><meta http-equiv=refresh content='0;url={DELETE}'>R",
            "/scripted": f"<title>S</title>S<script>location = '{DELETE}'</script>",
            "/framed": "<title>F</title>F<iframe src=/scripted></iframe>",
            "/worker.js": Reply(f"fetch('{DELETE}')", kind="text/javascript"),
            "/lamps/delete": "<title>Gone</title>The lamp is gone.",
            "/lamps/1": "<title>Lamp 1</title>A lamp.",
        }
    ) as served:
        yield served


class Walk:
    """A trajectory that begins at the start page of the site."""

    def __init__(self, browser: PlaywrightBrowser, blobs: MemoryBlobs, site: Site) -> None:
        self.browser = browser
        self._blobs = blobs
        self.site = site
        self.name = uuid4().hex
        self.shown: ActionResult

    async def do(self, action: Action) -> ActionResult:
        self.shown = await self.browser.perform(self.name, action, "1.1")
        return self.shown

    def click_on(self, name: str) -> Action:
        snapshot = Snapshot.model_validate_json(self._blobs.get(self.shown.view.blob))
        return Action(kind="click", target=called(snapshot.tree, name).ref)

    async def harm_of(self, action: Action) -> str:
        checked = await self.browser.examine(self.name, action)
        assert not checked.fault
        return checked.harm

    def changes(self) -> list[str]:
        """The requests that changed a lamp."""
        return [asked.path for asked in self.site.asked if asked.path.startswith("/lamps/")]


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def opened(site: Site) -> AsyncIterator[Walk]:
    settings, blobs = Settings(allow_private=(f"127.0.0.1:{site.port}",)), MemoryBlobs()
    opened = Walk(PlaywrightBrowser(settings, blobs), blobs, site)
    yield opened
    await opened.browser.aclose()


@pytest_asyncio.fixture(loop_scope="module")
async def walk(opened: Walk, site: Site) -> Walk:
    site.asked.clear()
    await opened.do(Action(kind="goto", target=site.url()))
    return opened


@pytest.mark.parametrize(
    "link",
    [
        "Moved",
        "Refreshed",
        "Scripted",
        "Framed",
        "Beside",
        "Fetched",
        "Opened",
        "Pictured",
        "Reported",
        "Put out",
        "Worked",
    ],
)
async def test_what_a_link_leads_to_is_refused_and_asked_about(walk: Walk, link: str) -> None:
    click = walk.click_on(link)
    assert not await walk.harm_of(click)
    done = await walk.do(click)
    assert not walk.changes()
    assert [note for note in done.view.notes if note.startswith("Not sent: ")], done.view
    assert not done.harm
    assert not done.sent
    assert len(done.view.tabs) == 1


async def test_who_does_it_again_is_asked_and_it_passes_once_approved(walk: Walk) -> None:
    await walk.do(walk.click_on("Moved"))
    again = walk.click_on("Moved")
    assert "leads to GET" in await walk.harm_of(again)
    done = await walk.do(again)
    assert done.view.title == "Gone"
    assert walk.changes() == [DELETE]
    assert "may change something" in done.harm


async def test_an_address_that_leads_there_is_not_opened(walk: Walk) -> None:
    goto = Action(kind="goto", target=walk.site.url("/moved"))
    assert not await walk.harm_of(goto)
    with pytest.raises(ActionError, match=r"Not sent: GET .*/lamps/delete "):
        await walk.do(goto)
    assert not walk.changes()
    assert "leads to GET" in await walk.harm_of(goto)
    assert (await walk.do(goto)).view.title == "Gone"


async def test_rendering_refuses_it_too(walk: Walk) -> None:
    with pytest.raises(ActionError, match="Not sent"):
        await walk.browser.render(walk.site.url("/moved"))
    assert not walk.changes()
    assert (await walk.browser.render(walk.site.url(DELETE))).document.title == "Gone"
