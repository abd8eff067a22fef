"""Where the focus is and what keys do, in a browser: in dialogs, lists and the start form."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from tests.browsers import needs_browser
from tests.ui.server.api_client import Caller
from tests.ui.server.process import Served
from tests.ui.web.screens.ask_driver import PATIENCE, QUESTION

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="session")]
TYPED = "no? A new title"
"""Begins with the shortcut of a new question, and has that of the list of shortcuts."""


@pytest_asyncio.fixture(loop_scope="session")
async def page(chromium: Browser) -> AsyncIterator[Page]:
    async with await chromium.new_page(viewport={"width": 1280, "height": 600}) as page:
        page.set_default_timeout(PATIENCE)
        expect.set_options(timeout=PATIENCE)
        yield page


async def test_what_is_typed_into_a_dialog_that_has_opened_is_the_title(
    page: Page, answered: Served
) -> None:
    await page.goto(answered.url + "sessions?session=one")
    await page.get_by_role("button", name="Rename").click()
    title = page.get_by_role("dialog").get_by_label("Title")
    await expect(title).to_be_focused()
    await page.keyboard.type(TYPED)
    await expect(title).to_have_value(TYPED)
    assert "session=one" in page.url


async def test_shortcuts_are_off_while_a_dialog_is_open(page: Page, answered: Served) -> None:
    await page.goto(answered.url + "sessions?session=one")
    await page.get_by_role("button", name="Delete").click()
    dialog = page.get_by_role("dialog")
    await expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    await page.keyboard.type("n?")
    await expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    await expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_have_count(0)
    await page.keyboard.press("Escape")
    await expect(dialog).to_have_count(0)
    await page.keyboard.press("?")
    shortcuts = page.get_by_role("dialog", name="Keyboard shortcuts")
    await expect(shortcuts).to_be_visible()
    await page.keyboard.press("n")
    await expect(shortcuts).to_be_visible()
    assert "session=one" in page.url


async def test_a_new_question_can_be_typed_at_once(page: Page, answered: Served) -> None:
    await page.goto(answered.url + "sessions?session=one")
    await expect(page.get_by_role("button", name="Rename")).to_be_visible()
    await page.keyboard.press("n")
    question = page.get_by_label("Question", exact=True)
    for text in ("Who?", "When?"):
        await expect(question).to_be_focused()
        await page.keyboard.type(text)
        await expect(question).to_have_value(text)
        await page.locator(".st-key-new button").click()
        await expect(question).to_have_value("")


async def test_a_session_chosen_far_down_the_list_is_in_view(
    page: Page, answered: Served, site: str
) -> None:
    caller = Caller(answered.port, answered.token)
    for id in ("two", "three", "four", "five", "six"):
        asked = {"question": QUESTION, "sites": [site], "session": id}
        assert caller.ask("/api/sessions", asked).status == 201
        caller.seen(id, "answered")
    await page.goto(answered.url + "sessions?session=six")
    await page.locator("a[href*='session=one']").last.click()
    await page.wait_for_url("**/sessions?session=one")
    await expect(page.get_by_role("button", name="Rename")).to_be_in_viewport()
    await expect(page.get_by_role("heading", name=QUESTION)).to_be_in_viewport()
