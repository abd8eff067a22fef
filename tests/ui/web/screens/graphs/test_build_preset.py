"""A preset built anew from an empty canvas; and a graph changed by the keyboard in its tables."""

import pytest
from playwright.async_api import Page, expect

from graphs.spec.library import Library
from graphs.spec.spec import load_graph
from tests.browsers import needs_browser
from tests.ui.web.components.canvas.canvas_driver import PATIENCE
from tests.ui.web.screens.ask_driver import at_rest
from tests.ui.web.screens.graphs.editor import Editor
from tests.ui.web.screens.graphs.test_editor_in_browser import QUESTION

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="session")]

PARAMS = {
    "surveyor": {"Pages": "0"},
    "selector": {"Rounds": "1"},
    "navigator": {"Steps": "15"},
    "critic": {"Lowest score": "1.2"},
}
BY_KEYBOARD = ("", "none", "nothing", "exhausted", "failed", "insufficient")


async def test_a_preset_built_from_an_empty_canvas_answers_as_the_shipped_one(
    editor: Editor, saved: Library, site: str
) -> None:
    page, spec = editor.page, load_graph("webwalker")
    kinds = {name: node.type for name, node in spec.nodes.items()}
    await editor.begin()
    await editor.carry_in("interpreter", (300, 150))
    for kind in [*kinds.values()][1:]:
        await editor.add(kind)
    await page.get_by_role("button", name="Lay out").click()
    await editor.press("Escape")  # the bar of a selection would cover a node
    for edge in spec.edges:
        source = f"{kinds[edge.source]}.{edge.route}" if edge.route else "start"
        by = editor.connect if edge.route in BY_KEYBOARD else editor.draw
        await by(source, kinds.get(edge.target, edge.target))
    for kind, values in PARAMS.items():
        await editor.choose(kind)
        for param, value in values.items():
            await editor.put(param, value)
    await editor.choose("selector")
    await editor.pick(editor.field("Strategy"), "root")
    await expect(page.get_by_text("None. The method can run")).to_be_visible(timeout=PATIENCE)
    await editor.save("As the preset", "walker")
    await expect(page.get_by_text("Saved, v1")).to_be_visible(timeout=PATIENCE)
    kept = saved.get("walker").spec
    assert {kinds[name]: node.params for name, node in spec.nodes.items()} == {
        name: node.params for name, node in kept.nodes.items()
    } | {"navigator": spec.nodes["navigate"].params}
    own = await editor.ask(QUESTION, site)
    await editor.show("?graph=webwalker")
    assert own == await editor.ask(QUESTION, site)


async def test_a_node_is_added_and_connected_in_the_tables_by_keyboard_alone(
    editor: Editor,
) -> None:
    page = editor.page
    await editor.show("?graph=mango")
    await page.get_by_role("radio", name="Canvas").focus()
    await editor.press("ArrowRight", "Space")
    await write_row(page, 0, "judge", "critic")
    await expect(page.get_by_role("heading", name="my-mango")).to_be_visible(timeout=PATIENCE)
    await expect(page.get_by_text("'judge' is never reached")).to_be_visible(timeout=PATIENCE)
    await write_row(page, 1, "judge", "insufficient", "answer")
    told = page.get_by_text("The route judge.insufficient has no edge")
    await expect(told).to_have_count(0, timeout=PATIENCE)
    await expect(page.get_by_text("The route judge.sufficient has no edge")).to_be_visible()


async def write_row(page: Page, table: int, *cells: str) -> None:
    """A new row at the end of a table; Streamlit's editor loses what comes faster than its runs."""
    grid = page.get_by_test_id("stDataFrame").nth(table).locator("canvas").first
    await expect(grid).to_be_visible(timeout=PATIENCE)
    await at_rest(page)
    await grid.focus()
    for key in ("Control+ArrowDown", "Control+ArrowLeft", "ArrowDown"):
        await page.keyboard.press(key)
    field = page.locator("#portal").locator("input, textarea").last
    for cell in cells:
        await page.keyboard.press("Enter")
        await expect(field).to_be_visible(timeout=PATIENCE)
        await at_rest(page)
        await page.keyboard.type(cell, delay=60)
        await expect(field).to_have_value(cell)
        await page.keyboard.press("Tab")
        await expect(field).to_have_count(0)
        await at_rest(page)
