"""Two graphs are tried on the page of graphs, in a browser."""

from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from tests.browsers import needs_browser
from tests.loopback_model import Surveyed
from tests.ui.server.process import serving

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="session")]
PATIENCE = 60_000


async def test_two_graphs_are_laid_side_by_side(
    chromium: Browser, observatory: Surveyed, tmp_path: Path
) -> None:
    observatory.copied(tmp_path / "data")
    expect.set_options(timeout=PATIENCE)
    with serving(tmp_path / "data", "--port", "0", "--allow-private", "127.0.0.1") as server:
        async with await chromium.new_page(viewport={"width": 1280, "height": 1000}) as page:
            page.set_default_timeout(PATIENCE)
            await page.goto(server.url + "graphs?graph=webwalker")
            await page.get_by_role("button", name="Try two versions").click()
            dialog = page.get_by_role("dialog")
            await dialog.get_by_role("textbox", name="Questions").fill("Who ground the lens?")
            await dialog.get_by_role("textbox", name="Sites").fill(observatory.site.url())
            await dialog.get_by_role("button", name="Try both").click()
            await expect(dialog.get_by_role("button", name="Try others")).to_be_visible()
            await expect(dialog.get_by_test_id("stDataFrame")).to_be_visible()
            row = dialog.get_by_role("row").filter(has_text="Who ground the lens?")
            await expect(row).to_contain_text("Marius Feld")
            await expect(row).to_contain_text("page load")
            await page.reload()  # as after the connection was lost
            await page.get_by_role("button", name="Try two versions").click()
            await expect(row).to_contain_text("Marius Feld")
            await dialog.get_by_role("link", name="Every question").click()
            await expect(page.get_by_role("heading", name="try-")).to_be_visible()
            assert "file=try-" in page.url
