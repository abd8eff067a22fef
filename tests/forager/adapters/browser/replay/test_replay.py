"""A walk is walked again in tabs of its own, or not at all."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext

from bench.browser.backtrack import Case, Episode, run_episode
from bench.browser.changing_shop import Shop, open_shop
from bench.browser.shop_trajectories import TRAJECTORIES, ActionSpec, Recorder
from forager.adapters.browser.browser_port import PlaywrightBrowser
from forager.adapters.browser.replay.replay import ReplaySetting, replay_trajectory
from forager.adapters.browser.tabs import Tabs
from forager.browsing.page.aria import node_value
from forager.domain.actions import Action
from forager.domain.browser import SentRequest
from forager.domain.state import Step
from forager.errors import ReplayError
from forager.settings import Settings
from tests.browsers import needs_browser
from tests.fakes import MemoryBlobs
from tests.forager.adapters.browser.browser_driver import WALK, Walker
from tests.forager.adapters.browser.snapshot_elements import called
from tests.servers import Asked, Reply, Site

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="package")]

SOON = 0.6
"""Seconds that these tests wait for what comes late, or never."""


@pytest.fixture
def shop() -> Iterator[Shop]:
    with open_shop() as served:
        yield served


@pytest_asyncio.fixture(loop_scope="package")
async def clean(chromium: Browser) -> AsyncIterator[BrowserContext]:
    """A context that nobody shares."""
    opened = await chromium.new_context(service_workers="block")
    yield opened
    await opened.close()


def ground(context: BrowserContext, seconds: float = 20.0) -> ReplaySetting:
    return ReplaySetting(context, lambda: Tabs(context), seconds=seconds, patience=SOON)


async def recorded(
    context: BrowserContext, url: Callable[[str], str], *does: ActionSpec
) -> tuple[Recorder, Tabs]:
    """A walk, and the tabs in which it was recorded."""
    tabs = Tabs(context)
    recorder = Recorder(tabs, url)
    for each in does:
        await recorder.do_action(each)
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
    done = await run_episode(chromium, case, SOON)
    assert done.stood, done.why
    assert done.right
    assert done.untouched
    assert only_read(done)


@pytest.mark.parametrize(
    ("case", "why"),
    [
        (Case("details", "gone"), "The surroundings of the button 'Details'"),
        (Case("details", "expired"), "There is no"),
        (Case("cart", "emptied"), "There is no textbox 'Count of Plum'"),
        (Case("reviews", "swapped"), "is missing"),
        (Case("reviews", "writes"), "It needs POST"),
        (Case("details", "asks"), "Stay on this site?"),
    ],
)
async def test_another_state_is_refused(chromium: Browser, case: Case, why: str) -> None:
    done = await run_episode(chromium, case, SOON)
    assert not done.stood
    assert why in done.why
    assert done.untouched
    assert only_read(done)


async def test_a_silent_server_ends_it(clean: BrowserContext, shop: Shop) -> None:
    recorder, _ = await recorded(clean, shop.url_of, ActionSpec("goto", "/list"))
    shop.mood = "silent"
    with pytest.raises(ReplayError, match="longer than"):
        await replay_trajectory(recorder.steps, recorder.blobs, ground(clean, 0.5))
    assert len(clean.pages) == 1


async def test_a_tab_that_opens_when_nobody_waits_any_more_is_closed_too(
    clean: BrowserContext,
) -> None:
    tabs = Tabs(clean)
    going = asyncio.ensure_future(tabs.open_url("about:blank"))
    for _ in range(3):
        await asyncio.sleep(0)
    going.cancel()
    with pytest.raises(asyncio.CancelledError):
        await going
    await tabs.close()
    await (await clean.new_page()).close()
    assert clean.pages == []


async def test_what_was_changed_is_not_changed_again(clean: BrowserContext, shop: Shop) -> None:
    """The view after the last step with harm is where a way begins."""
    recorder, _ = await recorded(clean, shop.url_of, *TRAJECTORIES["reviews"].actions[:3])
    shop.requests.clear()
    with pytest.raises(ReplayError, match="ordered plums"):
        await replay_trajectory(
            at(recorder, 1, harm="It ordered plums."), recorder.blobs, ground(clean)
        )
    assert shop.requests == []
    sent = SentRequest(method="POST", url=shop.url_of("/order"), resource="document")
    steps = at(recorder, 1, harm="It ordered plums.", sent=(sent,))
    tabs = await replay_trajectory(steps, recorder.blobs, ground(clean))
    assert tabs.page.url == shop.url_of("/item?of=Plum")
    assert [asked.path for asked in shop.requests] == ["/item?of=Plum"]


async def test_nothing_is_walked_behind_a_change(clean: BrowserContext, shop: Shop) -> None:
    """Where its own view cannot be had by opening its address there is no way."""
    recorder, _ = await recorded(clean, shop.url_of, *TRAJECTORIES["details"].actions)
    shop.requests.clear()
    with pytest.raises(ReplayError, match="reopened"):
        await replay_trajectory(
            at(recorder, 2, harm="It was bought."), recorder.blobs, ground(clean)
        )
    assert {asked.path for asked in shop.requests} == {"/list"}
    assert len(clean.pages) == 1


async def test_an_order_that_a_step_made_is_part_of_the_state(clean: BrowserContext) -> None:
    sort = "document.querySelector('ul').prepend(document.querySelector('li:last-child'))"
    page = f'<ul><li>Fig<li>Apple</ul><button onclick="{sort}">Sort</button>'
    with Site({"/": page}) as site:
        recorder, _ = await recorded(
            clean, site.url, ActionSpec("goto", "/"), ActionSpec("click", "button", "Sort")
        )
        tabs = await replay_trajectory(recorder.steps, recorder.blobs, ground(clean))
        assert await tabs.page.inner_text("li:first-child") == "Apple"
        site.routes["/"] = page.replace(sort, "")
        with pytest.raises(ReplayError, match="The steps lead to another view now"):
            await replay_trajectory(recorder.steps, recorder.blobs, ground(clean))


def sending(asked: Asked) -> Reply:
    return Reply("<h1>Sent" if asked.method == "POST" else "<h1>Nothing was sent")


SENDING = "<h1>Order</h1><form method=post action=/sent><button>Send</button></form>"
CHOOSING = "<label>Size <select><option>Small<option>Large</select></label>"
OPENING = """<h1>A</h1><a href=/b target=_blank>Beside</a>
<button onclick="this.after('unfolded')">More</button>"""


@pytest.mark.parametrize(
    ("page", "does", "then", "why"),
    [
        (
            SENDING,
            [ActionSpec("click", "button", "Send")],
            {},
            r"click 'Send'.* It needs POST .*/sent, which is not sent again",
        ),
        (
            CHOOSING,
            [ActionSpec("select", "combobox", "Size", "Large")],
            {"/": CHOOSING.replace("Large", "Huge")},
            r"Step 1\.2 \(select 'Size'\) cannot be repeated\. There is no option 'Large'",
        ),
        (
            OPENING,
            [
                ActionSpec("click", "link", "Beside"),
                ActionSpec("focus_tab", "0"),
                ActionSpec("click", "button", "More"),
            ],
            {"/b": "<h1>C</h1><p>Another page."},
            "lead to another view now. The heading 'heading b' is missing",
        ),
        (
            OPENING,
            [ActionSpec("click", "button", "More")],
            {"/": OPENING.replace("this.after('unfolded')", "window.open('/b')")},
            "click 'More'.* A new tab opened",
        ),
    ],
)
async def test_a_step_that_comes_to_something_else_is_refused(
    clean: BrowserContext, page: str, does: list[ActionSpec], *, then: dict[str, str], why: str
) -> None:
    """What would be sent, an option that is gone, a tab that is not shown, one that opens."""
    with Site({"/": page, "/b": "<h1>B</h1><p>Beside.", "/sent": sending}) as site:
        recorder, tabs = await recorded(clean, site.url, ActionSpec("goto", "/"), *does)
        site.routes |= then
        site.asked.clear()
        with pytest.raises(ReplayError, match=why):
            await replay_trajectory(recorder.steps, recorder.blobs, ground(clean))
        assert {asked.method for asked in site.asked} == {"GET"}
        assert clean.pages == tabs.pages


async def test_what_was_not_described_is_not_found(clean: BrowserContext, shop: Shop) -> None:
    recorder, _ = await recorded(clean, shop.url_of, *TRAJECTORIES["details"].actions)
    action = recorder.steps[2].action.model_copy(update={"target": "e999", "element": None})
    with pytest.raises(ReplayError, match="has no description"):
        await replay_trajectory(at(recorder, 2, action=action), recorder.blobs, ground(clean))


async def test_a_server_or_a_browser_that_is_away_ends_it(
    clean: BrowserContext, shop: Shop
) -> None:
    recorder, _ = await recorded(clean, shop.url_of, ActionSpec("goto", "/list"))
    with Site() as gone:
        away = Action(kind="goto", target=gone.url())
    with pytest.raises(ReplayError, match=r"cannot be replayed: .*ERR_CONNECTION_REFUSED"):
        await replay_trajectory(at(recorder, 0, action=away), recorder.blobs, ground(clean))
    assert len(clean.pages) == 1
    await clean.close()
    with pytest.raises(ReplayError, match=r"cannot be replayed: .*closed"):
        await replay_trajectory(recorder.steps, recorder.blobs, ground(clean))


async def test_views_that_were_not_kept_cannot_be_found(clean: BrowserContext, shop: Shop) -> None:
    recorder, _ = await recorded(clean, shop.url_of, ActionSpec("goto", "/list"))
    with pytest.raises(ReplayError, match="not kept"):
        await replay_trajectory(recorder.steps, MemoryBlobs(), ground(clean))
    with pytest.raises(ReplayError, match="no steps"):
        await replay_trajectory((), recorder.blobs, ground(clean))


async def test_a_session_killed_in_a_form_is_resumed_in_it(shop: Shop, tmp_path: Path) -> None:
    settings = Settings(data=tmp_path, allow_private=(shop.url_of().split("/")[2],))
    blobs = MemoryBlobs()
    walker = Walker(PlaywrightBrowser(settings, blobs), blobs)
    await walker.begin(shop.url_of("/form"))
    await walker.on("Name", "type", "Ada")
    await walker.on("Town", "select", "Rome")
    await walker.on("More", "click")
    await walker.on("Wish", "type", "a red one")
    await walker.door.aclose()
    shop.requests.clear()
    walker.door = PlaywrightBrowser(settings, blobs)
    await walker.door.restore(WALK, walker.trail)
    assert {asked.method for asked in shop.requests} == {"GET"}
    await walker.on("As a gift", "click")
    values = [node_value(called(walker.tree(), name)) for name in ("Name", "Town", "Wish")]
    assert values == ["Ada", "Rome", "a red one"]
    assert [each.method for each in (await walker.on("Send", "click")).sent] == ["POST"]
    await walker.door.aclose()
