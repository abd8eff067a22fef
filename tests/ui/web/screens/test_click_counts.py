"""How many clicks the tasks of the web UI take. Typing is free; a key that sends counts as one."""

import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext, Locator, Page, expect

from tests.browsers import needs_browser
from tests.endpoint import Endpoint
from tests.ui.server.api_client import Caller
from tests.ui.server.process import Served, serving
from tests.ui.web.screens.ask_driver import PATIENCE, at_rest
from ui.server.examples.example_sites import ENCYCLOPEDIA, QUESTIONS

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="session")]
ASKED = QUESTIONS[3]


class Counting:
    """A page, and the clicks that it took."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.clicks = 0

    async def click(self, target: Locator) -> None:
        """A click, once the page is at rest."""
        await at_rest(self.page)
        self.clicks += 1
        await target.click()

    async def press(self, field: Locator, key: str) -> None:
        """A key that sends what was typed."""
        await at_rest(self.page)
        self.clicks += 1
        await field.press(key)

    def button(self, name: str) -> Locator:
        """The first button of this name."""
        return self.page.get_by_role("button", name=name).first

    async def answered(self) -> None:
        """The answer is there."""
        status = self.page.get_by_role("status").get_by_text("Answered")
        await expect(status).to_be_visible(timeout=PATIENCE)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """With a session that was answered and one that was paused; no private host is allowed."""
    with serving(tmp_path_factory.mktemp("clicks"), "--port", "0") as server:
        caller = Caller(server.port, server.token)
        for id in ("paused", "answered"):
            body = {"question": ASKED.text, "sites": [example(server)], "session": id}
            assert caller.ask("/api/sessions", body).status == 201
            if id == "paused":
                caller.ask("/api/sessions/paused/pause", {})
            caller.seen(id, id)
        yield server


def example(server: Served) -> str:
    """The root address of an example site that the server serves."""
    port = (server.data / ENCYCLOPEDIA.port_file).read_text().strip()
    return f"http://127.0.0.1:{port}/"


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def context(chromium: Browser) -> AsyncIterator[BrowserContext]:
    """What the pages have in common is fetched once."""
    async with await chromium.new_context(viewport={"width": 1280, "height": 900}) as context:
        context.set_default_timeout(PATIENCE)
        yield context


@pytest_asyncio.fixture(loop_scope="session")
async def tab(context: BrowserContext) -> AsyncIterator[Counting]:
    page = await context.new_page()
    yield Counting(page)
    await page.close()


async def test_a_first_question_takes_two_clicks_and_a_second_one(
    tab: Counting, server: Served
) -> None:
    await tab.page.goto(server.url)
    await tab.page.get_by_label("Question", exact=True).fill(ASKED.text)
    await tab.page.get_by_label("Sites", exact=True).fill(example(server))
    await tab.click(tab.button("Start"))
    await tab.answered()
    await expect(tab.page.get_by_role("region", name="Answer")).to_contain_text(ASKED.answer[0])
    assert tab.clicks <= 2
    tab.clicks = 0
    follow_up = tab.page.get_by_label("Follow-up question")
    await follow_up.fill("And how many people died in it?")
    await tab.press(follow_up, "Enter")
    await expect(tab.page.get_by_label("Earlier questions")).to_be_visible(timeout=PATIENCE)
    await tab.answered()
    assert tab.clicks <= 1
    earlier = tab.page.get_by_label("Earlier questions")
    await earlier.get_by_text(ASKED.text).click()  # it reads as it did before the follow-up
    await expect(earlier.locator(".first")).to_have_text(ASKED.answer[0])
    await expect(earlier.locator(".said mark").first).to_have_text(ASKED.answer[0])
    await expect(earlier.get_by_text("More quotes")).to_be_visible()


async def test_another_question_is_one_click_away(tab: Counting, server: Served) -> None:
    for place in ("?session=answered", "sessions?session=answered", "settings"):
        await tab.page.goto(server.url + place)
        tab.clicks = 0
        await tab.click(tab.button("New question"))
        await expect(tab.page.get_by_label("Question", exact=True)).to_be_focused(timeout=PATIENCE)
        assert tab.clicks <= 1


async def test_why_this_answer_takes_one_click(tab: Counting, server: Served) -> None:
    await tab.page.goto(f"{server.url}?session=answered")
    await tab.click(tab.button("Citation 1:"))
    card = tab.page.get_by_role("region", name="Citation 1 in its page")
    await expect(card.get_by_text("Word for word on the page")).to_be_visible()
    await expect(card.locator("mark").filter(has_text=ASKED.answer[0])).to_be_visible()
    assert tab.clicks <= 1


async def test_a_fork_takes_three_clicks(tab: Counting, server: Served) -> None:
    await tab.page.goto(f"{server.url}?session=answered")
    await tab.click(tab.page.get_by_role("link", name="History"))
    await tab.click(tab.page.locator(".ck .pick").nth(1))
    await tab.click(tab.button("Fork and run"))
    forked = tab.page.get_by_role("link", name="Fork of step 2")
    await expect(forked).to_be_in_viewport(timeout=PATIENCE)
    assert tab.clicks <= 3
    await tab.answered()
    await expect(tab.page.get_by_role("region", name="Answer")).to_be_in_viewport()


async def test_a_paused_run_is_resumed_by_two_clicks_from_the_list(
    tab: Counting, server: Served
) -> None:
    await tab.page.goto(f"{server.url}sessions")
    await tab.click(tab.page.get_by_role("link", name="Paused"))
    await tab.click(tab.button("Resume"))
    head = tab.page.get_by_role("status").filter(has_text="answered")
    await expect(head).to_be_visible(timeout=PATIENCE)
    assert tab.clicks <= 2


async def test_a_private_host_is_allowed_by_one_click(tab: Counting, server: Served) -> None:
    await tab.page.goto(server.url)
    await tab.page.get_by_label("Question", exact=True).fill("Who is there?")
    await tab.page.get_by_label("Sites", exact=True).fill("http://127.0.0.2:1/")
    await tab.click(tab.button("Start"))
    tab.clicks = 0
    await tab.click(tab.button("Allow 127.0.0.2"))
    await expect(tab.page.get_by_role("heading", name="Who is there?")).to_be_visible()
    allowed = await asyncio.to_thread((server.data / "keys.env").read_text)
    assert "127.0.0.2" in allowed
    assert tab.clicks <= 1


async def test_a_misspelt_host_is_corrected_by_one_click(tab: Counting, server: Served) -> None:
    await tab.page.goto(server.url)
    await tab.page.get_by_label("Question", exact=True).fill("What is asyncio?")
    await tab.page.get_by_label("Sites", exact=True).fill("docs.pyton.ogr")
    await tab.click(tab.button("Start"))
    tab.clicks = 0
    await tab.click(tab.button("Ask docs.python.org instead"))
    asked = tab.page.get_by_text("The host docs.python.org is unknown.")  # from loopback alone
    await expect(asked).to_be_visible()
    assert tab.clicks <= 1


async def test_a_connection_is_tested_by_two_clicks(
    tab: Counting, server: Served, endpoint: Endpoint
) -> None:
    await tab.page.goto(server.url)
    await tab.click(tab.page.get_by_role("link", name="Settings").first)
    card = tab.page.locator('[class*="st-key-card-"]').last
    await card.get_by_label("Address").fill(endpoint.url)
    await tab.click(card.get_by_role("button", name="Test connection"))
    await expect(tab.page.get_by_text("Connected:")).to_be_visible()
    assert tab.clicks <= 2
    cards = await tab.page.locator('[class*="st-key-card-"]').all()
    boxes = [await each.bounding_box() for each in cards]
    assert len({round(box["height"]) for box in boxes if box}) == 1
