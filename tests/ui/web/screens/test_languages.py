"""A page speaks the language of its browser, or that of the settings."""

import re
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext, Page, expect

from tests.browsers import needs_browser
from tests.ui.server.process import Served
from tests.ui.web.screens.ask_driver import PATIENCE, QUESTION, at_rest

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="session")]
PAGES = ("", "sessions?session=one", "graphs", "memory", "batch", "bench", "settings?part=general")
SIDEWAYS = """() => [document.scrollingElement, document.querySelector('[data-testid="stMain"]')]
    .filter((each) => each && each.scrollWidth > each.clientWidth + 1)
    .map((each) => `${each.tagName} ${each.scrollWidth} > ${each.clientWidth}`)"""
CLIPPED = """() => {
    const found = [];
    const look = (root) => {
        for (const each of root.querySelectorAll("*")) {
            if (each.shadowRoot) look(each.shadowRoot);
            if (!each.matches("button, label, h1, h2, h3, [role=tab], [role=radio]")) continue;
            const { right, width } = each.getBoundingClientRect();
            const scrolls = each.closest("[role=tablist], [class*=st-key-nav]");
            const cut = getComputedStyle(each).overflowX !== "visible" && each.scrollWidth > each.clientWidth + 1;
            if (width && !scrolls && (cut || right > innerWidth + 1)) found.push(each.innerText);
        }
    };
    look(document);
    return found;
}"""  # noqa: E501  # as a script


@pytest_asyncio.fixture(loop_scope="session")
async def german(chromium: Browser) -> AsyncIterator[BrowserContext]:
    async with await chromium.new_context(locale="de-DE") as context:
        yield context


@pytest_asyncio.fixture(loop_scope="session")
async def chinese(chromium: Browser) -> AsyncIterator[BrowserContext]:
    async with await chromium.new_context(locale="zh-CN") as context:
        yield context


async def spoken(page: Page, tag: str) -> None:
    await expect(page.locator("html")).to_have_attribute("lang", tag, timeout=PATIENCE)


async def test_a_question_is_asked_and_answered_in_german(
    german: BrowserContext, answered: Served, site: str
) -> None:
    page = await german.new_page()
    await page.goto(answered.url)
    title = "Eine Frage über Seiten und Websites hinweg stellen"
    await expect(page.get_by_role("heading", name=title)).to_be_visible(timeout=PATIENCE)
    await expect(page.get_by_text("höchstens 5 Minuten")).to_be_visible()
    await spoken(page, "de")
    await page.get_by_label("Frage", exact=True).fill("How high is the Holm lighthouse?")
    await page.get_by_label("Websites", exact=True).fill(site)
    await page.get_by_role("button", name="Starten").click()
    await page.wait_for_url(re.compile(r"[?&]session="), timeout=PATIENCE)
    await expect(page.get_by_text("Beantwortet", exact=True).first).to_be_visible(timeout=PATIENCE)
    await expect(page.get_by_role("region", name="Antwort")).to_contain_text("41 metres")
    await expect(page.get_by_text(re.compile(r"begonnen \d\d:\d\d"))).to_be_visible()
    await expect(page.get_by_role("list", name="Zeitleiste")).to_contain_text("Seiten finden")
    await page.close()


async def test_a_session_is_shown_in_chinese(chinese: BrowserContext, answered: Served) -> None:
    page = await chinese.new_page()
    await page.goto(f"{answered.url}?session=one")
    await expect(page.get_by_text("已回答", exact=True).first).to_be_visible(timeout=PATIENCE)
    await spoken(page, "zh-Hans")
    await expect(page.get_by_role("heading", name=QUESTION).first).to_be_visible()
    await page.goto(f"{answered.url}sessions?session=one")
    await expect(page.get_by_role("heading", name="会话")).to_be_visible(timeout=PATIENCE)
    await expect(page.get_by_text(re.compile(r"^\d 个会话$"))).to_be_visible(timeout=PATIENCE)
    await page.get_by_role("tab", name="历史").click()
    await expect(page.get_by_text(re.compile(r"\d+ 个步骤中的 \d+ 个"))).to_be_visible(
        timeout=PATIENCE
    )
    await page.close()


async def test_the_form_of_a_node_has_its_words_in_german(
    german: BrowserContext, answered: Served
) -> None:
    page = await german.new_page()
    await page.goto(f"{answered.url}graphs?graph=forager")
    await page.get_by_role("group", name=re.compile("^Knoten select,")).click(timeout=PATIENCE)
    form = page.locator(".st-key-graph-params")
    for label in ("Runden", "Runden offline", "Runden ohne Fund", "Strategie", "Gleichzeitig"):
        await expect(form.get_by_label(label, exact=True)).to_be_visible(timeout=PATIENCE)
    select = page.get_by_role("group", name=re.compile("^Knoten select,.*, 10 Runden,"))
    await expect(select).to_contain_text("≤ 10")
    await page.close()


async def test_long_words_fit_a_phone(german: BrowserContext, answered: Served) -> None:
    page = await german.new_page()
    await page.set_viewport_size({"width": 400, "height": 860})
    for way in PAGES:
        await page.goto(f"{answered.url}{way}")
        await expect(page.get_by_role("heading").first).to_be_visible(timeout=PATIENCE)
        await at_rest(page)
        await page.wait_for_function(f"() => ({SIDEWAYS})().length === 0", timeout=PATIENCE)
        assert await page.evaluate(CLIPPED) == [], way
    await page.close()


async def test_the_language_of_the_settings_comes_first(
    german: BrowserContext, answered: Served
) -> None:
    """A page that is open is drawn anew."""
    page = await german.new_page()
    await page.goto(f"{answered.url}settings?part=general")
    await page.get_by_role("radio", name="English").click(timeout=PATIENCE)
    await page.get_by_role("button", name="Speichern").click()
    await expect(page.get_by_role("heading", name="Settings")).to_be_visible(timeout=PATIENCE)
    await spoken(page, "en")
    choices = page.get_by_role("radiogroup", name="Language")
    await choices.get_by_role("radio", name="As the browser").click()
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_role("heading", name="Einstellungen")).to_be_visible(timeout=PATIENCE)
    await page.close()
