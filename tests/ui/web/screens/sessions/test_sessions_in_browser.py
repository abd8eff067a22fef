"""Sessions on the pages, in a browser: forked, laid side by side, renamed, handed on, let go."""

import asyncio
import re
from pathlib import Path

import pytest
from playwright.async_api import Browser, Download, Page, expect

from graphs.sessions.service import open_sessions
from graphs.spec.spec import load_graph
from tests.browsers import needs_browser
from tests.loopback_model import Surveyed
from tests.ui.server.process import serving
from tests.ui.web.screens.ask_driver import at_rest

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="session")]
PATIENCE = 60_000


async def asked(observatory: Surveyed, data: Path) -> None:
    """A session `dome` that was answered without a model."""
    settings = observatory.settings(observatory.copied(data))
    async with open_sessions(settings) as sessions:
        await sessions.start(observatory.question(), load_graph("forager"), "offline", "dome")
        await sessions.run("dome")


async def test_a_session_is_forked_compared_renamed_exported_and_deleted(
    chromium: Browser, observatory: Surveyed, tmp_path: Path
) -> None:
    await asked(observatory, tmp_path / "data")
    with serving(tmp_path / "data", "--port", "0", "--allow-private", "127.0.0.1") as server:
        async with await chromium.new_page(viewport={"width": 1280, "height": 1000}) as page:
            page.set_default_timeout(PATIENCE)
            expect.set_options(timeout=PATIENCE)
            await page.goto(server.url + "sessions")
            await page.get_by_role("link", name="Answered").click()
            await forked(page)
            await compared(page)
            await renamed(page)
            await tagged(page)
            await searched(page)
            await pinned(page)
            await handed_on(page)
            await taken_in(page)
            await let_go(page)


async def forked(page: Page) -> None:
    """With a hint from the second step on: its run is shown from its beginning, and answered."""
    await expect(page.get_by_role("tab", name="Answer")).to_have_attribute("aria-selected", "true")
    await page.get_by_role("tab", name="History").click()
    await page.get_by_role("button", name=re.compile("^2 ")).click()
    await page.get_by_label("Hint").fill("The dome is described on its own page")
    await at_rest(page)
    await page.get_by_role("button", name="Fork and run").click()
    await expect(page.get_by_role("link", name="Fork of step 2")).to_be_in_viewport()
    await expect(
        page.get_by_text("Hint: The dome is described", exact=False).first
    ).to_be_in_viewport()
    await expect(page.get_by_role("status").filter(has_text="answered")).to_be_in_viewport()
    assert "session=dome" not in page.url


async def compared(page: Page) -> None:
    """Beside the session that it came from, whose title is shown in full."""
    await page.get_by_test_id("stPageLink").get_by_role("link", name="History").click()
    await expect(page.get_by_role("tab", name="History")).to_have_attribute("aria-selected", "true")
    await at_rest(page)
    await page.get_by_role("button", name="Compare").click()
    choice = page.locator(".st-key-compared")
    await choice.get_by_role("combobox").click()
    title = page.get_by_role("option").first.locator("> div")
    assert await title.evaluate("(each) => each.scrollWidth <= each.clientWidth")
    told = (await title.inner_text()).partition(" · ")[0]
    await title.click()
    await expect(choice.get_by_text(told)).to_be_visible()
    await choice.get_by_role("button", name="Compare").click()
    await expect(page.get_by_role("heading", name="Answer")).to_be_visible()
    assert "with=dome" in page.url
    await expect(page.get_by_text("Both give the same answer.")).to_be_visible()
    forked = page.get_by_label("Session A")
    await expect(forked).to_contain_text("Hint: The dome is described on its own page")
    await page.get_by_role("button", name="Sessions").click()


async def renamed(page: Page) -> None:
    await page.get_by_role("button", name="Rename").click()
    await page.get_by_label("Title").fill("With a *hint*")
    await at_rest(page)
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_role("link", name="With a *hint*")).to_be_visible()


async def tagged(page: Page) -> None:
    """The tag stands in the row and in the head."""
    await page.get_by_role("button", name="Tags").click()
    await page.get_by_label("Tags", exact=True).fill("domes")
    await at_rest(page)
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_role("dialog")).to_have_count(0)
    await expect(page.get_by_text("domes", exact=True)).to_have_count(2)


async def searched(page: Page) -> None:
    """As one types, without Enter."""
    field = page.get_by_role("textbox", name="Search")
    await field.press_sequentially("hint")
    await expect(page.get_by_text("1 of 2 sessions")).to_be_visible()
    await field.fill("")
    await expect(page.get_by_text("2 sessions", exact=True)).to_be_visible()


async def pinned(page: Page) -> None:
    """By one click in the list, and unpinned by another."""
    pin = page.get_by_role("button", name="Pin With a *hint*")
    await expect(pin).to_have_attribute("aria-pressed", "false")
    await pin.click()
    await expect(pin).to_have_attribute("aria-pressed", "true")
    await expect(page.get_by_role("link", name="Pinned")).to_have_count(1)
    await pin.click()
    await expect(pin).to_have_attribute("aria-pressed", "false")
    await expect(page.get_by_role("link", name="Pinned")).to_have_count(0)


async def handed_on(page: Page) -> None:
    await page.get_by_role("tab", name="Export").click()
    await at_rest(page)
    async with page.expect_download() as told:
        await page.get_by_role("button", name="Markdown").click()
    assert await shown_sections(await told.value) == ["## Sources"]
    await page.get_by_role("button", name="Sources", exact=True).click()
    await page.get_by_role("button", name="Run", exact=True).click()
    await at_rest(page)
    async with page.expect_download() as told:
        await page.get_by_role("button", name="Markdown").click()
    assert await shown_sections(await told.value) == ["## Run"]
    for name, ending in (("Word", "docx"), ("BibTeX", "bib"), ("CSL-JSON", "csl.json")):
        async with page.expect_download() as told:
            await page.get_by_role("button", name=name).click()
        assert (await told.value).suggested_filename == f"With-a-hint.{ending}"


async def shown_sections(found: Download) -> list[str]:
    """The headings of a downloaded document, which is named after the session's title."""
    assert found.suggested_filename == "With-a-hint.md"
    text = await asyncio.to_thread((await found.path()).read_text)
    return [line for line in text.splitlines() if line.startswith("## ")]


async def taken_in(page: Page) -> None:
    """What was handed on whole comes back as a session of its own."""
    async with page.expect_download() as told:
        await page.get_by_role("button", name="Whole session").click()
    archive = await (await told.value).path()
    await page.get_by_role("button", name="Import").click()
    await page.locator("input[type=file]").set_input_files(
        {"name": "x.zip", "mimeType": "application/zip", "buffer": b"no archive"}
    )
    await expect(page.get_by_text("x.zip")).to_be_visible()
    await page.get_by_role("button", name="Import it").click()
    await expect(page.get_by_role("dialog").get_by_role("alert")).to_be_visible()
    whole = await asyncio.to_thread(archive.read_bytes)
    await page.locator("input[type=file]").set_input_files(
        {"name": "whole.zip", "mimeType": "application/zip", "buffer": whole}
    )
    await expect(page.get_by_text("whole.zip")).to_be_visible()
    await expect(page.get_by_role("dialog").get_by_role("alert")).to_have_count(0)
    await page.get_by_role("button", name="Import it").click()
    await expect(page.get_by_text("3 sessions")).to_be_visible()
    await expect(page.get_by_role("link", name="With a *hint*")).to_have_count(2)


async def let_go(page: Page) -> None:
    await kept_after_all(page)
    await delete(page)
    await page.set_viewport_size({"width": 1280, "height": 420})
    await page.mouse.wheel(0, 2000)
    await expect(page.get_by_role("button", name="Undo")).to_be_in_viewport()
    await page.get_by_role("button", name="Undo").click()
    await expect(page.get_by_text("3 sessions")).to_be_visible()
    await delete(page)
    await expect(page.get_by_role("link", name="With a *hint*")).to_have_count(1)


async def kept_after_all(page: Page) -> None:
    """Cancel has the focus and closes, as Escape does; what deletes has the colour of failures."""
    dialog = page.get_by_role("dialog")
    red = "rgb(165, 51, 27)"
    for key in ("Escape", "Enter"):
        await page.get_by_role("button", name="Delete").click()
        await expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
        await expect(dialog.get_by_role("button", name="Delete")).to_have_css(
            "background-color", red
        )
        await page.keyboard.press(key)
        await expect(dialog).to_have_count(0)
    await expect(page.get_by_text("3 sessions")).to_be_visible()


async def delete(page: Page) -> None:
    await page.get_by_role("button", name="Delete").click()
    dialog = page.get_by_role("dialog")
    await expect(dialog.get_by_text("Also delete what was learned from it")).to_be_visible()
    await at_rest(page)
    await dialog.get_by_role("button", name="Delete").click()
    await expect(page.get_by_text("2 sessions")).to_be_visible()
