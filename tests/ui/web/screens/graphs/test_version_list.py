"""A graph that comes from elsewhere: opened inside, saved, compared, restored, renamed, deleted."""

import pytest
from playwright.async_api import expect

from graphs.spec.library import Library
from graphs.spec.spec import PRESETS, GraphSpec
from tests.browsers import needs_browser
from tests.ui.web.components.canvas.canvas_driver import PATIENCE
from tests.ui.web.screens.ask_driver import at_rest
from tests.ui.web.screens.graphs.editor import Editor
from tests.ui.web.screens.graphs.test_editor_in_browser import QUESTION

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="session")]
TEXT = (PRESETS / "abreast.yaml").read_text(encoding="utf-8").replace("name: abreast", "name: wide")


async def test_a_graph_from_elsewhere_is_changed_inside_restored_renamed_and_deleted(
    editor: Editor, saved: Library
) -> None:
    await taken_in(editor)
    await changed_inside(editor, saved)
    await restored(editor, saved)
    await renamed(editor, saved)
    await deleted(editor, saved)


async def taken_in(editor: Editor) -> None:
    """As text, which is told where it cannot be read."""
    page = editor.page
    await page.goto(f"{editor.server.url}graphs")
    await page.get_by_role("button", name="Import").click()
    dialog = page.get_by_role("dialog")
    text = dialog.get_by_label("Or its text").and_(page.locator("textarea"))
    for typed in ("name: [", TEXT):
        await text.fill(typed)
        await text.press("Control+Enter")
        await dialog.get_by_role("button", name="Import it").click()
        if typed != TEXT:
            await expect(dialog.get_by_role("alert")).to_be_visible(timeout=PATIENCE)
    await editor.there()
    await expect(page.get_by_role("heading", name="wide")).to_be_visible()
    await editor.save("As it came", "wide")
    await expect(page.get_by_text("Saved, v1")).to_be_visible(timeout=PATIENCE)


async def changed_inside(editor: Editor, saved: Library) -> None:
    """A number of a node of the graph inside."""
    page = editor.page
    await page.get_by_role("button", name="Open walk").first.click()
    await expect(page.get_by_text("Inside walk")).to_be_visible(timeout=PATIENCE)
    await expect(editor.node("extract")).to_be_visible(timeout=PATIENCE)
    await expect(page.get_by_text("None. The method can run")).to_be_visible(timeout=PATIENCE)
    await editor.choose("navigate")
    await editor.put("Steps", "9")
    await expect(page.get_by_text("Not saved").first).to_be_visible(timeout=PATIENCE)
    await page.get_by_role("button", name="Back to the outer method").click()
    await expect(editor.node("judge")).to_be_visible(timeout=PATIENCE)
    await editor.save("Longer walks")
    await expect(page.get_by_text("Saved, v2")).to_be_visible(timeout=PATIENCE)
    walk = GraphSpec.model_validate(saved.get("wide").spec.nodes["walk"].params["spec"])
    assert walk.nodes["navigate"].params["steps"] == 9


async def restored(editor: Editor, saved: Library) -> None:
    """The first version, which is compared before, in words and on the canvas."""
    page = editor.page
    await page.get_by_role("link", name="v1").click()
    await expect(editor.node("walk")).to_contain_text("changed", timeout=PATIENCE)
    await expect(page.get_by_text("steps 5 → 9")).to_be_visible()
    await page.get_by_role("button", name="Restore version 1").click()
    await expect(page.get_by_text("Not saved").first).to_be_visible(timeout=PATIENCE)
    await page.get_by_role("button", name="Save version").click()
    dialog = page.get_by_role("dialog")
    await expect(dialog.get_by_label("Note", exact=True)).to_have_value("Version 1 restored")
    await dialog.get_by_role("button", name="Save", exact=True).click()
    await expect(page.get_by_text("Saved, v3")).to_be_visible(timeout=PATIENCE)
    assert saved.get("wide", 3).hash == saved.get("wide", 1).hash != saved.get("wide", 2).hash


async def renamed(editor: Editor, saved: Library) -> None:
    page = editor.page
    await page.get_by_role("button", name="More", exact=True).click()
    await page.get_by_role("button", name="Rename…").click()
    await page.get_by_role("dialog").get_by_label("Name", exact=True).fill("broad")
    await page.get_by_role("dialog").get_by_role("button", name="Rename", exact=True).click()
    await expect(page.get_by_role("heading", name="broad")).to_be_visible(timeout=PATIENCE)
    assert [each.name for each in saved.list()].count("broad") == 1


async def deleted(editor: Editor, saved: Library) -> None:
    page = editor.page
    await page.get_by_role("button", name="More", exact=True).click()
    await page.get_by_role("button", name="Delete…").click()
    await page.get_by_role("button", name="Delete for good").click()
    await expect(page.get_by_role("heading", name="Methods")).to_be_visible(timeout=PATIENCE)
    assert "broad" not in [each.name for each in saved.list()]


async def test_a_run_links_to_the_version_that_ran(
    editor: Editor, saved: Library, site: str
) -> None:
    page = editor.page
    text = (PRESETS / "webwalker.yaml").read_text().replace("name: webwalker", "name: paced")
    saved.save("paced", text)
    asked = {"question": QUESTION, "sites": [site], "session": "paced", "graph": "paced"}
    assert editor.server.ask("/api/sessions", asked)[0] == 201
    await page.goto(f"{editor.server.url}?session=paced")
    link = page.get_by_role("link", name="paced v1", exact=True)
    await expect(link).to_be_visible(timeout=PATIENCE)
    answered = page.get_by_role("status").get_by_text("Answered")
    await expect(answered).to_be_visible(timeout=PATIENCE)
    saved.save("paced", text.replace("steps: 15", "steps: 7"), base=1)
    await page.reload()
    changed = page.get_by_role("link", name="paced v1, the newest is v2")
    await expect(changed).to_be_visible(timeout=PATIENCE)
    await expect(answered).to_be_visible(timeout=PATIENCE)
    await at_rest(page)  # buttons beside it move as the page is drawn
    await changed.click()
    await editor.there()
    await expect(page.get_by_text("steps 15 → 7")).to_be_visible(timeout=PATIENCE)
    await expect(page.get_by_role("button", name="Restore version 1")).to_be_visible()
    await page.get_by_role("button", name="Stop comparing").click()
    await expect(page.get_by_text("steps 15 → 7")).to_have_count(0, timeout=PATIENCE)
