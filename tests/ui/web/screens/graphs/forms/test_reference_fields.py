"""Fields of a node take their values from parameters of the graph, in a browser."""

import pytest
from playwright.async_api import expect

from graphs.spec.library import Library
from graphs.spec.spec import PRESETS
from tests.browsers import needs_browser
from tests.ui.web.components.canvas.canvas_driver import PATIENCE
from tests.ui.web.screens.graphs.editor import Editor

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="session")]
REACHING = (
    (PRESETS / "mango.yaml")
    .read_text(encoding="utf-8")
    .replace(
        "name: mango",
        "name: reaching\nparameters:\n  reach: {type: integer, default: 4}\n"
        "  way: {type: text, default: greedy}",
    )
)


async def test_a_field_is_bound_from_its_menu_shown_and_undone(
    editor: Editor, saved: Library
) -> None:
    page = editor.page
    saved.save("reaching", REACHING)
    await editor.show("?graph=reaching")
    await editor.choose("navigate")
    menu = page.get_by_role("button", name="Steps from a parameter of the method")
    await menu.click()
    await expect(page.get_by_role("menuitem")).to_have_count(2)  # way is a text
    await page.get_by_role("menuitem", name="$reach = 4").click()
    bound = editor.field("Steps")
    await expect(bound).to_have_value("$reach = 4", timeout=PATIENCE)
    await page.get_by_role("button", name="Undo").click()
    await expect(editor.shown("Steps")).to_have_value("10", timeout=PATIENCE)
    await editor.put("Steps", "$reach")
    await expect(bound).to_have_value("$reach = 4", timeout=PATIENCE)
    await page.get_by_text("YAML", exact=True).click()
    text = page.get_by_role("textbox", name="YAML")
    await expect(text).to_contain_text("steps: $reach", timeout=PATIENCE)


async def test_a_field_makes_a_parameter_of_its_value(editor: Editor, saved: Library) -> None:
    page = editor.page
    await editor.show("?graph=mango")
    await editor.choose("navigate")
    await page.get_by_role("button", name="Steps from a parameter of the method").click()
    await page.get_by_role("menuitem", name="a new parameter with this value").click()
    await expect(editor.field("Steps")).to_have_value("$steps = 10", timeout=PATIENCE)
    await expect(page.get_by_text("$steps 10")).to_be_visible()
    await editor.save("", "stepping")
    await expect(page.get_by_text("Saved, v1")).to_be_visible(timeout=PATIENCE)
    spec = saved.get("stepping").spec
    assert spec.parameters["steps"].default == 10
    assert spec.parameters["steps"].help
    assert spec.nodes["navigate"].params["steps"] == "$steps"


async def test_what_does_not_fit_is_refused_at_its_field(editor: Editor, saved: Library) -> None:
    page = editor.page
    if "reaching" not in saved.list_names():
        saved.save("reaching", REACHING)
    await editor.show("?graph=reaching")
    await editor.choose("select")
    strategy = editor.field("Strategy")
    await strategy.click()
    await strategy.fill("wild")
    await page.get_by_role("option").first.click()
    refused = page.get_by_text("Strategy cannot be 'wild'. It has to be one of ")
    await expect(refused).to_be_visible(timeout=PATIENCE)
    await expect(strategy).to_have_value("wild")
    await expect(page.get_by_text("Saved, v1")).to_be_visible()
    await editor.put("Rounds", "some")
    await expect(page.get_by_text("Rounds cannot be 'some'.")).to_be_visible(timeout=PATIENCE)
    await expect(refused).to_have_count(0)
    await strategy.click()
    await strategy.fill("$way")
    await page.get_by_role("option").first.click()
    await expect(editor.field("Strategy")).to_have_value("$way = greedy", timeout=PATIENCE)


async def test_a_name_that_no_parameter_has_makes_one_at_once(editor: Editor) -> None:
    page = editor.page
    await editor.show("?graph=mango")
    await editor.choose("navigate")
    await editor.put("Steps", "$deep")
    make = page.get_by_role("button", name="Make it a parameter of this method, default 10")
    await expect(make).to_be_visible(timeout=PATIENCE)
    await expect(editor.shown("Steps")).to_have_value("$deep")
    await make.click()
    await expect(editor.field("Steps")).to_have_value("$deep = 10", timeout=PATIENCE)
    await expect(editor.node("navigate")).to_contain_text("≤ 10 steps")
    await page.get_by_role("button", name="Undo").click()
    await expect(editor.shown("Steps")).to_have_value("10", timeout=PATIENCE)


async def test_a_refused_value_stays_in_sight_and_escape_brings_the_old_one_back(
    editor: Editor,
) -> None:
    page = editor.page
    await page.set_viewport_size({"width": 1280, "height": 800})
    await editor.show("?graph=mango")
    await editor.choose("navigate")
    steps = editor.shown("Steps")
    await editor.put("Steps", "-5")
    told = page.get_by_text("Steps cannot be '-5'.")
    await expect(told).to_be_visible(timeout=PATIENCE)
    await expect(steps).to_have_value("-5")
    reason, below = await told.bounding_box(), await editor.shown("Lowest score").bounding_box()
    assert reason
    assert below
    assert reason["y"] + reason["height"] <= below["y"]
    await steps.focus()
    await page.keyboard.press("Escape")
    await expect(steps).to_have_value("10", timeout=PATIENCE)
    await expect(told).to_have_count(0)
    await page.get_by_role("button", name="Raise Steps").click()
    await expect(steps).to_have_value("11", timeout=PATIENCE)
    await page.get_by_role("button", name="Lower Steps").click()
    await expect(steps).to_have_value("10", timeout=PATIENCE)
