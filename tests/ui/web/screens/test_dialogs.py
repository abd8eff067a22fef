"""What Memory and Settings ask and keep, in a browser."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Literal

import pytest
from playwright.async_api import Browser, Page, ViewportSize, expect

from forager.settings import Settings, read_kept_values
from tests.browsers import needs_browser
from tests.ui.server.process import Served, serving
from tests.ui.web.screens.ask_driver import PATIENCE, ask
from tests.ui.web.screens.learned_sites import learn_attempts
from ui.server.handbook.handbook_site import serve_pages

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="session")]
SKARN = "<title>Skarn</title><p>The Skarn lighthouse was built by Marta Lindqvist in 1874.</p>"


STYLE = """(dialog, isOurs) => {
  const panel = getComputedStyle(isOurs ? dialog : dialog.parentElement);
  const backdrop = isOurs
    ? getComputedStyle(dialog, "::backdrop")
    : getComputedStyle(dialog.closest("[data-testid=stDialog]"));
  return [backdrop.backgroundColor, panel.backgroundColor, panel.color, panel.borderTopWidth,
    panel.borderTopColor, panel.borderTopLeftRadius, panel.boxShadow];
}"""
"""What a dialog looks like, one of ours or one of Streamlit's."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Served]:
    asyncio.run(learn_attempts(Settings(data=tmp_path), "Answered here."))
    here = {"FORAGER_ALLOW_PRIVATE": json.dumps(["127.0.0.1"])}
    with serving(tmp_path, "--port", "0", **here) as server:
        yield server


@asynccontextmanager
async def looking(
    chromium: Browser, server: Served, path: str, scheme: Literal["dark", "light"] = "light"
) -> AsyncIterator[Page]:
    size: ViewportSize = {"width": 1280, "height": 1000}
    async with await chromium.new_page(viewport=size, color_scheme=scheme) as page:
        page.set_default_timeout(PATIENCE)
        expect.set_options(timeout=PATIENCE)
        await page.goto(server.url + path)
        yield page


async def test_a_site_is_forgotten_once_it_was_asked(chromium: Browser, server: Served) -> None:
    async with looking(chromium, server, "memory?site=lights.example") as page:
        dialog = page.get_by_role("dialog")
        await page.get_by_role("button", name="Forget this site…").click()
        await expect(dialog).to_contain_text("1 item learned on lights.example")
        await page.keyboard.press("Escape")
        await expect(dialog).to_have_count(0)
        await expect(page.get_by_role("link", name="lights.example").first).to_be_visible()
        await page.get_by_role("button", name="Forget this site…").click()
        await dialog.get_by_role("button", name="Forget").click()
        await expect(page.get_by_role("link", name="lights.example")).to_have_count(0)
        await expect(page.get_by_role("link", name="ports.example")).to_be_visible()
        await page.get_by_role("button", name="Undo").click()
        await expect(page.get_by_role("link", name="lights.example").first).to_be_visible()
        await expect(page.get_by_role("button", name="Undo")).to_have_count(0)


async def test_a_key_is_saved_and_taken_away_and_the_rules_are_tried(
    chromium: Browser, server: Served
) -> None:
    async with looking(chromium, server, "settings") as page:
        key = page.get_by_label("Key", exact=True).first
        await key.fill("sk-secret-1")
        await page.get_by_role("button", name="Save").first.click()
        await expect(page.get_by_text("Set, in keys.env.")).to_be_visible()
        assert read_kept_values(server.data) == {"OPENAI_API_KEY": "sk-secret-1"}
        await page.reload()
        await expect(key).to_have_value("")
        assert "sk-secret-1" not in await page.content()
        await expect(
            page.get_by_text(re.compile(r"Automatic currently uses: openai:.?gpt-5-mini"))
        ).to_be_visible()
        await page.get_by_role("button", name="Remove").first.click()
        await expect(page.get_by_text("Set, in keys.env.")).to_have_count(0)
        assert read_kept_values(server.data) == {}
        await expect(page.get_by_text("Automatic currently uses: Built-in rules")).to_be_visible()
        await page.get_by_role("button", name="Test models").click()
        await expect(page.get_by_text("The built-in rules are ready.")).to_be_visible()


async def test_the_page_cache_is_deleted_once_it_was_asked(
    chromium: Browser, server: Served
) -> None:
    with serve_pages({"/": SKARN.encode()}) as site:
        async with looking(chromium, server, "") as page:
            await ask(page, server, "Who built the Skarn lighthouse?", site)
            answer = page.get_by_role("region", name="Answer")
            await expect(answer).to_contain_text("Marta Lindqvist")
            address = page.url
            await page.goto(server.url + "settings?part=storage")
            await page.get_by_role("button", name="Delete page cache…").click()
            dialog = page.get_by_role("dialog")
            await expect(dialog).to_contain_text("1 page, 0.0 MB")
            await dialog.get_by_role("button", name="Delete for good").click()
            await expect(dialog).to_have_count(0)
            await page.goto(address)
            await expect(answer).to_contain_text("Marta Lindqvist")


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_all_dialogs_look_alike(
    chromium: Browser, server: Served, scheme: Literal["dark", "light"]
) -> None:
    async with looking(chromium, server, "memory?site=lights.example", scheme) as page:
        await page.get_by_role("button", name="Keyboard shortcuts").click()
        shortcuts = page.get_by_role("dialog", name="Keyboard shortcuts")
        await expect(shortcuts).to_be_visible()
        ours = await shortcuts.evaluate(STYLE, True)
        await page.keyboard.press("Escape")
        await page.get_by_role("button", name="Forget this site…").click()
        dialog = page.get_by_role("dialog")
        await expect(dialog).to_contain_text("1 item learned on lights.example")
        assert await dialog.evaluate(STYLE, False) == ours


async def test_an_opened_menu_can_be_read_in_the_dark(chromium: Browser, answered: Served) -> None:
    """Its button and what is chosen in it have the light accent of the dark theme."""
    async with await chromium.new_page(color_scheme="dark") as page:
        await page.goto(f"{answered.url}?session=one")
        button = page.get_by_role("button", name="Export")
        await button.click(timeout=PATIENCE)
        chosen = page.get_by_role("button", name="Sources").get_by_text("Sources")
        await expect(chosen).to_have_css("color", "rgb(167, 184, 246)")
        await expect(button).to_have_css("color", "rgb(167, 184, 246)")
