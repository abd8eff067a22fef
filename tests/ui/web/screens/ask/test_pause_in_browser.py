"""A run is paused in the page, its server is killed and restarted, and the page resumes it."""

import asyncio
import signal
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from tests.browsers import needs_browser
from tests.coast import ENGINEER, Coast
from tests.ui.server.process import serving
from tests.ui.web.screens.ask_driver import PATIENCE, ask

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
        address = page.url.removeprefix(server.url)
        assert await asyncio.to_thread(site.wanted.wait, 60)
        await page.get_by_role("button", name="Pause").click()
        await expect(resume).to_be_visible(timeout=PATIENCE)  # the survey is abandoned at once
        site.let_go.set()
        await expect(page.get_by_text("Marta Lindqvist")).to_have_count(0)
        read = Counter(site.paths())
        server.end(signal.SIGKILL)
        await expect(page.get_by_text("Connection lost, trying again")).to_be_visible()
    with serving(tmp_path, "--port", "0", *HERE) as server:
        await page.goto(server.url + address)
        await resume.click()
        answered = page.get_by_role("status").get_by_text("Answered")
        await expect(answered).to_be_visible(timeout=PATIENCE)
        answer = page.get_by_role("region", name="Answer")
        await expect(answer).to_contain_text("Marta Lindqvist")
    assert read["/all.html"] == 1
    # The page that was on its way when the survey was abandoned is asked for once more.
    assert Counter(site.paths()) == {"/": 1, "/all.html": 2, "/skarn.html": 1}
