"""The history in a browser: the details of the chosen step are in view, on phones as well."""

import re

import pytest
from playwright.async_api import Browser, Locator, Page, ViewportSize, expect

from tests.browsers import needs_browser
from tests.ui.server.process import Served
from tests.ui.web.screens.ask_driver import PATIENCE, at_rest

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="session")]


def row(page: Page, number: int) -> Locator:
    """A step of the list."""
    return page.get_by_role("button", name=re.compile(rf"^{number} "))


@pytest.mark.parametrize("size", [(400, 860), (360, 640), (1280, 480)])
async def test_the_chosen_step_and_its_details_are_in_view(
    chromium: Browser, answered: Served, size: tuple[int, int]
) -> None:
    viewport: ViewportSize = {"width": size[0], "height": size[1]}
    async with await chromium.new_page(viewport=viewport) as page:
        await page.goto(f"{answered.url}sessions?session=one&tab=History")
        await page.get_by_role("button", name="Every step").click(timeout=PATIENCE)
        count = await page.get_by_role("list", name="Steps").get_by_role("button").count()
        for number in (count, 2, count - 1):
            await row(page, number).click()
            heading = page.get_by_role("heading", name=re.compile(rf"^Step {number},"))
            await expect(heading).to_be_in_viewport(ratio=1, timeout=PATIENCE)
            await at_rest(page)
            await expect(heading).to_be_in_viewport(ratio=1)
            await expect(row(page, number)).to_be_in_viewport(ratio=0.9)


async def test_a_step_on_a_phone_shows_its_name_and_what_it_did(
    chromium: Browser, answered: Served
) -> None:
    """Whole, one below the other."""
    async with await chromium.new_page(viewport={"width": 360, "height": 740}) as page:
        await page.goto(f"{answered.url}sessions?session=one&tab=History")
        name = row(page, 1).get_by_text("Start", exact=True)
        told = row(page, 1).locator("span.clip")
        await expect(told).to_be_visible(timeout=PATIENCE)
        above, below = await name.bounding_box(), await told.bounding_box()
        assert above
        assert below
        assert below["y"] >= above["y"] + above["height"] - 1
        assert below["width"] > 200


async def test_continuing_from_a_step_opens_the_run_and_can_be_taken_back(
    chromium: Browser, answered: Served
) -> None:
    async with await chromium.new_page() as page:
        page.set_default_timeout(PATIENCE)
        expect.set_options(timeout=PATIENCE)
        await page.goto(f"{answered.url}sessions?session=one&tab=History")
        await page.get_by_role("button", name="Continue from here").click()
        undo = page.get_by_role("button", name="Undo")
        await expect(undo).to_be_visible()
        assert "sessions" not in page.url
        status = page.get_by_role("status").get_by_text("Answered")
        await expect(status).to_be_visible()
        await at_rest(page)
        await undo.click()
        steps = page.get_by_role("list", name="Timeline")
        await expect(steps).to_contain_text("Back to the end at step")
        await expect(undo).to_be_hidden()
        await expect(status).to_be_visible()
        await expect(page.get_by_role("region", name="Answer")).to_contain_text("1874")


async def test_an_answer_that_is_none_is_set_aside_and_can_be_taken_back(
    chromium: Browser, answered: Served
) -> None:
    async with await chromium.new_page() as page:
        page.set_default_timeout(PATIENCE)
        expect.set_options(timeout=PATIENCE)
        await page.goto(f"{answered.url}?session=one")
        answer = page.get_by_role("region", name="Answer")
        await expect(answer).to_contain_text("1874")
        await page.get_by_role("button", name="Look further").click()
        steps = page.get_by_role("list", name="Timeline")
        await expect(steps).to_contain_text("Looked further")
        undo = page.get_by_role("button", name="Undo")
        await expect(undo).to_be_enabled()
        await at_rest(page)
        await undo.click()
        await expect(steps).to_contain_text("Back to the end at step")
        await expect(answer).to_contain_text("1874")
        await expect(undo).to_be_hidden()
        await page.reload()
        other = page.get_by_role("button", name="Other answer")
        await expect(other).to_be_visible()
        await at_rest(page)
        await other.click()
        await expect(steps).to_contain_text("Back to the end at step", timeout=PATIENCE)
        await expect(other).to_be_visible()
