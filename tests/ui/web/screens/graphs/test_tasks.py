"""Everyday tasks in the editor, each within a number of gestures, which the page itself counts."""

import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import BrowserContext, expect

from graphs.spec.drafts import Drafts
from graphs.spec.library import Library
from graphs.spec.spec import PRESETS, GraphSpec, load_graph
from tests.browsers import needs_browser, only_tab
from tests.ui.server.process import Served
from tests.ui.web.components.canvas.canvas_driver import PATIENCE
from tests.ui.web.screens.graphs import gestures
from tests.ui.web.screens.graphs.editor import Editor

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="session")]

QUESTION = "Who built the Skarn lighthouse, and when?"
RUNS = "None. The method can run"
MISTAKES = {
    "strategy: root": "stratgey: root",
    "{type: extractor}": "{type: extractr}",
    "  - act.failed -> navigate\n": "",
    "- judge.sufficient -> answer": "- judge.sufficient -> answr",
    "edges:\n": "  spare: {type: recaller}\nedges:\n  - spare.next -> answer\n",
}


@pytest_asyncio.fixture(loop_scope="session")
async def editor(tabs: BrowserContext, server: Served) -> AsyncIterator[Editor]:
    """A tab that counts."""
    async with only_tab(tabs) as page:
        await gestures.listen(page)
        yield Editor(page, server)


def drafted(editor: Editor) -> GraphSpec:
    data = editor.server.data
    drafts = Drafts(data / "drafts.sqlite", Library(data / "graphs.sqlite"))
    return drafts.get(editor.page.url.partition("draft=")[2].partition("&")[0]).spec


async def opened(editor: Editor, graph: str) -> None:
    await editor.show(f"?graph={graph}")
    await gestures.begin(editor.page)


async def test_a_parameter_is_changed(editor: Editor) -> None:
    await opened(editor, "mango")
    await editor.node("navigate").get_by_role("button", name="≤ 10 steps").click()
    await editor.page.keyboard.type("7")
    await editor.press("Enter")
    await expect(editor.page.get_by_text("Not saved").first).to_be_visible(timeout=PATIENCE)
    assert drafted(editor).nodes["navigate"].params["steps"] == 7
    assert await gestures.made(editor.page) <= 3


async def test_a_critic_is_put_between_two_nodes(editor: Editor) -> None:
    page = editor.page
    await opened(editor, "mango")
    await editor.carry("Add critic", editor.edge("aggregate.next -> navigate"))
    await page.mouse.up()
    await expect(editor.node("critic")).to_be_visible(timeout=PATIENCE)
    await expect(page.get_by_text("Not saved").first).to_be_visible(timeout=PATIENCE)
    await expect(page.get_by_text(RUNS)).to_be_visible(timeout=PATIENCE)
    edges = set(map(str, drafted(editor).edges))
    assert {
        "aggregate.next -> critic",
        "critic.sufficient -> answer",
        "critic.insufficient -> navigate",
    } <= edges
    assert await gestures.made(page) <= 1


async def test_instructions_are_edited(editor: Editor) -> None:
    page = editor.page
    await opened(editor, "mango")
    await editor.node("navigate").click()
    await page.get_by_role("button", name="ChooseLink").click()
    dialog = page.get_by_role("dialog")
    await expect(dialog.get_by_role("textbox", name="Instructions")).to_be_focused(timeout=PATIENCE)
    await page.keyboard.type(" Prefer lighthouses.")
    await dialog.get_by_role("button", name="Use these").click()
    await expect(page.get_by_role("button", name="ChooseLink changed")).to_be_visible()
    told = drafted(editor).nodes["navigate"].prompts["ChooseLink"]
    assert told.endswith("Prefer lighthouses.")
    assert await gestures.made(page) <= 4


async def test_five_mistakes_are_found_and_mended(editor: Editor, saved: Library) -> None:
    page = editor.page
    text = (PRESETS / "webwalker.yaml").read_text(encoding="utf-8")
    for right, wrong in MISTAKES.items():
        assert right in text
        text = text.replace(right, wrong)
    saved.save("five", text.replace("name: webwalker", "name: five"))
    await opened(editor, "five")
    found = page.locator(".st-key-graph-findings")
    await expect(found).to_contain_text("errors", timeout=PATIENCE)
    await page.get_by_role("button", name="Mend all 4").click()
    await expect(found).to_contain_text("Mended", timeout=PATIENCE)
    await found.get_by_role("button", name="Remove 'spare'").click(timeout=PATIENCE)
    await expect(page.get_by_text(RUNS)).to_be_visible(timeout=PATIENCE)
    assert await gestures.made(page) <= 2
    mended = drafted(editor).model_copy(update={"name": "webwalker"})
    assert mended.hash == load_graph("webwalker").hash


async def test_a_graph_is_exported_to_python_and_run(
    editor: Editor, tmp_path: Path, site: str
) -> None:
    page = editor.page
    await opened(editor, "webwalker")
    await page.get_by_role("button", name="More").click()
    async with page.expect_download(timeout=PATIENCE) as begun:
        await page.get_by_role("button", name="Python", exact=True).click()
    download = await begun.value
    await download.save_as(tmp_path / "webwalker.py")
    assert await gestures.made(page) <= 2
    command = [sys.executable, str(tmp_path / "webwalker.py"), QUESTION, "--site", site]
    host = site.partition("://")[2].rstrip("/")
    variables = {"FORAGER_DATA": str(tmp_path / "data"), "FORAGER_ALLOW_PRIVATE": host}
    environment = {**variables, "PYTHONPATH": ":".join(sys.path), "PATH": "/usr/bin:/bin"}
    ran = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert "Marta Lindqvist" in ran.stdout, ran.stderr


async def begin_moved(editor: Editor, saved: Library, site: str, session: str) -> None:
    """A session that ran mango, and another graph to move it to."""
    text = (PRESETS / "mango.yaml").read_text(encoding="utf-8")
    if "keener" not in saved.list_names():
        saved.save("keener", text.replace("name: mango", "name: keener"))
    asked = {"question": QUESTION, "sites": [site], "session": session, "graph": "mango"}
    assert editor.server.ask("/api/sessions", asked)[0] == 201


async def test_a_session_is_moved_to_another_graph(
    editor: Editor, saved: Library, site: str
) -> None:
    page = editor.page
    await begin_moved(editor, saved, site, "moved")
    await page.goto(f"{editor.server.url}sessions?session=moved")
    await expect(page.get_by_text("Answered").first).to_be_visible(timeout=2 * PATIENCE)
    await gestures.begin(page)
    await page.get_by_role("tab", name="History").click()
    chosen = page.locator('.ck .pick[aria-pressed="true"]')
    await expect(chosen).to_have_count(1, timeout=PATIENCE)
    await expect(page.get_by_role("button", name="Fork and run")).to_be_visible(timeout=PATIENCE)
    await editor.still()
    await page.get_by_role("combobox", name="Method").click(timeout=PATIENCE)
    await page.get_by_role("option", name="keener", exact=True).click()
    await editor.still()
    await page.get_by_role("button", name="Fork and run").click(timeout=PATIENCE)
    fork = page.get_by_role("link", name="Fork of step")
    await expect(fork).to_be_visible(timeout=PATIENCE)
    await expect(page.get_by_text("keener").first).to_be_visible(timeout=PATIENCE)
    assert await gestures.made(page) <= 4
    origin = editor.server.ask("/api/sessions/moved")[1]
    assert origin["graph"] == "mango"


async def test_a_session_continues_in_the_graph_that_is_drawn(
    editor: Editor, saved: Library, site: str
) -> None:
    page = editor.page
    await begin_moved(editor, saved, site, "followed")
    await page.goto(f"{editor.server.url}sessions?session=followed")
    await expect(page.get_by_text("Answered").first).to_be_visible(timeout=2 * PATIENCE)
    await opened(editor, "keener")
    await page.get_by_role("button", name="More").click()
    await page.get_by_role("button", name="Continue a session here…").click()
    dialog = page.get_by_role("dialog", name="Continue a session here")
    await expect(dialog).to_be_visible(timeout=PATIENCE)
    await expect(page.get_by_role("button", name="Make a copy")).to_have_count(0)
    await editor.still()
    await dialog.get_by_role("button", name="Fork and run").click(timeout=PATIENCE)
    panel = page.locator(".st-key-draft-run")
    await expect(panel.get_by_text("Answered").first).to_be_visible(timeout=2 * PATIENCE)
    assert await gestures.made(page) <= 3
