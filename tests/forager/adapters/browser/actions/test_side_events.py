"""What happens beside an action is handled, told, and never consented to silently."""

import asyncio

import pytest
from playwright.async_api import BrowserContext

from forager.adapters.browser.actions.side_events import MOST_TABS
from forager.adapters.browser.tabs import Tabs
from forager.errors import ActionError, BrowserError
from tests.browsers import needs_browser
from tests.forager.adapters.browser.snapshot_elements import act, click, said
from tests.servers import Reply, Site

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="package")]


@pytest.mark.parametrize(
    ("button", "answer", "then", "note"),
    [
        ("Alert", "", "alerted", "The page said: 'Take care'."),
        ("Confirm", "", "kept", "asked: 'Delete it?'. This was declined"),
        ("Confirm", "ok", "deleted", "answered with yes"),
        ("Prompt", "", "name null", "asked for a text: 'Your name?'. Nothing was given"),
        ("Prompt", "Ada", "name Ada", "answered with yes"),
    ],
)
async def test_a_dialog(
    tabs: Tabs, pages: Site, button: str, answer: str, *, then: str, note: str
) -> None:
    await tabs.open_url(pages.url("/beside.html"))
    done = await click(tabs, "button", button, answer)
    assert await said(tabs) == then
    assert any(note in told for told in done.notes)


async def test_a_yes_is_for_one_action_only(tabs: Tabs, pages: Site) -> None:
    await tabs.open_url(pages.url("/beside.html"))
    await click(tabs, "button", "Confirm", "ok")
    await click(tabs, "button", "Confirm")
    assert await said(tabs) == "kept"


async def test_a_page_that_asks_whether_to_leave_is_left(tabs: Tabs, pages: Site) -> None:
    await tabs.open_url(pages.url("/beside.html"))
    await click(tabs, "button", "Bind")
    done = await click(tabs, "link", "Leave")
    assert (await tabs.take_snapshot()).title == "Other"
    assert any("it was left" in note for note in done.notes)


@pytest.mark.parametrize(("role", "name"), [("link", "Open"), ("button", "Open by script")])
async def test_a_tab_that_opens_joins_and_is_shown(
    tabs: Tabs, pages: Site, role: str, name: str
) -> None:
    await tabs.open_url(pages.url("/beside.html"))
    done = await click(tabs, role, name)
    assert done.notes == ("A new tab opened and is shown now: tab 1.",)
    assert (await tabs.take_snapshot()).title == "Other"
    assert [tab.title for tab in await tabs.list_tabs()] == ["Beside", "Other"]
    done = await click(tabs, "button", "Close me")
    assert done.notes == ("Tab 1 closed itself.",)
    assert (await tabs.take_snapshot()).title == "Beside"


async def test_a_tab_that_opens_and_closes_itself(tabs: Tabs, pages: Site) -> None:
    await tabs.open_url(pages.url("/beside.html"))
    await click(tabs, "button", "Open and close")
    assert (await tabs.take_snapshot()).title == "Beside"
    assert len(tabs.pages) == 1


async def test_a_flood_of_tabs_is_stemmed(tabs: Tabs, pages: Site) -> None:
    await tabs.open_url(pages.url("/beside.html"))
    done = await click(tabs, "button", "Flood")
    assert len(tabs.pages) == MOST_TABS
    assert sum("refused" in note for note in done.notes) == 21 - MOST_TABS


async def test_a_download_is_handed_over(tabs: Tabs, pages: Site) -> None:
    pages.routes["/file.bin"] = Reply(b"123", kind="application/octet-stream")
    await tabs.open_url(pages.url("/beside.html"))
    done = await click(tabs, "link", "Download")
    assert done.notes == ("The page began a download: 'report.bin'.",)
    [download] = done.downloads
    assert (await download.path()).read_bytes() == b"123"


async def test_an_address_that_is_a_download(tabs: Tabs, pages: Site) -> None:
    headers = {"Content-Disposition": "attachment; filename=data.csv"}
    pages.routes["/data"] = Reply(b"a,b", kind="text/csv", headers=headers)
    await tabs.open_url(pages.url("/beside.html"))
    done = await tabs.open_url(pages.url("/data"))
    assert len(done.downloads) == 1
    assert (await tabs.take_snapshot()).title == "Beside"


@pytest.mark.parametrize("name", ["File", "Upload"])
async def test_a_page_that_asks_for_a_file_gets_none(tabs: Tabs, pages: Site, name: str) -> None:
    await tabs.open_url(pages.url("/beside.html"))
    done = await click(tabs, "button", name)
    assert done.notes == ("The page asked for a file to upload; nothing was chosen.",)
    assert await said(tabs) == ""


async def test_what_was_sent(tabs: Tabs, pages: Site) -> None:
    await tabs.open_url(pages.url("/beside.html"))
    [sent] = (await click(tabs, "button", "Post")).sent
    assert (sent.method, sent.url, sent.resource) == ("POST", pages.url("/api"), "fetch")
    assert sent.payload.startswith("note=xxx")
    assert len(sent.payload) == 500
    [sent] = (await click(tabs, "button", "Beacon")).sent
    assert (sent.method, sent.resource, sent.payload) == ("POST", "ping", "seen")
    assert (await click(tabs, "button", "Alert")).sent == ()
    [sent] = (await click(tabs, "button", "Both")).sent
    assert sent.method == "DELETE"


async def test_what_a_tab_sent_that_closed_itself(tabs: Tabs, pages: Site) -> None:
    await tabs.open_url(pages.url("/beside.html"))
    done = await click(tabs, "button", "Send and close")
    assert [sent.payload for sent in done.sent] == ["from a tab"]
    assert len(tabs.pages) == 1


async def test_the_only_tab_closes_itself(tabs: Tabs, pages: Site) -> None:
    await tabs.open_url(pages.url("/beside.html"))
    await click(tabs, "button", "Open by script")
    await tabs.do_action(act("close_tab", "0"))
    done = await click(tabs, "button", "Close me")
    assert done.notes == ("Tab 0 closed itself.",)
    assert (await tabs.take_snapshot()).url == "about:blank"
    await tabs.open_url(pages.url("/other.html"))
    assert (await tabs.take_snapshot()).title == "Other"


async def test_a_tab_that_crashes_is_told(tabs: Tabs, pages: Site) -> None:
    await tabs.open_url(pages.url("/other.html"))
    crashed = asyncio.Event()
    tabs.page.on("crash", lambda _: crashed.set())
    dying = asyncio.ensure_future(tabs.page.goto("chrome://crash"))
    await crashed.wait()
    dying.cancel()
    assert tabs.crashed
    with pytest.raises(BrowserError, match="crashed"):
        await tabs.take_snapshot()


async def test_tabs_and_history(tabs: Tabs, pages: Site) -> None:
    await tabs.open_url(pages.url("/beside.html"))
    await tabs.do_action(act("new_tab", pages.url("/other.html")))
    assert tabs.active == 1
    await tabs.do_action(act("focus_tab", "0"))
    seen = await tabs.take_snapshot()
    assert (seen.title, seen.back, seen.forward) == ("Beside", False, False)
    await click(tabs, "link", "Leave")
    seen = await tabs.take_snapshot()
    assert (seen.title, seen.back, seen.forward) == ("Other", True, False)
    await tabs.do_action(act("back"))
    seen = await tabs.take_snapshot()
    assert (seen.title, seen.back, seen.forward) == ("Beside", False, True)
    await tabs.do_action(act("forward"))
    assert (await tabs.take_snapshot()).title == "Other"
    await tabs.do_action(act("close_tab", "0"))
    assert len(tabs.pages) == 1
    with pytest.raises(ActionError, match="last tab"):
        await tabs.do_action(act("close_tab"))
    with pytest.raises(ActionError, match="no tab '5'"):
        await tabs.do_action(act("focus_tab", "5"))
    with pytest.raises(ActionError, match="no page to go back to"):
        await tabs.do_action(act("back"))


async def test_back_over_a_page_that_only_changed_its_address(tabs: Tabs, pages: Site) -> None:
    await tabs.open_url(pages.url("/beside.html"))
    await click(tabs, "button", "Push")
    assert tabs.page.url == pages.url("/deep")
    await tabs.do_action(act("back"))
    assert tabs.page.url == pages.url("/beside.html")


async def test_two_walks_do_not_hear_each_other(
    tabs: Tabs, context: BrowserContext, pages: Site
) -> None:
    other = Tabs(context)
    await other.open_url(pages.url("/beside.html"))
    await tabs.open_url(pages.url("/beside.html"))
    done = await click(other, "button", "Open by script")
    assert (len(other.pages), len(tabs.pages)) == (2, 1)
    assert len(done.notes) == 1
    assert (await tabs.do_action(act("press", "", "Tab"))).notes == ()
    await other.close()
