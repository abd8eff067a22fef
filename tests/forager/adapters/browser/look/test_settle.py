"""A page is looked at once it stands still: not before, and not long after."""

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest
from playwright.async_api import BrowserContext

from forager.adapters.browser.look.settle import BUSY, STILL_LOADING
from forager.adapters.browser.playwright_calls import Timeouts
from forager.adapters.browser.tabs import Tabs
from forager.errors import ConnectError
from tests.browsers import needs_browser
from tests.forager.adapters.browser.snapshot_elements import act, click, ref, said
from tests.servers import Asked, Reply, Route, Site

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="package")]


@pytest.fixture
def ended(pages: Site) -> Iterator[threading.Event]:
    """The test is over, and what a server held back may go."""
    over = threading.Event()
    yield over
    over.set()


@pytest.fixture
def endless(ended: threading.Event) -> Route:
    """Answers when the test is over."""

    def late(_: Asked) -> Reply:
        ended.wait(30)
        return Reply("at last")

    return late


def slow(_: Asked) -> Reply:
    """Answers after a while, as it would from afar."""
    threading.Event().wait(0.3)
    return Reply("came late", kind="text/plain")


@pytest.mark.parametrize(
    ("button", "then"),
    [
        ("Fetch", "came late"),
        ("Chain", "twice"),
        ("Timer", "timer"),
        ("Debounce", "came late"),
    ],
)
async def test_what_the_action_set_off_is_waited_for(
    tabs: Tabs, pages: Site, button: str, then: str
) -> None:
    pages.routes["/slow"] = slow
    await tabs.open_url(pages.url("/late.html"))
    await click(tabs, "button", button)
    assert await said(tabs) == then


async def test_a_search_as_one_types_is_waited_for(tabs: Tabs, pages: Site) -> None:
    await tabs.open_url(pages.url("/late.html"))
    await tabs.do_action(act("type", await ref(tabs, "textbox", "Words"), "shoes"))
    assert await said(tabs) == "found shoes"


async def test_what_slides_in_is_waited_for(tabs: Tabs, pages: Site) -> None:
    await tabs.open_url(pages.url("/late.html"))
    await click(tabs, "button", "Slide")
    assert "slid in" in (await tabs.take_snapshot()).tree


@pytest.mark.parametrize(("role", "name"), [("button", "Go later"), ("link", "Slowly")])
async def test_a_page_that_is_gone_to_is_waited_for(
    tabs: Tabs, pages: Site, role: str, name: str
) -> None:
    def slowly(asked: Asked) -> Reply:
        slow(asked)
        return Reply(str(pages.routes["/arrived.html"]))

    pages.routes |= {"/slow": slow, "/slowly.html": slowly}
    await tabs.open_url(pages.url("/late.html"))
    await click(tabs, role, name)
    seen = await tabs.take_snapshot()
    assert seen.title == "Arrived"
    assert "came late" in seen.tree


async def test_a_page_that_does_nothing_or_ticks_is_not_waited_for(tabs: Tabs, pages: Site) -> None:
    for page in ("/late.html", "/late.html?clock"):
        await tabs.open_url(pages.url(page))
        button = await ref(tabs, "button", "Nothing")
        async with asyncio.timeout(4):
            done = await tabs.do_action(act("click", button))
        assert done.notes == ()


FILL = """<title>Late</title><body><script>
const wipe = () => { document.body.innerHTML = ""; setTimeout(fill, 900); };
const fill = () => { SHOW };
setTimeout(fill, 900);
</script>"""
TEXT = "document.body.innerHTML = '<button onclick=wipe()>Hours</button>';"
SHADOW = "document.body.attachShadow({mode: 'open'}).innerHTML = '<p>Hours</p>';"
REVEAL = "document.body.style.display = 'none'; document.body.textContent = 'Hours';"
REVEAL += "setTimeout(() => { document.body.style.display = ''; }, 50);"
LEAVE = "location = '/arrived.html';"


@pytest.mark.parametrize(
    ("how", "then"),
    [(TEXT, "Hours"), (SHADOW, "Hours"), (REVEAL, "Hours"), (LEAVE, "came late")],
)
async def test_a_page_that_shows_nothing_is_waited_for(
    tabs: Tabs, pages: Site, how: str, then: str
) -> None:
    pages.routes |= {"/slow": slow, "/fill": FILL.replace("SHOW", how)}
    await tabs.open_url(pages.url("/fill"))
    assert then in (await tabs.take_snapshot()).tree


async def test_a_page_that_an_action_empties_is_waited_for(tabs: Tabs, pages: Site) -> None:
    pages.routes["/fill"] = FILL.replace("SHOW", TEXT)
    await tabs.open_url(pages.url("/fill"))
    await click(tabs, "button", "Hours")
    assert "Hours" in (await tabs.take_snapshot()).tree


@pytest.mark.parametrize("body", ["<p>x", "<canvas></canvas>", "<iframe src=/late.html></iframe>"])
async def test_a_page_that_shows_something_is_not_waited_for(
    context: BrowserContext, pages: Site, body: str
) -> None:
    pages.routes["/some"] = body
    async with hurried(context, Timeouts(empty=60)) as tabs, asyncio.timeout(20):
        await tabs.open_url(pages.url("/some"))


async def test_a_page_that_stays_empty_holds_nothing_up_for_long(
    context: BrowserContext, pages: Site
) -> None:
    pages.routes["/empty"] = "<title>Empty</title>"
    async with hurried(context, Timeouts(empty=0.2)) as tabs, asyncio.timeout(20):
        assert (await tabs.open_url(pages.url("/empty"))).notes == ()
        await tabs.do_action(act("new_tab"))
        seen = await tabs.take_snapshot()
    assert (seen.url, seen.tree) == ("about:blank", "")


async def test_a_request_without_an_end_holds_nothing_up_for_long(
    context: BrowserContext, pages: Site, endless: Route
) -> None:
    pages.routes["/endless"] = endless
    async with hurried(context, Timeouts(still=0.5)) as tabs:
        await tabs.open_url(pages.url("/late.html"))
        done = await click(tabs, "button", "Endless")
    assert done.notes == (STILL_LOADING,)


async def test_a_page_that_never_loads_is_looked_at_as_it_is(
    context: BrowserContext, pages: Site, ended: threading.Event
) -> None:
    def half() -> Iterator[bytes]:
        yield b"<title>Half</title><h1>Half a page</h1>" + b" " * 2000
        ended.wait(30)

    pages.routes["/half"] = Reply(half)
    async with hurried(context, Timeouts(load=0.5)) as tabs:
        done = await tabs.open_url(pages.url("/half"))
        seen = await tabs.take_snapshot()
    assert done.notes == (STILL_LOADING,)
    assert "Half a page" in seen.tree


async def test_a_server_that_never_answers(
    context: BrowserContext, pages: Site, endless: Route
) -> None:
    pages.routes["/silent"] = endless
    async with hurried(context, Timeouts(answer=0.5)) as tabs:
        with pytest.raises(ConnectError, match=r"did not answer in 0\.5 s"):
            await tabs.open_url(pages.url("/silent"))


async def test_a_server_that_is_not_there(tabs: Tabs) -> None:
    with Site() as gone:
        away = gone.url("/")
    with pytest.raises(ConnectError, match="ERR_CONNECTION_REFUSED"):
        await tabs.open_url(away)


async def test_an_error_of_the_server_is_told(tabs: Tabs, pages: Site) -> None:
    done = await tabs.open_url(pages.url("/nowhere"))
    assert done.notes == ("The server answered with the error 404.",)


async def test_a_script_that_never_ends_is_told(context: BrowserContext, pages: Site) -> None:
    async with hurried(context, Timeouts(act=0.5, hung=0.5)) as tabs:
        await tabs.open_url(pages.url("/late.html"))
        done = await click(tabs, "button", "Hang")
    assert done.notes == (BUSY,)


@asynccontextmanager
async def hurried(context: BrowserContext, patience: Timeouts) -> AsyncIterator[Tabs]:
    tabs = Tabs(context, patience=patience)
    try:
        yield tabs
    finally:
        await tabs.close()
