"""A walk is walked again in tabs of its own, or not at all."""

from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext

from bench.backtrack import Case, Episode, episode
from bench.shifting import Shop
from bench.trails import TRAILS, Does, Recorder
from forager.action import Action, Kind
from forager.aria import describe, label, parse
from forager.errors import ReplayError
from forager.ports import Performed
from forager.settings import Settings
from forager.state import Step
from forager.view import Sent, Snapshot
from forager.web.browser.door import BrowserDoor
from forager.web.browser.replay import Ground, replay
from forager.web.browser.tabs import Tabs
from tests.browsers import needs_browser
from tests.fakes import MemoryBlobs
from tests.servers import Site

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="package")]

SOON = 0.6
"""Seconds that these tests wait for what comes late, or never."""


@pytest.fixture
def shop() -> Iterator[Shop]:
    with Shop() as served:
        yield served


@pytest_asyncio.fixture(loop_scope="package")
async def clean(chromium: Browser) -> AsyncIterator[BrowserContext]:
    """A context that nobody shares."""
    opened = await chromium.new_context(service_workers="block")
    yield opened
    await opened.close()


def ground(context: BrowserContext, seconds: float = 20.0) -> Ground:
    return Ground(context, lambda: Tabs(context), seconds=seconds, patience=SOON)


async def recorded(
    context: BrowserContext, url: Callable[[str], str], *does: Does
) -> tuple[Recorder, Tabs]:
    """A walk, and the tabs in which it was recorded."""
    tabs = Tabs(context)
    recorder = Recorder(tabs, url)
    for each in does:
        await recorder.do(each)
    return recorder, tabs


def at(recorder: Recorder, place: int, **changes: object) -> list[Step]:
    """The steps, one of them changed."""
    steps = list(recorder.steps)
    steps[place] = steps[place].model_copy(update=changes)
    return steps


def only_read(done: Episode) -> bool:
    return set(done.methods) <= {"GET", "HEAD"}


@pytest.mark.parametrize(
    "case",
    [
        Case("details", "shuffled", "shuffled", 1),
        Case("form", "banner", seed=3),
        Case("reviews", "ids", seed=4),
        Case("beside", "same", seed=6),
        Case("back", "wrapped", seed=7),
    ],
)
async def test_a_state_is_found_again(chromium: Browser, case: Case) -> None:
    done = await episode(chromium, case, SOON)
    assert done.stood, done.why
    assert done.right
    assert done.untouched
    assert only_read(done)


@pytest.mark.parametrize(
    ("case", "why"),
    [
        (Case("details", "gone"), "What stands around the button 'Details'"),
        (Case("details", "expired"), "There is no"),
        (Case("cart", "emptied"), "There is no textbox 'Count of Plum'"),
        (Case("reviews", "swapped"), "is not there"),
        (Case("reviews", "writes"), "It needs POST"),
        (Case("details", "asks"), "Stay on this site?"),
    ],
)
async def test_another_state_is_refused(chromium: Browser, case: Case, why: str) -> None:
    done = await episode(chromium, case, SOON)
    assert not done.stood
    assert why in done.why
    assert done.untouched
    assert only_read(done)


async def test_a_silent_server_ends_it(clean: BrowserContext, shop: Shop) -> None:
    recorder, _ = await recorded(clean, shop.url, Does("goto", "/list"))
    shop.mood = "silent"
    with pytest.raises(ReplayError, match="longer than"):
        await replay(recorder.steps, recorder.blobs, ground(clean, 0.5))
    assert len(clean.pages) == 1


async def test_what_was_changed_is_not_changed_again(clean: BrowserContext, shop: Shop) -> None:
    """The view after the last step with harm is where a way begins."""
    recorder, _ = await recorded(clean, shop.url, *TRAILS["reviews"].does[:3])
    shop.asked.clear()
    with pytest.raises(ReplayError, match="ordered plums"):
        await replay(at(recorder, 1, harm="It ordered plums."), recorder.blobs, ground(clean))
    assert shop.asked == []
    sent = Sent(method="POST", url=shop.url("/order"), resource="document")
    steps = at(recorder, 1, harm="It ordered plums.", sent=(sent,))
    tabs = await replay(steps, recorder.blobs, ground(clean))
    assert tabs.page.url == shop.url("/item?of=Plum")
    assert [asked.path for asked in shop.asked] == ["/item?of=Plum"]


async def test_nothing_is_walked_behind_a_change(clean: BrowserContext, shop: Shop) -> None:
    """Where its own view cannot be had by opening its address there is no way."""
    recorder, _ = await recorded(clean, shop.url, *TRAILS["details"].does)
    shop.asked.clear()
    with pytest.raises(ReplayError, match="opened anew"):
        await replay(at(recorder, 2, harm="It was bought."), recorder.blobs, ground(clean))
    assert {asked.path for asked in shop.asked} == {"/list"}
    assert len(clean.pages) == 1


async def test_an_order_that_a_step_made_is_part_of_the_state(clean: BrowserContext) -> None:
    sort = "document.querySelector('ul').prepend(document.querySelector('li:last-child'))"
    page = f'<ul><li>Fig<li>Apple</ul><button onclick="{sort}">Sort</button>'
    with Site({"/": page}) as site:
        recorder, _ = await recorded(
            clean, site.url, Does("goto", "/"), Does("click", "button", "Sort")
        )
        tabs = await replay(recorder.steps, recorder.blobs, ground(clean))
        assert await tabs.page.inner_text("li:first-child") == "Apple"
        site.routes["/"] = page.replace(sort, "")
        with pytest.raises(ReplayError, match="The way leads elsewhere now"):
            await replay(recorder.steps, recorder.blobs, ground(clean))


async def test_views_that_were_not_kept_cannot_be_found(clean: BrowserContext, shop: Shop) -> None:
    recorder, _ = await recorded(clean, shop.url, Does("goto", "/list"))
    with pytest.raises(ReplayError, match="not kept"):
        await replay(recorder.steps, MemoryBlobs(), ground(clean))
    with pytest.raises(ReplayError, match="no way"):
        await replay((), recorder.blobs, ground(clean))


class Walker:
    """Walks through a door, as the actor does."""

    def __init__(self, door: BrowserDoor, blobs: MemoryBlobs) -> None:
        self.door = door
        self.steps: list[Step] = []
        self._blobs = blobs

    async def do(self, kind: Kind, name: str, value: str = "") -> Performed:
        """An action on the element with a name, or at an address."""
        at, number = self.steps[-1].id if self.steps else "", len(self.steps) + 1
        action = Action(kind=kind, target=name, value=value, at=at)
        if kind != "goto" and (view := self.steps[-1].view):
            root = parse(Snapshot.model_validate_json(self._blobs.get(view.blob)).tree)
            node = next(each for each in root.walk() if each.ref and label(each) == name)
            action = action.model_copy(update={"target": node.ref, "element": describe(node)})
        done = await self.door.perform("w", action, f"1.{number}")
        step = Step(id=f"1.{number}", round=1, number=number, action=action, outcome="moved")
        self.steps.append(step.model_copy(update={"view": done.view, "sent": done.sent}))
        return done


async def test_a_session_killed_in_a_form_is_resumed_in_it(shop: Shop, tmp_path: Path) -> None:
    host = shop.url().split("/")[2]
    settings = Settings(data=tmp_path, allow_private=(host,))
    blobs = MemoryBlobs()
    first = BrowserDoor(settings, blobs)
    walker = Walker(first, blobs)
    await first.stand("w", ())
    await walker.do("goto", shop.url("/form"))
    await walker.do("type", "Name", "Ada")
    await walker.do("select", "Town", "Rome")
    await walker.do("click", "More")
    await walker.do("type", "Wish", "a red one")
    await first.aclose()
    shop.asked.clear()
    walker.door = BrowserDoor(settings, blobs)
    await walker.door.stand("w", walker.steps)
    assert {asked.method for asked in shop.asked} == {"GET"}
    sent = (await walker.do("click", "Send")).sent
    assert [each.method for each in sent] == ["POST"]
    await walker.door.aclose()
