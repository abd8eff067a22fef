"""The page of a session in a browser: its head."""

import pytest
from playwright.async_api import Browser, expect

from tests.browsers import needs_browser
from tests.ui.server.api_client import Caller
from tests.ui.server.process import Served
from tests.ui.web.screens.ask_driver import PATIENCE, QUESTION

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="session")]
FOLLOW_UP = "Which orchestra recorded the opera Turandot?"


async def test_the_status_of_a_follow_up_stands_beside_it(
    chromium: Browser, answered: Served
) -> None:
    """Not above the first question, which was answered."""
    caller = Caller(answered.port, answered.token)
    assert caller.ask("/api/sessions/one/follow", {"question": FOLLOW_UP}).status < 300
    caller.seen("one", "abstained")
    async with await chromium.new_page() as page:
        await page.goto(f"{answered.url}sessions?session=one")
        newest = page.locator(".newest")
        await expect(newest).to_contain_text(f"Newest question: {FOLLOW_UP}", timeout=PATIENCE)
        await expect(newest.get_by_role("status")).to_have_text("Not found")
        pill = await newest.get_by_role("status").bounding_box()
        title = await page.get_by_role("heading", name=QUESTION).first.bounding_box()
        assert pill
        assert title
        assert pill["y"] >= title["y"] + title["height"]
