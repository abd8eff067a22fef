"""What narrow windows show is neither cut nor covered."""

import re

import pytest
from playwright.async_api import Browser, ViewportSize, expect

from tests.browsers import needs_browser
from tests.ui.server.process import Served
from tests.ui.web.screens.ask_driver import PATIENCE, at_rest

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="session")]
LAST_ENTRY = """link => ({ end: link.getBoundingClientRect().right,
    cut: link.querySelector("span").scrollWidth > link.clientWidth + 1 })"""
BADGE = """link => {
    const badge = getComputedStyle(link, "::after");
    return { shown: badge.content, top: link.getBoundingClientRect().top + parseFloat(badge.top),
        above: link.closest(".st-key-nav").getBoundingClientRect().top };
}"""

TOUCHED = """cite => {
    const { x, y, width, height } = cite.getBoundingClientRect();
    const at = (dx, dy) => cite.getRootNode().elementFromPoint(x + width / 2 + dx, y + height / 2 + dy);
    return [[0, -11.5], [0, 11.5], [-11.5, 0], [11.5, 0]].every(each => at(...each) === cite);
}"""  # noqa: E501  # as a script

MARKS = """facts => facts.map(fact => {
    const marks = ["::before", "::after"].map(each => getComputedStyle(fact, each).content);
    return [...marks, fact.getBoundingClientRect().left - fact.parentElement.getBoundingClientRect().left];
})"""  # noqa: E501  # as a script


@pytest.mark.parametrize("language", ["en", "de", "zh"])
async def test_the_navigation_of_a_tablet_ends_before_the_button_beside_it(
    chromium: Browser, answered: Served, language: str
) -> None:
    """On the page whose entry, the last one, is in bold."""
    size: ViewportSize = {"width": 768, "height": 600}
    async with await chromium.new_page(viewport=size, locale=language) as page:
        await page.goto(f"{answered.url}settings")
        entry = page.get_by_test_id("stTopNavLink").last
        await expect(entry).to_have_attribute("aria-current", "page", timeout=PATIENCE)
        button = page.locator(".st-key-new button")
        await expect(page.locator("html")).to_have_attribute("lang", re.compile(language))
        await expect(page.locator(".st-key-new")).to_have_css("position", "fixed")
        await at_rest(page)
        await page.evaluate("document.fonts.ready.then(() => null)")
        for width in (768, 800, 839, 840, 899, 900):
            await page.set_viewport_size({"width": width, "height": 600})
            place = await button.bounding_box()
            last = await entry.evaluate(LAST_ENTRY)
            assert place
            assert last["end"] + 8 <= place["x"], width
            assert not last["cut"], width
            assert place["x"] + place["width"] <= width


async def test_the_number_of_running_sessions_is_whole_on_a_phone(
    chromium: Browser, answered: Served
) -> None:
    async with await chromium.new_page(viewport={"width": 400, "height": 860}) as page:
        await page.goto(answered.url)
        entry = page.locator('.st-key-nav a[href$="sessions"]')
        await expect(entry).to_be_visible(timeout=PATIENCE)
        await entry.evaluate("""link => link.style.setProperty("--running", '"2"')""")
        badge = await entry.evaluate(BADGE)
        assert badge["shown"] == '"2"'
        assert badge["top"] >= badge["above"]


async def test_a_phone_shows_all_columns_of_the_evidence_of_two_sessions(
    chromium: Browser, answered: Served
) -> None:
    """Below each other, each with its name."""
    async with await chromium.new_page(viewport={"width": 360, "height": 740}) as page:
        await page.goto(f"{answered.url}sessions?session=one&with=one")
        table = page.get_by_role("region", name="Evidence of both")
        visit = table.get_by_text("Visit 1").last
        await expect(visit).to_be_visible(timeout=PATIENCE)
        await at_rest(page)
        assert not await table.evaluate("each => each.scrollWidth > each.clientWidth + 1")
        await visit.scroll_into_view_if_needed()
        await expect(visit).to_be_in_viewport(ratio=1)


async def test_no_line_of_the_list_of_sessions_ends_with_a_mark_between_facts(
    chromium: Browser, answered: Served
) -> None:
    """The mark stands before a fact, and is cut off where the fact begins a line."""
    async with await chromium.new_page(viewport={"width": 360, "height": 740}) as page:
        await page.goto(f"{answered.url}sessions")
        facts = page.locator(".said > *")
        await expect(facts.first).to_be_visible(timeout=PATIENCE)
        told = await facts.evaluate_all(MARKS)
        assert all(before == '"·"' and after == "none" for before, after, _ in told)
        assert told[0][2] == 0


async def test_the_note_below_a_refused_host_is_no_bigger_than_the_refusal(
    chromium: Browser, answered: Served
) -> None:
    async with await chromium.new_page(viewport={"width": 400, "height": 860}) as page:
        await page.goto(answered.url)
        await page.get_by_label("Question", exact=True).fill("Who lit it?", timeout=PATIENCE)
        await page.get_by_label("Sites", exact=True).fill("http://10.0.0.7/")
        await page.get_by_role("button", name="Start").click()
        allow = page.get_by_role("button", name="Allow 10.0.0.7 and start")
        note = page.get_by_text("It stays allowed for later questions")
        await expect(allow).to_be_visible(timeout=PATIENCE)
        await expect(note).to_have_css("font-size", "13px")
        above, below = await allow.bounding_box(), await note.bounding_box()
        assert above
        assert below
        assert below["y"] - above["y"] - above["height"] >= 6


async def test_the_way_back_to_the_top_stands_over_the_composer_of_a_phone(
    chromium: Browser, answered: Served
) -> None:
    async with await chromium.new_page(viewport={"width": 360, "height": 500}) as page:
        await page.goto(f"{answered.url}?session=one")
        await expect(page.get_by_label("Follow-up question")).to_be_visible(timeout=PATIENCE)
        up = page.get_by_role("button", name="To the top")
        await expect(page.get_by_role("button", name="Citation 1").first).to_be_visible()
        await expect(up).to_be_hidden()
        await page.locator(".stMain").evaluate("each => each.scrollTo(0, each.scrollHeight)")
        await up.click()
        await expect(page.get_by_role("heading", level=1)).to_be_in_viewport()
        await expect(up).to_be_hidden()


@pytest.mark.parametrize("path", ["", "settings?part=machine"])
async def test_the_german_navigation_has_room_on_a_phone_of_today(
    chromium: Browser, answered: Served, path: str
) -> None:
    """Also with the entry of the page in bold."""
    size: ViewportSize = {"width": 400, "height": 860}
    async with await chromium.new_page(viewport=size, locale="de") as page:
        await page.goto(answered.url + path)
        row = page.locator(".st-key-nav")
        last = row.get_by_role("link", name="Einstellungen")
        await expect(last).to_be_visible(timeout=PATIENCE)
        await at_rest(page)
        await page.evaluate("document.fonts.ready.then(() => null)")
        place = await last.evaluate(LAST_ENTRY)
        assert place["end"] <= size["width"]
        assert not place["cut"]


async def test_a_citation_is_touched_on_twenty_four_pixels_and_its_line_is_no_higher(
    chromium: Browser, answered: Served
) -> None:
    async with await chromium.new_page(viewport={"width": 400, "height": 860}) as page:
        await page.goto(f"{answered.url}?session=one")
        cite = page.locator(".answer .cite").first
        await expect(cite).to_be_visible(timeout=PATIENCE)
        await at_rest(page)
        await cite.scroll_into_view_if_needed()
        assert await cite.evaluate(TOUCHED)
        await expect(cite).to_have_css("height", "19px")


async def test_what_is_unfolded_does_not_shift_the_page(
    chromium: Browser, answered: Served
) -> None:
    async with await chromium.new_page(viewport={"width": 1280, "height": 860}) as page:
        await page.goto(answered.url)
        await expect(page.locator(".stMain")).to_have_css("scrollbar-gutter", "stable")
