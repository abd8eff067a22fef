"""A preset built anew from an empty canvas; and a graph changed by the keyboard in its tables."""

import pytest
from playwright.async_api import expect

from graphs.library import Library
from graphs.spec import load
from tests.browsers import needs_browser
from tests.ui.canvas.hand import PATIENCE
from tests.ui.screens.graphs.editor import Editor
from tests.ui.screens.graphs.test_in_browser import QUESTION

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="module")]

PARAMS = {
    "surveyor": {"Pages": "0"},
    "selector": {"Rounds": "1"},
    "navigator": {"Steps": "15"},
    "critic": {"Least": "1.2"},
}


async def test_a_preset_built_from_an_empty_canvas_answers_as_the_shipped_one(
    editor: Editor, saved: Library, site: str
) -> None:
    page, spec = editor.page, load("webwalker")
    kinds = {name: node.type for name, node in spec.nodes.items()}
    await page.goto(f"{editor.server.url}graphs")
    await page.get_by_role("button", name="New graph").click()
    await editor.there()
    for kind in kinds.values():
        await editor.add(kind)
    await page.get_by_role("button", name="Lay out").click()
    for edge in spec.edges:
        source = f"{kinds[edge.source]}.{edge.route}" if edge.route else "start"
        await editor.connect(source, kinds.get(edge.target, edge.target))
    for kind, values in PARAMS.items():
        await editor.choose(kind)
        for param, value in values.items():
            await editor.put(param, value)
    await editor.choose("selector")
    await editor.pick(editor.field("Strategy"), "root")
    await expect(page.get_by_text("None: it can run")).to_be_visible(timeout=PATIENCE)
    await editor.save("As the preset", "walker")
    await expect(page.get_by_text("Saved, v1")).to_be_visible(timeout=PATIENCE)
    kept = saved.get("walker").spec
    assert {kinds[name]: node.params for name, node in spec.nodes.items()} == {
        name: node.params for name, node in kept.nodes.items()
    } | {"navigator": spec.nodes["navigate"].params}
    own = await editor.ask(QUESTION, site)
    await editor.show("?graph=webwalker")
    assert own == await editor.ask(QUESTION, site)


async def test_a_node_is_added_in_the_tables_by_keyboard_alone(editor: Editor) -> None:
    page = editor.page
    await editor.show("?graph=mango")
    await page.get_by_role("radio", name="Canvas").focus()
    await editor.press("ArrowRight", "Space")
    grid = page.get_by_test_id("stDataFrame").first.locator("canvas").first
    await expect(grid).to_be_visible(timeout=PATIENCE)
    await grid.focus()
    await editor.press("Control+ArrowDown", "ArrowDown", "Enter")
    await page.keyboard.type("judge")
    await editor.press("Enter")
    await expect(page.get_by_role("heading", name="my-mango")).to_be_visible(timeout=PATIENCE)
