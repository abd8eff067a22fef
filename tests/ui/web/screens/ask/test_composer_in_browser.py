"""What stays at the foot of a run's page covers nothing, and does not scroll the page."""

import pytest
from playwright.async_api import Browser, Locator, ViewportSize, expect

from tests.browsers import needs_browser
from tests.ui.server.process import Served
from tests.ui.web.screens.ask_driver import PATIENCE, at_rest

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="session")]
FOOT = 24
"""Pixels below the composer, also at the end of the page."""
TO_END = """() => {
    const page = document.querySelector('[data-testid="stMain"]');
    page.scrollTop = page.scrollHeight;
}"""

ROOM = """() => {
    const page = document.querySelector('[data-testid="stMain"]');
    page.scrollTop = 0;
    return page.scrollHeight - page.clientHeight;
}"""
SCROLLED = """document.querySelector('[data-testid="stMain"]').scrollTop"""
TWO_FRAMES = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


async def ends_over(row: Locator, dock: Locator) -> None:
    """The row is whole above the composer, and is what one would touch there."""
    await expect(row).to_be_in_viewport(ratio=0.99)
    below, over = await dock.bounding_box(), await row.bounding_box()
    assert below
    assert over
    assert over["y"] + over["height"] <= below["y"]


@pytest.mark.parametrize("size", [(1280, 620), (1280, 900), (400, 860)])
async def test_the_last_step_of_the_timeline_is_not_under_the_composer(
    chromium: Browser, answered: Served, size: tuple[int, int]
) -> None:
    viewport: ViewportSize = {"width": size[0], "height": size[1]}
    async with await chromium.new_page(viewport=viewport) as page:
        await page.goto(f"{answered.url}?session=one")
        steps = page.get_by_role("list", name="Timeline")
        if size[0] < 760:
            await page.get_by_label("Steps of the run").click(timeout=PATIENCE)
        last, dock = steps.locator("> li").last, page.locator(".st-key-box")
        await expect(last).to_contain_text("Answer", timeout=PATIENCE)
        await at_rest(page)
        await last.evaluate("row => row.scrollIntoView({ block: 'nearest' })")
        await ends_over(last, dock)
        await page.evaluate(TO_END)
        await ends_over(last, dock)
        stands = await dock.bounding_box()
        assert stands
        assert size[1] - stands["y"] - stands["height"] < FOOT


@pytest.mark.parametrize("size", [(1280, 800), (400, 860)])
async def test_typing_a_follow_up_does_not_scroll_the_page(
    chromium: Browser, answered: Served, size: tuple[int, int]
) -> None:
    viewport: ViewportSize = {"width": size[0], "height": size[1]}
    async with await chromium.new_page(viewport=viewport) as page:
        await page.goto(f"{answered.url}?session=one")
        field = page.get_by_placeholder("Ask about this answer")
        await expect(field).to_be_visible(timeout=PATIENCE)
        await expect(page.get_by_role("button", name="Copy answer")).to_be_visible(timeout=PATIENCE)
        await at_rest(page)
        assert await page.evaluate(ROOM) > 0
        await field.click()
        for letter in "why":
            await field.press(letter)
            await page.evaluate(TWO_FRAMES)
            assert await page.evaluate(SCROLLED) == 0
        await expect(field).to_have_value("why")
