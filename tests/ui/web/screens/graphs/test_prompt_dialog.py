"""Instructions of a node are tried on a step that a session recorded, in a browser."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from tests.browsers import needs_browser
from tests.endpoint import Endpoint
from tests.loopback_model import Surveyed, apart
from tests.ui.server.process import Served, serving
from tests.ui.web.screens.graphs.editor import Editor

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="session")]
PATIENCE = 60_000


@pytest.fixture(scope="module")
def model() -> Iterator[Endpoint]:
    """A language model that reads, on loopback."""
    with Endpoint(apart) as served:
        yield served


@pytest.fixture(scope="module")
def server(
    observatory: Surveyed, model: Endpoint, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Served]:
    """The web UI, with a session that asked the model."""
    data: Path = tmp_path_factory.mktemp("prompts") / "data"
    asyncio.run(observatory.asking(data, model).ask("webwalker"))
    hosts = {"FORAGER_ALLOW_PRIVATE": "127.0.0.1", "FORAGER_BASE_URL": model.url}
    with serving(data, "--port", "0", **hosts) as served:
        yield served


@pytest_asyncio.fixture(loop_scope="session")
async def page(chromium: Browser, server: Served) -> AsyncIterator[Page]:
    """The dialog of an instruction."""
    expect.set_options(timeout=PATIENCE)
    async with await chromium.new_page(viewport={"width": 1280, "height": 800}) as page:
        page.set_default_timeout(PATIENCE)
        editor = Editor(page, server)
        await editor.show("?graph=webwalker")
        await editor.select("extract")
        await page.get_by_role("button", name="ReadPage").click()
        yield page


async def test_the_text_is_read_from_its_first_line_and_the_step_has_material(page: Page) -> None:
    dialog = page.get_by_role("dialog")
    first = dialog.locator(".cm-line").first
    await expect(dialog.get_by_role("textbox", name="Instructions")).to_be_focused()
    await expect(first).to_be_in_viewport(ratio=0.99)
    await dialog.get_by_role("tab", name="On a recorded step").click()
    await expect(dialog.get_by_role("combobox", name="Step")).to_have_value("2 · 2 passages")


async def test_the_prompt_of_a_step_is_shown_with_its_tokens(page: Page, model: Endpoint) -> None:
    dialog = page.get_by_role("dialog")
    await dialog.get_by_role("tab", name="On a recorded step").click()
    before = len(model.requests)
    await dialog.get_by_role("button", name="Show the prompt").click()
    shown = dialog.get_by_role("textbox", name="The prompt as it would be sent")
    await expect(shown).to_contain_text("You are the extractor of a team")
    await expect(dialog.get_by_text("tokens of instructions and rules")).to_be_visible()
    await expect(shown.locator("..")).to_be_in_viewport(ratio=0.99)
    await expect(dialog.get_by_role("button", name="Use these")).to_be_in_viewport(ratio=0.99)
    assert len(model.requests) == before


async def test_two_instructions_are_answered_on_the_same_step(page: Page, model: Endpoint) -> None:
    dialog = page.get_by_role("dialog")
    text = dialog.get_by_role("textbox", name="Instructions")
    await text.press("Control+End")
    await text.press_sequentially(" Prefer lenses.")
    await dialog.get_by_role("tab", name="On a recorded step").click()
    before = len(model.requests)
    await dialog.get_by_role("button", name="Ask with both").click()
    await expect(dialog.get_by_text("As typed")).to_be_visible()
    replies = dialog.get_by_text('"passages"')
    await expect(replies).to_have_count(2)
    for number in range(2):
        await expect(replies.nth(number)).to_be_in_viewport(ratio=0.99)
    asked = [each.system for each in model.requests[before:]]
    assert sorted("Prefer lenses." in each for each in asked) == [False, True]
