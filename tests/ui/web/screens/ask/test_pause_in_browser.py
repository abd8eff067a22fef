"""A run is paused in a page, its server is killed and comes back, and the same page resumes it."""

import asyncio
import re
import signal
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Locator, Page, expect

from tests.browsers import needs_browser
from tests.coast import ENGINEER, Coast
from tests.endpoint import Endpoint
from tests.loopback_model import Silent
from tests.ui.server.process import serving
from tests.ui.web.screens.ask_driver import PATIENCE, ask, at_rest

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="session")]
HERE = "--allow-private", "127.0.0.1"


@pytest.fixture
def site() -> Iterator[Coast]:
    with Coast() as site:
        yield site
        site.let_go.set()


@pytest_asyncio.fixture(loop_scope="session")
async def page(chromium: Browser) -> AsyncIterator[Page]:
    async with await chromium.new_page(viewport={"width": 1280, "height": 900}) as page:
        page.set_default_timeout(PATIENCE)
        yield page


async def test_paused_killed_and_resumed_it_answers_and_fetches_nothing_twice(
    page: Page, site: Coast, tmp_path: Path
) -> None:
    resume = page.get_by_role("button", name="Resume")
    with serving(tmp_path, "--port", "0", *HERE) as server:
        await ask(page, server, ENGINEER, site.url())
        port = str(server.port)
        assert await asyncio.to_thread(site.wanted.wait, 60)
        field = page.get_by_role("textbox", name="Hint")
        place = await field.bounding_box()
        await page.get_by_role("button", name="Pause").click()
        await expect(resume).to_be_visible(timeout=PATIENCE)  # the survey is abandoned at once
        assert await field.bounding_box() == place
        site.let_go.set()
        await expect(page.get_by_text("Marta Lindqvist")).to_have_count(0)
        read = Counter(site.paths())
        server.end(signal.SIGKILL)
        await without_server(page)
    with serving(tmp_path, "--port", port, *HERE):
        await expect(page.get_by_text("Forager was restarted.")).to_be_visible(timeout=PATIENCE)
        await expect(page.get_by_role("status").get_by_text("Paused")).to_be_visible()
        await resume.click()
        answered = page.get_by_role("status").get_by_text("Answered")
        await expect(answered).to_be_visible(timeout=PATIENCE)
        answer = page.get_by_role("region", name="Answer")
        await expect(answer).to_contain_text("Marta Lindqvist")
    assert read["/all.html"] == 1
    # The page that was on its way when the survey was abandoned is asked for once more.
    assert Counter(site.paths()) == {"/": 1, "/all.html": 2, "/skarn.html": 1}


async def test_stopped_in_its_survey_it_says_so_and_can_be_resumed(
    page: Page, site: Coast, tmp_path: Path
) -> None:
    with serving(tmp_path, "--port", "0", *HERE) as server:
        await ask(page, server, ENGINEER, site.url())
        assert await asyncio.to_thread(site.wanted.wait, 60)
        await told_that_a_hint_was_received(page)
        await page.get_by_role("button", name="Stop and answer").click()
        verdict = page.locator(".verdict")
        await expect(verdict).to_contain_text("Stopped before a page was read", timeout=PATIENCE)
        site.let_go.set()
        await page.get_by_role("button", name="Resume").click()
        answered = page.get_by_role("status").get_by_text("Answered")
        await expect(answered).to_be_visible(timeout=PATIENCE)
        answer = page.get_by_role("region", name="Answer")
        await expect(answer).to_contain_text("Marta Lindqvist")


async def test_a_run_that_stops_is_ended_while_its_model_is_silent(
    page: Page, tmp_path: Path
) -> None:
    model = Silent("critic")
    with Coast() as site, Endpoint(model) as endpoint:
        site.let_go.set()
        named = {"FORAGER_MODEL": "openai:any", "FORAGER_BASE_URL": endpoint.url}
        with serving(tmp_path, "--port", "0", *HERE, **named) as server:
            try:
                await ask(page, server, ENGINEER, site.url())
                assert await asyncio.to_thread(model.asked.wait, 60)
                await page.get_by_role("button", name="Stop and answer").click()
                await page.get_by_role("button", name="End now").click()
                await expect(page.locator(".verdict")).to_contain_text("Stopped", timeout=PATIENCE)
                assert not model.let_go.is_set()
            finally:
                model.let_go.set()


async def test_another_tab_says_how_many_sessions_run(
    page: Page, chromium: Browser, site: Coast, tmp_path: Path
) -> None:
    with serving(tmp_path, "--port", "0", *HERE) as server:
        async with await chromium.new_page(viewport={"width": 1280, "height": 900}) as other:
            await other.goto(server.url)
            header = other.get_by_test_id("stHeader")
            idle = header.get_by_role("link", name="Sessions", exact=True)
            await expect(idle).to_be_visible(timeout=PATIENCE)
            await expect(other.get_by_label("Question")).to_be_visible(timeout=PATIENCE)
            await at_rest(other)
            places = await entries(other)
            await ask(page, server, ENGINEER, site.url())
            running = header.get_by_role("link", name=re.compile("Sessions.*1 running"))
            await expect(running).to_be_visible(timeout=PATIENCE)
            assert await entries(other) == places
            await other.set_viewport_size({"width": 768, "height": 900})
            last = await header.get_by_role("link", name="Settings").bounding_box()
            new = await other.locator(".st-key-new button").bounding_box()
            assert last
            assert new
            assert last["x"] + last["width"] <= new["x"]
            site.let_go.set()
            await expect(idle).to_be_visible(timeout=PATIENCE)


async def test_on_a_phone_the_step_of_a_run_stands_above_its_evidence(
    chromium: Browser, site: Coast, tmp_path: Path
) -> None:
    """Below it once there is an answer."""
    with serving(tmp_path, "--port", "0", *HERE) as server:
        async with await chromium.new_page(viewport={"width": 400, "height": 860}) as page:
            await ask(page, server, ENGINEER, site.url())
            assert await asyncio.to_thread(site.wanted.wait, 60)
            step, found = page.get_by_label("Steps of the run"), page.get_by_role("tablist")
            await expect(step).to_be_in_viewport(ratio=1, timeout=PATIENCE)
            await at_rest(page)
            assert await top(page.get_by_label("Budget used")) < await top(step) < await top(found)
            site.let_go.set()
            follow = page.get_by_role("textbox", name="Follow-up question")
            await expect(follow).to_be_visible(timeout=PATIENCE)
            await at_rest(page)
            assert await top(found) < await top(step)


async def top(part: Locator) -> float:
    place = await part.bounding_box()
    assert place
    return place["y"]


async def entries(page: Page) -> list[float]:
    """Where each entry of the navigation begins."""
    links = page.get_by_test_id("stHeader").get_by_role("link")
    left: list[float] = await links.evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().x)"
    )
    return left


async def without_server(page: Page) -> None:
    """A message of ours says that it does not answer, and nothing can be asked of it."""
    await expect(page.get_by_text("Forager does not answer.")).to_be_visible(timeout=PATIENCE)
    await expect(page.get_by_text("Connection lost, trying again")).to_be_visible()
    streamlit = page.get_by_role("heading", name="Connection error", include_hidden=True)
    await streamlit.wait_for(state="attached")
    await expect(streamlit).to_be_hidden()
    for text in ("Resume", "Send", "New question"):
        button = page.get_by_text(text, exact=True).first
        assert await button.evaluate("element => element.closest('[inert]') !== null")


async def told_that_a_hint_was_received(page: Page) -> None:
    """Over the composer, away from the status and the buttons, and gone after a while."""
    await page.get_by_role("textbox", name="Hint").fill("look at the list of all lighthouses")
    await page.get_by_role("button", name="Send").click()
    toast = page.get_by_test_id("stToast")
    await expect(toast).to_contain_text("Hint received")
    told, dock = await toast.bounding_box(), await page.locator(".st-key-box").bounding_box()
    assert told
    assert dock
    assert dock["y"] - 60 <= told["y"] + told["height"] <= dock["y"]
    await expect(toast).to_have_count(0, timeout=15_000)
