"""Pictures carry the refs of what can be used, and leave the page as it was."""

import struct

import pytest

from forager.adapters.browser.look.screenshots import (
    Mark,
    element_marks,
    take_marked_screenshot,
)
from forager.adapters.browser.tabs import Tabs
from forager.browsing.page.aria import parse_aria
from tests.browsers import needs_browser
from tests.servers import Site


@needs_browser
@pytest.mark.asyncio(loop_scope="package")
async def test_a_picture_with_marks(tabs: Tabs, pages: Site) -> None:
    await tabs.open_url(pages.url("/within.html"))
    before = (await tabs.take_snapshot()).tree
    plain = await tabs.page.screenshot()
    marked = await take_marked_screenshot(tabs.page)
    assert struct.unpack(">II", marked[16:24]) == struct.unpack(">II", plain[16:24])
    assert marked != plain
    assert await tabs.page.screenshot() == plain
    assert (await tabs.take_snapshot()).tree == before


def test_what_is_marked_and_where() -> None:
    tree = """
- generic [ref=e1] [box=0,0,800,600]:
  - button "Go" [ref=e2] [box=10,20,30,10]
  - button "Off" [disabled] [ref=e3] [box=10,40,30,10]
  - link "Dot" [ref=e4] [box=10,60,2,2]
  - heading "Title" [ref=e5] [box=10,80,100,20]
  - iframe [ref=e6] [box=100,200,300,150]:
    - textbox "In" [ref=f1e1] [box=5,5,50,20]
"""
    assert list(element_marks(parse_aria(tree))) == [
        Mark("e2", 10, 20, 30, 10),
        Mark("f1e1", 105, 205, 50, 20),
    ]
