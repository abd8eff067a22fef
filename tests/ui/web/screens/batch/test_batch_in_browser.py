"""A file of questions in a browser: uploaded, answered before one's eyes, paused, and opened."""

import json
from collections.abc import Iterator

import pytest
from playwright.async_api import Browser, FilePayload, expect

from tests.browsers import needs_browser, only_tab
from tests.coast import ENGINEER, Coast
from tests.ui.server.process import Served, serving
from tests.ui.web.screens.ask_driver import PATIENCE

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="session")]
HEIGHT = "How high is the Holm lighthouse?"


@pytest.fixture(scope="module")
def coast() -> Iterator[Coast]:
    with Coast() as coast:
        yield coast
        coast.let_go.set()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    here = "--port", "0", "--allow-private", "127.0.0.1"
    with serving(tmp_path_factory.mktemp("data"), *here) as server:
        yield server


async def test_a_file_is_uploaded_and_its_rows_are_watched(
    chromium: Browser, server: Served, coast: Coast, site: str
) -> None:
    rows = {"question": HEIGHT, "sites": site}, {"question": ENGINEER, "sites": coast.url()}
    body = "".join(f"{json.dumps(row)}\n" for row in rows).encode()
    async with await chromium.new_context() as context, only_tab(context) as page:
        await page.goto(f"{server.url}batch")
        upload = page.get_by_test_id("stFileUploaderDropzoneInput")
        bad: FilePayload = {"name": "q.csv", "mimeType": "text/csv", "buffer": b"text\nWhy?\n"}
        await upload.set_input_files(bad)
        await expect(page.get_by_role("alert")).to_contain_text("no column question")
        good: FilePayload = {"name": "q.jsonl", "mimeType": "text/plain", "buffer": body}
        await upload.set_input_files(good)
        await expect(page.get_by_text("2 questions, such as:")).to_be_visible(timeout=PATIENCE)
        await page.get_by_role("button", name="Start", exact=True).click()
        table = page.get_by_role("table")
        await expect(table).to_contain_text("41 metres", timeout=PATIENCE)
        await expect(page.get_by_text("1 of 2 rows", exact=True)).to_be_visible(timeout=PATIENCE)
        assert coast.wanted.wait(PATIENCE / 1000)
        await page.get_by_role("button", name="Pause").click()
        await expect(page.get_by_text("Pausing").first).to_be_visible(timeout=PATIENCE)
        coast.let_go.set()
        await expect(table).to_contain_text("Paused", timeout=PATIENCE)
        await page.get_by_role("button", name="Resume").click(timeout=PATIENCE)
        await expect(page.get_by_text("2 of 2 rows", exact=True)).to_be_visible(timeout=PATIENCE)
        await expect(page.get_by_role("button", name="Delete")).to_be_visible(timeout=PATIENCE)
        async with page.expect_download() as download:
            await page.get_by_role("button", name="Answers as JSON lines").click()
        assert (await download.value).suggested_filename == "q-answers.jsonl"
        async with context.expect_page() as opened:
            await table.get_by_role("link", name=HEIGHT).click()
        session = await opened.value
        await expect(session.get_by_role("heading", name=HEIGHT).first).to_be_visible(
            timeout=PATIENCE
        )
        await session.close()
