"""A walk whose browser was lost stands where it stood, in another one."""

from collections.abc import AsyncIterator, Callable, Iterator
from functools import partial

import pytest
import pytest_asyncio

from forager.adapters.browser.browser_port import PlaywrightBrowser
from forager.domain.actions import Action
from forager.errors import BrowserError
from forager.settings import Settings
from tests.browsers import needs_browser
from tests.fakes import MemoryBlobs
from tests.forager.adapters.browser.browser_driver import WALK, Walker
from tests.forager.adapters.browser.processes import kill_browsers
from tests.servers import Asked, Reply, Route, Site

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="module")]

FORM = """<title>Order</title><h1>Order</h1>
<form method=post action=/sent><label>Name <input name=n></label>
<label>Size <select name=s><option>Small<option>Large</select></label>
<label>Code <input name=c></label><button>Send</button></form>
<button onclick="count()">Count</button><output id=o></output><script>
const count = () => {
  const worker = new Worker("/worker.js");
  worker.onmessage = said => o.textContent = "counted to " + said.data;
  worker.postMessage("go");
};</script>"""
WORKER = """importScripts("/part.js");
onmessage = async () => postMessage(part + (await (await fetch("/more")).text()));"""


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    def member(asked: Asked) -> Reply:
        known = "session=1" in asked.headers.get("cookie", "")
        text = "<h1>Members</h1><p>Hello." if known else "<h1>Log in</h1>"
        return Reply(text, headers={} if known else {"Set-Cookie": "session=1; HttpOnly"})

    script = "text/javascript"
    routes: dict[str, Route] = {
        "/form": FORM,
        "/worker.js": Reply(WORKER, kind=script),
        "/part.js": Reply("const part = '4';", kind=script),
        "/more": Reply("2", kind="text/plain"),
        "/members": member,
    }
    with Site(routes) as served:
        yield served


@pytest.fixture(scope="module")
def settings(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    allowed = (f"127.0.0.1:{site.port}",)
    return Settings(data=tmp_path_factory.mktemp("again"), allow_private=allowed)


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def walker(settings: Settings, others: frozenset[int]) -> AsyncIterator[Walker]:
    blobs = MemoryBlobs()
    opened = Walker(PlaywrightBrowser(settings, blobs), blobs)
    yield opened
    await opened.door.aclose()


async def half_filled(walker: Walker, site: Site) -> None:
    await walker.begin(site.url("/form"))
    await walker.on("Name", "type", "Ada")
    await walker.on("Size", "select", "Large")


async def fills_on(walker: Walker) -> None:
    """The form is as it was left, and takes more."""
    await walker.door.restore(WALK, walker.trail)
    await walker.on("Code", "type", "7")
    tree = walker.tree()
    assert all(said in tree for said in ("Ada", '"Large" [selected]', ': "7"'))


async def until(walker: Walker, said: str) -> None:
    """Look until the page says something, which counts as shown by the last step."""
    while said not in walker.tree():
        done = await walker.door.perform(WALK, Action(kind="press", value="Shift"), "1.2")
        walker.trail[-1] = walker.trail[-1].model_copy(update={"view": done.view})


@pytest.fixture
def crash(others: frozenset[int]) -> Callable[[], int]:
    """Kills the walker's browser, and no other."""
    return partial(kill_browsers, others)


async def test_a_form_is_half_filled_in_a_browser_that_crashes(
    walker: Walker, site: Site, crash: Callable[[], int]
) -> None:
    await half_filled(walker, site)
    assert crash()
    with pytest.raises(BrowserError):
        await walker.on("Code", "type", "7")
    await fills_on(walker)
    assert {asked.method for asked in site.asked} == {"GET"}


async def test_another_door_goes_on_where_one_was_left(
    walker: Walker, site: Site, settings: Settings
) -> None:
    await half_filled(walker, site)
    await walker.door.aclose()
    walker.door = PlaywrightBrowser(settings, walker.blobs)
    await fills_on(walker)


async def test_workers_work_while_a_way_is_walked_again(
    walker: Walker, site: Site, crash: Callable[[], int]
) -> None:
    await walker.begin(site.url("/form"))
    await walker.on("Count", "click")
    await until(walker, "counted to 42")
    assert crash()
    await walker.door.restore(WALK, walker.trail)
    await walker.on("Name", "type", "Ada")
    assert "counted to 42" in walker.tree()


async def test_cookies_outlive_a_crash(
    walker: Walker, site: Site, crash: Callable[[], int]
) -> None:
    for _ in range(2):
        await walker.begin(site.url("/members"))
    assert "Members" in walker.tree()
    assert crash()
    await walker.begin(site.url("/members"))
    assert "Members" in walker.tree()
