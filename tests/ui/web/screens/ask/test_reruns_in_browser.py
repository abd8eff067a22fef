"""When the script runs again, the page stays where it is, and nothing on it flashes."""

import pytest
from playwright.async_api import Browser, Locator, Page, ViewportSize, expect

from tests.browsers import needs_browser
from tests.ui.server.process import Served
from tests.ui.web.screens.ask_driver import PATIENCE, QUESTION, at_rest

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="session")]
FEW_PIXELS = 3
NARROW = 760
SCROLL = """() => {
    const main = document.querySelector('[data-testid="stMain"]');
    main.scrollTop = 120;
    return main.scrollTop;
}"""
SCROLLED = """() => document.querySelector('[data-testid="stMain"]').scrollTop"""
WATCH = """(selector) => {
    const place = document.querySelector(selector);
    window.flashes = [];
    const look = () => {
        const { height } = place.getBoundingClientRect();
        if (!place.isConnected || !height) window.flashes.push(place.isConnected ? "empty" : "gone");
        window.watching = requestAnimationFrame(look);
    };
    new MutationObserver((changes) => {
        for (const { removedNodes } of changes)
            for (const node of removedNodes) if (node.contains(place)) window.flashes.push("removed");
    }).observe(document.body, { childList: true, subtree: true });
    look();
}"""  # noqa: E501  # as a script


HEADINGS = """() => {
    window.headings = [];
    const shown = (each) => each.getClientRects().length && getComputedStyle(each).visibility !== "hidden";
    const place = (each) => {
        const text = document.createRange();
        text.selectNodeContents(each);
        const { top, left } = (each.firstChild ? text : each).getBoundingClientRect();
        return [top, left, parseFloat(getComputedStyle(each).fontSize)].map(Math.round);
    };
    const look = () => {
        const loading = [...document.querySelectorAll("#forager-loading p")].filter(shown);
        const own = [...document.querySelectorAll(".stMain h1")].filter(shown);
        const found = loading.length ? loading : own; // it covers the page
        if (document.getElementById("root")) window.headings.push(found.map(place));
        requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
}"""  # noqa: E501  # as a script


async def watch(page: Page, selector: str, clicked: Locator | None = None) -> float:
    """Scroll down, and note from now on if the element leaves the page; how far it scrolled.

    What is `clicked` next is brought over the composer, so that the click has nothing to scroll.
    """
    await at_rest(page)
    place = await page.evaluate(SCROLL)
    assert place > FEW_PIXELS
    if clicked:
        await clicked.scroll_into_view_if_needed()
        place = await page.evaluate(SCROLLED)
    await page.evaluate(WATCH, selector)
    return float(place)


async def assert_unmoved(page: Page, place: float) -> None:
    await at_rest(page)
    assert await page.evaluate("window.flashes") == []
    assert abs(await page.evaluate(SCROLLED) - place) <= FEW_PIXELS


async def test_a_run_stays_in_place_when_its_page_is_drawn_again(
    chromium: Browser, answered: Served
) -> None:
    async with await chromium.new_page(viewport={"width": 1280, "height": 420}) as page:
        page.set_default_timeout(PATIENCE)
        expect.set_options(timeout=PATIENCE)
        await page.goto(f"{answered.url}?session=one")
        await expect(page.get_by_role("region", name="Answer")).to_contain_text("1874")
        answer = ".st-key-body [data-drawn]"
        spend = page.get_by_role("tab", name="Spend")
        place = await watch(page, answer, spend)
        await spend.click()
        await expect(spend).to_have_attribute("aria-selected", "true")
        await assert_unmoved(page, place)
        await page.get_by_role("button", name="Follow up").click()
        await expect(page.get_by_text("The question is empty.")).to_be_visible()
        await assert_unmoved(page, place)
        follow_up = page.get_by_label("Follow-up question")
        await follow_up.fill("How high is the Holm lighthouse?")
        await follow_up.press("Enter")
        await expect(page.get_by_role("region", name="Earlier questions")).to_be_visible()
        await expect(page.get_by_role("region", name="Answer")).to_contain_text("41")
        await at_rest(page)
        assert await page.evaluate("window.flashes") == []


async def test_the_list_of_sessions_stays_in_place_when_one_is_pinned(
    chromium: Browser, answered: Served
) -> None:
    async with await chromium.new_page(viewport={"width": 1280, "height": 420}) as page:
        page.set_default_timeout(PATIENCE)
        expect.set_options(timeout=PATIENCE)
        await page.goto(f"{answered.url}sessions?session=one")
        await expect(page.get_by_role("region", name="Answer")).to_contain_text("1874")
        place = await watch(page, ".st-key-browse [data-drawn]")
        pin = page.get_by_role("button", name=f"Pin {QUESTION}")
        await pin.click()
        await expect(pin).to_have_attribute("aria-pressed", "true")
        await assert_unmoved(page, place)


@pytest.mark.parametrize("width", [1280, 400])
async def test_the_title_of_a_page_is_there_at_once_and_stays_where_it_is(
    chromium: Browser, answered: Served, width: int
) -> None:
    """From the first frame on, in which the script has not run, to the last, and to other pages."""
    async with await chromium.new_page(viewport={"width": width, "height": 860}) as page:
        page.set_default_timeout(PATIENCE)
        expect.set_options(timeout=PATIENCE)
        await page.add_init_script(f"({HEADINGS})()")
        for path, title in (("", "Ask a question"), ("sessions", "Sessions"), ("memory", "Memory")):
            await page.goto(answered.url + path)
            await expect(page.get_by_role("heading", name=title, exact=bool(path))).to_be_visible()
            await at_rest(page)
            frames = await page.evaluate("window.headings")
            [last] = frames[-1]
            moved = [
                (number, frame)
                for number, frame in enumerate(frames)
                if len(frame) != 1
                or max(abs(frame[0][at] - last[at]) for at in range(3)) > FEW_PIXELS
            ]
            assert moved == []
        if width > NARROW:
            await page.evaluate("window.headings.length = 0")
            await page.get_by_role("link", name="Settings", exact=True).click()
            await expect(page.get_by_role("heading", name="Settings").first).to_be_visible()
            assert all(await page.evaluate("window.headings"))


async def test_on_a_phone_the_follow_up_is_one_line_and_keys_are_not_named(
    chromium: Browser, answered: Served
) -> None:
    size: ViewportSize = {"width": 360, "height": 740}
    async with await chromium.new_page(viewport=size, has_touch=True, is_mobile=True) as page:
        page.set_default_timeout(PATIENCE)
        expect.set_options(timeout=PATIENCE)
        await page.goto(f"{answered.url}?session=one")
        box = page.locator(".st-key-box")
        await expect(page.get_by_label("Follow-up question")).to_be_visible()
        await expect(page.get_by_role("button", name="Follow up")).to_be_visible()
        await at_rest(page)
        drawn = await box.bounding_box()
        typed = await page.get_by_label("Follow-up question").bounding_box()
        assert drawn
        assert typed
        assert drawn["height"] <= 56
        assert typed["width"] > drawn["width"] / 2
        await expect(page.locator(".st-key-new kbd")).to_be_hidden()
