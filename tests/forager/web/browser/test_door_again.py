"""A walk whose browser was lost stands where it stood, in another one."""

import os
import signal
from collections.abc import AsyncIterator, Callable, Iterator

import pytest
import pytest_asyncio

from forager.action import Action
from forager.aria import by_ref, describe, label, parse
from forager.errors import BrowserError
from forager.settings import Settings
from forager.state import Step
from forager.view import Snapshot
from forager.web.browser.door import BrowserDoor
from tests.browsers import needs_browser
from tests.fakes import MemoryBlobs
from tests.forager.web.browser.processes import below, is_browser
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
def others() -> frozenset[int]:
    """What runs before the walker begins."""
    return frozenset(below(os.getpid()))


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def walker(
    site: Site, tmp_path_factory: pytest.TempPathFactory, others: frozenset[int]
) -> AsyncIterator["Walker"]:
    settings = Settings(
        data=tmp_path_factory.mktemp("again"), allow_private=(f"127.0.0.1:{site.port}",)
    )
    opened = Walker(settings)
    yield opened
    await opened.door.aclose()


class Walker:
    """Does one thing after the other, and keeps the trail."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.blobs = MemoryBlobs()
        self.door = BrowserDoor(settings, self.blobs)
        self.trail: list[Step] = []

    def tree(self) -> str:
        view = self.trail[-1].view
        assert view is not None
        return Snapshot.model_validate_json(self.blobs.get(view.blob)).tree

    async def begin(self, url: str) -> None:
        self.trail = []
        await self.door.stand("w", ())
        await self.do(Action(kind="goto", target=url))

    async def on(self, name: str, kind: str, value: str = "") -> None:
        """Do something to the element with a name."""
        root = parse(self.tree())
        node = next(each for each in root.walk() if each.ref and label(each) == name)
        said = {"kind": kind, "target": node.ref, "value": value, "element": describe(node)}
        await self.do(Action.model_validate(said))

    async def do(self, action: Action) -> None:
        number = len(self.trail) + 1
        at = self.trail[-1].id if self.trail else ""
        action = action.model_copy(update={"at": at})
        done = await self.door.perform("w", action, f"1.{number}")
        step = Step(id=f"1.{number}", round=1, number=number, action=action, outcome="moved")
        self.trail.append(step.model_copy(update={"view": done.view, "harm": done.harm}))

    async def until(self, said: str) -> None:
        """Look until the page says something, which counts as shown by the last step."""
        while said not in self.tree():
            done = await self.door.perform("w", Action(kind="press", value="Shift"), "1.2")
            self.trail[-1] = self.trail[-1].model_copy(update={"view": done.view})

    async def half_filled(self, site: Site) -> None:
        await self.begin(site.url("/form"))
        await self.on("Name", "type", "Ada")
        await self.on("Size", "select", "Large")

    async def fills_on(self) -> None:
        """The form is as it was left, and takes more."""
        await self.door.stand("w", self.trail)
        await self.on("Code", "type", "7")
        tree = self.tree()
        assert by_ref(parse(tree), "e1") is not None
        assert all(said in tree for said in ("Ada", '"Large" [selected]', ': "7"'))


@pytest.fixture
def crash(others: frozenset[int]) -> Callable[[], None]:
    """Kills the walker's browser, and no other."""

    def kill() -> None:
        for pid, line in below(os.getpid()).items():
            if pid not in others and is_browser(line):
                os.kill(pid, signal.SIGKILL)

    return kill


async def test_a_form_is_half_filled_in_a_browser_that_crashes(
    walker: Walker, site: Site, crash: Callable[[], None]
) -> None:
    await walker.half_filled(site)
    crash()
    with pytest.raises(BrowserError):
        await walker.on("Code", "type", "7")
    await walker.fills_on()
    assert {asked.method for asked in site.asked} == {"GET"}


async def test_another_door_goes_on_where_one_was_left(walker: Walker, site: Site) -> None:
    await walker.half_filled(site)
    await walker.door.aclose()
    walker.door = BrowserDoor(walker.settings, walker.blobs)
    await walker.fills_on()


async def test_workers_work_while_a_way_is_walked_again(
    walker: Walker, site: Site, crash: Callable[[], None]
) -> None:
    await walker.begin(site.url("/form"))
    await walker.on("Count", "click")
    await walker.until("counted to 42")
    crash()
    await walker.door.stand("w", walker.trail)
    await walker.on("Name", "type", "Ada")
    assert "counted to 42" in walker.tree()


async def test_cookies_outlive_a_crash(
    walker: Walker, site: Site, crash: Callable[[], None]
) -> None:
    for _ in range(2):
        await walker.begin(site.url("/members"))
    assert "Members" in walker.tree()
    crash()
    await walker.begin(site.url("/members"))
    assert "Members" in walker.tree()
