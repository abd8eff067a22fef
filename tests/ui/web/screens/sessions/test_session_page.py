"""The page of a session in a browser: its head, its graph, its history and its comparison."""

import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.async_api import Browser, expect

from tests.browsers import needs_browser
from tests.ui.server.api_client import Caller
from tests.ui.server.process import Served
from tests.ui.web.screens.ask_driver import PATIENCE, QUESTION

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="session")]
FOLLOW_UP = "Which orchestra recorded the opera Turandot?"


@contextmanager
def unanswering() -> Iterator[str]:
    """The address of a site that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        yield f"http://127.0.0.1:{door.getsockname()[1]}/"


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


async def test_the_graph_names_its_steps_and_its_version(
    chromium: Browser, answered: Served
) -> None:
    async with await chromium.new_page() as page:
        await page.goto(f"{answered.url}sessions?session=one&tab=Method")
        await expect(page.get_by_text(re.compile(r"Version of the method: \w{12}…"))).to_be_visible(
            timeout=PATIENCE
        )
        await expect(page.get_by_text("Steps with a thick border ran")).to_be_visible()
        drawing = page.get_by_role("img", name="forager: ")
        await expect(drawing).to_be_visible(timeout=PATIENCE)


async def test_the_history_begins_where_a_hint_counts_and_says_so(
    chromium: Browser, answered: Served
) -> None:
    async with await chromium.new_page() as page:
        await page.goto(f"{answered.url}sessions?session=one&tab=History")
        await expect(page.get_by_text("Suggested: from here on")).to_be_visible(timeout=PATIENCE)
        await expect(page.locator(".ck [aria-pressed=true]")).to_have_count(1)
        await page.locator(".ck .pick").last.click()
        await expect(page.get_by_text("This is the last step.")).to_be_visible(timeout=PATIENCE)


async def test_a_session_that_runs_is_not_compared_as_one_without_an_answer(
    chromium: Browser, answered: Served
) -> None:
    caller = Caller(answered.port, answered.token)
    with unanswering() as site:
        asked = {"question": QUESTION, "sites": [site], "session": "slow"}
        assert caller.ask("/api/sessions", asked).status == 201
        async with await chromium.new_page() as page:
            await page.goto(f"{answered.url}sessions?session=one&with=slow")
            note = page.get_by_text("Running: no answer yet")
            await expect(note).to_be_visible(timeout=PATIENCE)
            await expect(page.get_by_text("Running: no page visited yet")).to_be_visible()
        caller.ask("/api/sessions/slow/stop", {})
