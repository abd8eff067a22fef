from collections.abc import Iterator

import pytest
from playwright.async_api import Browser, ConsoleMessage, Request

from tests.browsers import needs_browser
from tests.ui.server.process import Served, serving

PAGES = "", "sessions", "graphs", "memory", "bench", "settings"
MAIN = '[data-testid="stMainBlockContainer"]'
BUSY = '[data-testid="stApp"][data-test-script-state="running"]'


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("data"), "--port", "0") as running:
        yield running


@needs_browser
@pytest.mark.asyncio(loop_scope="session")
async def test_pages_ask_nobody_else_and_break_no_rule_of_their_own(
    chromium: Browser, server: Served
) -> None:
    said: list[str] = []
    strangers: list[str] = []

    def listen(message: ConsoleMessage) -> None:
        # Below a page's own path Streamlit looks for its server in vain, and then finds it.
        if message.type == "error" and "404" not in message.text:
            said.append(message.text)

    def watch(request: Request) -> None:
        if not request.url.startswith((server.url, "data:", "blob:")):
            strangers.append(request.url)

    async with await chromium.new_page() as page:
        page.on("console", listen)
        page.on("request", watch)
        for path in PAGES:
            await page.goto(f"{server.url}{path}")
            await page.wait_for_selector(f"{MAIN} > *")
            await page.wait_for_selector(BUSY, state="detached")
    assert strangers == []
    assert said == []
