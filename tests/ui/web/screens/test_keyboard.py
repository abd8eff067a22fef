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
FOCUSED = """() => {
    let each = document.activeElement;
    while (each?.shadowRoot?.activeElement) each = each.shadowRoot.activeElement;
    const outlined = (one) => one && getComputedStyle(one).outlineStyle !== "none";
    const framed = each.closest(".st-key-card:focus-within, .st-key-box:focus-within");
    const lines = each.innerText?.split("\\n").filter((line) => !/^[a-z_]*$/.test(line)) ?? [];
    const label = each.getAttribute("aria-label") || each.labels?.[0]?.innerText || "";
    const seen = outlined(each) || outlined(each.closest("[role=group]")) || Boolean(framed);
    return { name: (label || lines[0] || "").trim(), seen };
}"""
MOST_STOPS = 80
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


async def walked(page: Page, last: str) -> list[str]:
    """The names of what Tab comes to, up to `last`; each shows that it has the focus."""
    names: list[str] = []
    while len(names) < MOST_STOPS and last not in names:
        await page.keyboard.press("Tab")
        at = await page.evaluate(FOCUSED)
        assert at["seen"], at["name"]
        names.append(at["name"])
    return names


def in_order(names: list[str], *wanted: str) -> bool:
    """Do the wanted names come in this order, other ones between them?"""
    rest = iter(names)
    return all(any(name.startswith(each) for name in rest) for each in wanted)


async def test_tab_goes_through_the_start_page_in_the_order_in_which_it_is_filled_in(
    page: Page, answered: Served
) -> None:
    await page.goto(answered.url)
    await page.get_by_label("Question", exact=True).focus()
    await expect(page.get_by_label("Sites", exact=True)).to_be_visible()
    await expect(page.get_by_test_id("stSkeleton")).to_have_count(0)
    names = await walked(page, "Change method, model or limits")
    assert in_order(names, "Sites", "Start", "Change method"), names
    await page.keyboard.press("Enter")
    await expect(page.get_by_label("Model", exact=True)).to_be_visible()
    names = await walked(page, "Model")
    assert in_order(names, "Best pages first", "Model"), names


async def test_tab_goes_through_an_answer_from_its_likelihood_to_the_follow_up(
    page: Page, answered: Served
) -> None:
    await page.goto(answered.url + "?session=one")
    likely = page.get_by_role("button", name="Certainty").first
    await expect(page.get_by_test_id("stSkeleton")).to_have_count(0)
    await likely.focus()
    names = await walked(page, "Follow-up question")
    wanted = ("Citation 1", "Copy answer", "Evidence", "Find in quotes", "Export")
    assert in_order(names, *wanted, "Follow-up question"), names
    await page.keyboard.press("Tab")
    assert (await page.evaluate(FOCUSED))["name"].endswith("Follow up")


async def test_enter_sends_a_follow_up_and_shift_and_enter_begin_a_line(
    page: Page, answered: Served
) -> None:
    """The field grows with what is typed, up to four lines."""
    await page.set_viewport_size({"width": 360, "height": 740})
    await page.goto(answered.url + "?session=one")
    field = page.get_by_label("Follow-up question")
    await field.fill("Who")
    one = await field.bounding_box()
    await field.press("Shift+Enter")
    await page.keyboard.type("lit it " * 30)
    four = await field.bounding_box()
    assert one
    assert four
    assert one["height"] < 48
    assert 90 < four["height"] < 120
    await field.fill("")
    await field.press("Enter")
    await expect(field).to_have_value("")
    await expect(page.get_by_role("alert")).to_be_visible()
