"""A snapshot has a ref for whatever can be used, and never what is in a password field."""

import pytest
from playwright.async_api import BrowserContext

from forager.adapters.browser.look.screenshots import take_marked_screenshot
from forager.adapters.browser.look.snapshot import MASK, mask_fields
from forager.adapters.browser.playwright_calls import Timeouts
from forager.adapters.browser.tabs import Tabs
from forager.browsing.page.aria import node_by_ref, parse_aria
from tests.browsers import needs_browser
from tests.forager.adapters.browser.snapshot_elements import act, click, ref, said, stands
from tests.servers import Reply, Site


@needs_browser
@pytest.mark.asyncio(loop_scope="package")
async def test_what_is_in_password_fields_is_not_shown(tabs: Tabs, pages: Site) -> None:
    await tabs.open_url(pages.url("/within.html"))
    tree = (await tabs.take_snapshot()).tree
    assert not any(word in tree for word in ("sesame", "framed secret", "shadow secret"))
    assert await stands(tabs, "textbox", "Password") == MASK
    assert await stands(tabs, "textbox", "Twice") == MASK
    assert await stands(tabs, "textbox", "Same text") == "hunter2"


@needs_browser
@pytest.mark.asyncio(loop_scope="package")
async def test_refs_lead_into_frames_shadows_and_the_nameless(tabs: Tabs, pages: Site) -> None:
    await tabs.open_url(pages.url("/within.html"))
    for role, name, then in (
        ("button", "In a frame", "frame"),
        ("button", "Deep", "deep frame"),
        ("button", "In a shadow", "shadow"),
        ("generic", "this word", "word"),
    ):
        await click(tabs, role, name)
        assert await said(tabs) == then
    root = parse_aria((await tabs.take_snapshot()).tree)
    empty, canvas = [
        node for node in root.walk() if "cursor" in node.states and not node.text_content()
    ][-2:]
    await tabs.do_action(act("click", empty.ref))
    assert await said(tabs) == "empty"
    await tabs.do_action(act("click", canvas.ref, "70,20"))
    assert await said(tabs) == "70,20"


@needs_browser
@pytest.mark.asyncio(loop_scope="package")
async def test_refs_stay_with_their_elements(tabs: Tabs, pages: Site) -> None:
    await tabs.open_url(pages.url("/within.html"))
    before = parse_aria((await tabs.take_snapshot()).tree)
    await tabs.page.evaluate("document.body.prepend(document.createElement('button'))")
    after = parse_aria((await tabs.take_snapshot()).tree)
    for node in before.walk():
        if node.ref and node.name:
            same = node_by_ref(after, node.ref)
            assert same is not None
            assert (same.role, same.name) == (node.role, node.name)


@needs_browser
@pytest.mark.asyncio(loop_scope="package")
async def test_scrolling_shows_more_until_there_is_none(tabs: Tabs, pages: Site) -> None:
    pages.routes["/slow"] = Reply("ok")
    await tabs.open_url(pages.url("/scroll.html"))
    seen = await tabs.take_snapshot()
    assert seen.above == 0
    assert "item 19" in seen.tree
    for _ in range(30):
        if not seen.below:
            break
        await tabs.do_action(act("scroll", "down"))
        seen = await tabs.take_snapshot()
    assert "item 79" in seen.tree
    assert seen.above > 0
    await tabs.do_action(act("scroll", "up"))
    assert (await tabs.take_snapshot()).above < seen.above
    inner = await ref(tabs, "region", "Inner")
    await tabs.do_action(act("scroll", "down", inner))
    assert await tabs.page.evaluate("inner.scrollTop") > 0


@needs_browser
@pytest.mark.asyncio(loop_scope="package")
async def test_no_tab_shows_nothing(tabs: Tabs) -> None:
    assert (await tabs.take_snapshot()).url == "about:blank"
    assert await tabs.list_tabs() == ()


@needs_browser
@pytest.mark.asyncio(loop_scope="package")
async def test_a_document_without_a_body_shows_nothing(
    context: BrowserContext, pages: Site
) -> None:
    pages.routes["/torn"] = """<title>Torn</title>
        <button onclick="setTimeout(() => { document.open(); }, 0)">Tear</button>"""
    pages.routes["/drawn"] = Reply(
        "<svg xmlns='http://www.w3.org/2000/svg'/>", kind="image/svg+xml"
    )
    tabs = Tabs(context, patience=Timeouts(empty=0.2))
    try:
        await tabs.open_url(pages.url("/torn"))
        done = await click(tabs, "button", "Tear")
        torn = await tabs.take_snapshot()
        assert (done.notes, torn.tree, torn.url) == ((), "", pages.url("/torn"))
        assert (await take_marked_screenshot(tabs.page)).startswith(b"\x89PNG")
        await tabs.open_url(pages.url("/drawn"))
        assert (await tabs.take_snapshot()).tree == ""
        await tabs.open_url(pages.url("/within.html"))
        assert (await tabs.take_snapshot()).tree
    finally:
        await tabs.close()


def test_fields_are_blotted_out_wherever_their_text_stands() -> None:
    tree = """- textbox "A" [ref=e1]: x
- textbox "B" [active] [ref=e2] [cursor=pointer]: "y: z"
- textbox "C" [ref=e3]:
  - /placeholder: again
  - text: w
- text: kept
- textbox "D" [ref=e4]: kept
- 'textbox "it''s: E" [ref=e5]': v"""
    assert (
        mask_fields(tree, {"e1", "e2", "e3", "e5"})
        == """- textbox "A" [ref=e1]: •••
- textbox "B" [active] [ref=e2] [cursor=pointer]: •••
- textbox "C" [ref=e3]:
  - /placeholder: again
  - text: •••
- text: kept
- textbox "D" [ref=e4]: kept
- 'textbox "it''s: E" [ref=e5]': •••"""
    )
