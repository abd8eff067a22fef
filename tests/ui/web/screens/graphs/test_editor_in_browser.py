"""Graphs changed by a person, saved, and run on a site."""

import re

import pytest
from playwright.async_api import BrowserContext, expect

from graphs.spec.library import Library
from tests.browsers import needs_browser
from tests.ui.server.process import Served
from tests.ui.web.components.canvas.canvas_driver import PATIENCE
from tests.ui.web.screens.graphs.editor import Editor

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="session")]

COMMENTED = re.compile(r"^# Mango \(arXiv 2604.18779\)")
UNREADABLE = "no graph"
QUESTION = "Who built the Skarn lighthouse, and when?"


async def test_a_critic_is_put_in_the_finding_mended_and_the_graph_run(
    editor: Editor, saved: Library, site: str
) -> None:
    page = editor.page
    await page.goto(f"{editor.server.url}graphs")
    await page.get_by_role("link", name="Site map first").click()
    await editor.there()
    await editor.add("critic")
    await expect(page.get_by_text("Not saved").first).to_be_visible(timeout=PATIENCE)
    await editor.edge("aggregate.next -> navigate").click()
    await page.get_by_label("Target").select_option("critic")
    await editor.connect("critic.sufficient", "reflect")
    await page.set_viewport_size({"width": 1280, "height": 800})
    told = page.get_by_text("The route critic.insufficient has no edge.").last
    await expect(told).to_be_in_viewport(timeout=PATIENCE)
    await expect(told).to_be_visible(timeout=PATIENCE)
    await expect(page.get_by_role("button", name="Run", exact=True)).to_be_disabled()
    await (
        page.locator(".st-key-graph-findings")
        .get_by_role("button", name="Connect critic.insufficient")
        .first.click()
    )
    await expect(page.get_by_text("None. The method can run")).to_be_visible(timeout=PATIENCE)
    await editor.save("A critic after the ledger", "my-mango")
    await expect(page.get_by_text("Saved, v1")).to_be_visible(timeout=PATIENCE)
    kept = saved.get("my-mango")
    assert (kept.note, kept.spec.nodes["critic"].type) == ("A critic after the ledger", "critic")
    assert kept.text.startswith("# Mango (arXiv 2604.18779)")
    assert "Marta Lindqvist" in await editor.ask(QUESTION, site)


async def test_a_critic_straight_after_the_extractor_is_mended_by_what_is_offered(
    editor: Editor, saved: Library, site: str
) -> None:
    page = editor.page
    await editor.show("?graph=mango")
    await editor.add("critic")
    await editor.edge("extract.found -> aggregate").click()
    await page.get_by_label("Target").select_option("critic")
    found = page.locator(".st-key-graph-findings")
    await expect(found).to_contain_text("'aggregate' is never reached", timeout=PATIENCE)
    for mend in ("critic.sufficient to answer", "critic.insufficient to aggregate"):
        offered = found.get_by_role("button", name=f"Connect {mend}")
        await offered.click()
        await expect(offered).to_have_count(0, timeout=PATIENCE)
    await expect(page.get_by_text("None. The method can run")).to_be_visible(timeout=PATIENCE)
    await editor.save("A critic after the extractor", "content")
    await expect(page.get_by_text("Saved, v1")).to_be_visible(timeout=PATIENCE)
    assert "extract.found -> critic" in map(str, saved.get("content").spec.edges)
    assert "Marta Lindqvist" in await editor.ask(QUESTION, site)


async def test_a_mend_is_undone_by_keyboard_and_the_drawing_stays_in_order(editor: Editor) -> None:
    page = editor.page
    await editor.show("?graph=webwalker")
    await editor.select("select")
    await editor.press("Delete")
    mend = page.locator(".st-key-graph-findings").get_by_role(
        "button", name="Connect survey.found to navigate"
    )
    await mend.click(timeout=PATIENCE)
    await expect(mend).to_have_count(0, timeout=PATIENCE)
    await expect(editor.edge("survey.found -> navigate")).to_be_visible()
    await editor.press("Control+z")
    await expect(mend).to_be_visible(timeout=PATIENCE)
    await editor.press("Control+z")
    await expect(editor.node("select")).to_be_visible(timeout=PATIENCE)
    await page.get_by_text("YAML", exact=True).click()
    text = page.get_by_label("YAML", exact=True)
    await expect(text).to_contain_text("survey.found -> select", timeout=PATIENCE)
    await expect(text).not_to_contain_text("positions")


async def test_the_second_of_two_tabs_is_told_of_the_first(
    editor: Editor, tabs: BrowserContext, server: Served, saved: Library
) -> None:
    saved.copy("mango", "shared")
    other = Editor(await tabs.new_page(), server)
    for tab, steps in ((editor, "12"), (other, "13")):
        await tab.show("?graph=shared")
        await tab.choose("navigate")
        await tab.put("Steps", steps)
        await expect(tab.page.get_by_text("Not saved").first).to_be_visible(timeout=PATIENCE)
    await editor.save("Mine")
    await expect(editor.page.get_by_text("Saved, v2")).to_be_visible(timeout=PATIENCE)
    told = other.page.get_by_text("Version 2 of shared was saved in another tab (“Mine”).")
    await expect(told).to_be_visible(timeout=PATIENCE)
    await other.page.get_by_role("button", name="Save version").click()
    card = other.page.locator(".st-key-graph-stale")
    told = card.get_by_text("Another version was saved in the meantime")
    await expect(told).to_be_visible(timeout=PATIENCE)
    await expect(card.get_by_text("Version 2 of shared (“Mine”).")).to_be_visible()
    await expect(card.get_by_text("steps 10 → 12")).to_be_visible(timeout=PATIENCE)
    await expect(card.get_by_text("steps 10 → 13")).to_be_visible()
    await card.get_by_role("button", name="Save mine on top").click()
    await expect(other.page.get_by_text("Saved, v3")).to_be_visible(timeout=PATIENCE)
    kept = [each.spec.nodes["navigate"].params["steps"] for each in saved.list_versions("shared")]
    assert kept == [13, 12, 10]
    await other.page.close()


async def test_two_changes_of_one_graph_are_merged_and_a_conflict_is_chosen(
    editor: Editor, saved: Library
) -> None:
    page = editor.page
    first = saved.copy("mango", "joined")
    await editor.show("?graph=joined")
    await editor.choose("navigate")
    await editor.put("Steps", "12")
    await expect(page.get_by_text("Not saved").first).to_be_visible(timeout=PATIENCE)
    theirs = first.text.replace("rounds: 10", "rounds: 4")
    second = saved.save("joined", theirs, "Fewer rounds", first.number, "Ann")
    await page.get_by_role("button", name="Compare with mine").click(timeout=PATIENCE)
    card = page.locator(".st-key-graph-stale")
    await expect(card.get_by_text("Both changed different things")).to_be_visible(timeout=PATIENCE)
    await card.get_by_role("button", name="Merge both").click()
    await expect(card).to_have_count(0, timeout=PATIENCE)
    await expect(editor.node("select")).to_contain_text("4 rounds", timeout=PATIENCE)
    await expect(editor.node("navigate")).to_contain_text("12 steps")
    await page.get_by_role("button", name="Undo").click()  # which would lose theirs in silence
    await expect(card.get_by_text("Both changed different things")).to_be_visible(timeout=PATIENCE)
    await editor.still()
    await expect(editor.node("select")).to_contain_text("10 rounds", timeout=PATIENCE)
    await card.get_by_role("button", name="Merge both").click()
    await expect(card).to_have_count(0, timeout=PATIENCE)
    await expect(editor.node("select")).to_contain_text("4 rounds", timeout=PATIENCE)
    third = saved.save("joined", second.text.replace("steps: 10", "steps: 7"), "", second.number)
    await page.get_by_role("button", name="Compare with mine").click(timeout=PATIENCE)
    merge = card.get_by_role("button", name="Merge both")
    await expect(merge).to_be_disabled(timeout=PATIENCE)
    await expect(card.get_by_text("navigate.steps")).to_be_visible()
    await card.get_by_text("Theirs: 7").click()
    await expect(merge).to_be_enabled(timeout=PATIENCE)
    await merge.click()
    await expect(editor.node("navigate")).to_contain_text("7 steps", timeout=PATIENCE)
    await expect(page.get_by_text(f"Saved, v{third.number}")).to_be_visible(timeout=PATIENCE)


async def test_a_saved_graph_tells_of_its_drafts_to_open_or_drop(
    editor: Editor, saved: Library
) -> None:
    page = editor.page
    saved.copy("mango", "drafted")
    await editor.show("?graph=drafted")
    await editor.choose("navigate")
    await editor.put("Steps", "12")
    await expect(page.get_by_text("Not saved").first).to_be_visible(timeout=PATIENCE)
    await editor.show("?graph=drafted")
    told = page.get_by_text("A draft from version 1, changed just now: navigate: steps 10 → 12")
    await expect(told).to_be_in_viewport(timeout=PATIENCE)
    await page.get_by_role("button", name="Open the draft").click()
    await expect(editor.node("navigate")).to_contain_text("12 steps", timeout=PATIENCE)
    await expect(told).to_have_count(0)
    await editor.show("?graph=drafted")
    await page.get_by_role("button", name="Drop it").click()
    await expect(told).to_have_count(0, timeout=PATIENCE)
    await page.get_by_role("button", name="Undo", exact=True).last.click()
    await expect(told).to_be_visible(timeout=PATIENCE)


async def test_one_draft_in_two_tabs_is_changed_by_one_after_the_other(
    editor: Editor, tabs: BrowserContext, server: Served
) -> None:
    await editor.show("?graph=mango")
    await editor.choose("navigate")
    await editor.put("Steps", "12")
    await expect(editor.page).to_have_url(re.compile("draft="), timeout=PATIENCE)
    other = Editor(await tabs.new_page(), server)
    await other.page.goto(editor.page.url)
    await other.there()
    await other.choose("navigate")
    await other.put("Steps", "13")
    await expect(other.node("navigate")).to_contain_text("13 steps", timeout=PATIENCE)
    await editor.node("recall").focus()
    await editor.press("ArrowRight")
    told = editor.page.get_by_text("Your last change was not taken")
    await expect(told).to_be_visible(timeout=PATIENCE)
    await expect(editor.node("navigate")).to_contain_text("13 steps")
    await editor.node("recall").focus()
    await editor.press("ArrowRight")
    await expect(told).to_have_count(0, timeout=PATIENCE)
    await other.page.close()


async def test_a_reload_keeps_the_draft_and_what_can_be_undone(editor: Editor) -> None:
    page = editor.page
    await editor.show("?graph=webwalker")
    await editor.choose("navigate")
    await editor.put("Steps", "7")
    await expect(page.get_by_text("Not saved").first).to_be_visible(timeout=PATIENCE)
    await page.reload()
    await editor.there()
    await expect(page.get_by_role("heading", name="my-webwalker")).to_be_visible()
    await editor.choose("navigate")
    await expect(editor.shown("Steps")).to_have_value("7", timeout=PATIENCE)
    await page.get_by_role("button", name="Undo").click()
    await expect(editor.shown("Steps")).to_have_value("15", timeout=PATIENCE)
    await page.goto(f"{editor.server.url}graphs")
    await expect(page.get_by_text("Not saved yet")).to_be_visible(timeout=PATIENCE)


async def test_the_text_keeps_its_comments_and_tells_the_line(editor: Editor) -> None:
    page = editor.page
    await editor.show("?graph=mango")
    await page.get_by_text("YAML", exact=True).click()
    text = page.get_by_role("textbox", name="YAML")
    await expect(text).to_contain_text(COMMENTED, timeout=PATIENCE)
    await text.press("Control+End")
    await text.press_sequentially("  - answer.end => nowhere")
    await text.press("Control+Enter")
    await expect(page.get_by_text("There is no node 'nowhere'.")).to_be_visible(timeout=PATIENCE)
    await expect(page.locator(".cm-lint-marker-error").first).to_be_visible()
    await expect(page.get_by_text("Line 35:").first).to_be_visible()
    await page.get_by_text("Canvas", exact=True).click()
    await editor.there()
    await editor.choose("navigate")
    await editor.put("Steps", "9")
    await page.get_by_text("YAML", exact=True).click()
    await expect(text).to_contain_text(re.compile(r"steps: 9\}"), timeout=PATIENCE)
    await expect(text).to_contain_text(COMMENTED)


async def test_a_text_that_cannot_be_read_is_kept_with_the_line(editor: Editor) -> None:
    page = editor.page
    await editor.show("?graph=mango")
    await page.get_by_text("YAML", exact=True).click()
    text = page.get_by_role("textbox", name="YAML")
    await text.press("Control+End")
    await text.press_sequentially(UNREADABLE)
    await text.press("Control+Enter")
    await expect(page.get_by_text("This cannot be read.")).to_be_visible(timeout=PATIENCE)
    await expect(page.get_by_role("alert").first).to_contain_text("line")
    await expect(page.locator(".cm-lint-marker-error").first).to_be_visible()
    await expect(page.get_by_role("button", name="Run", exact=True)).to_be_disabled()
    await page.reload()
    await page.get_by_text("YAML", exact=True).click()
    await text.press("Control+End")
    await expect(text).to_contain_text(UNREADABLE, timeout=PATIENCE)
    for _ in UNREADABLE:
        await text.press("Backspace")
    await text.press("Control+Enter")
    await expect(page.get_by_text("None. The method can run")).to_be_visible(timeout=PATIENCE)


async def test_the_text_is_completed_and_searched(editor: Editor) -> None:
    page = editor.page
    await editor.show("?graph=mango")
    await page.get_by_text("YAML", exact=True).click()
    text = page.get_by_role("textbox", name="YAML")
    await text.press("Control+End")
    await text.press_sequentially("  - extr")
    offered = page.get_by_role("listbox", name="Completions")
    await expect(offered).to_contain_text("extract.nothing", timeout=PATIENCE)
    await text.press("Escape")
    await text.press("Control+f")
    find = page.get_by_role("textbox", name="Find")
    await expect(find).to_be_focused(timeout=PATIENCE)
    await find.press_sequentially("reflect")
    await expect(page.locator(".cm-searchMatch").first).to_be_visible(timeout=PATIENCE)
    assert "draft=" not in page.url  # searching does not leave the text
    await text.press("Control+s")  # a copy is made, which has another editor
    await expect(page).to_have_url(re.compile("draft="), timeout=PATIENCE)
    await expect(page.get_by_role("alert")).to_contain_text("extr", timeout=PATIENCE)
    await expect(find).to_have_value("reflect")
    await expect(page.locator(".cm-searchMatch").first).to_be_visible(timeout=PATIENCE)


async def test_instructions_are_changed_and_shown_beside_those_shipped(
    editor: Editor, saved: Library
) -> None:
    page = editor.page
    await editor.show("?graph=mango")
    await editor.choose("navigate")
    await page.get_by_role("button", name="ChooseLink").click()
    dialog = page.get_by_role("dialog")
    text = dialog.get_by_role("textbox", name="Instructions")
    await text.press("Control+End")
    await text.press_sequentially(" Prefer lighthouses.")
    await text.press("Control+Enter")
    await expect(dialog.locator("ins")).to_contain_text("lighthouses", timeout=PATIENCE)
    await dialog.get_by_role("button", name="Use these").click()
    changed = page.get_by_role("button", name="ChooseLink changed")
    await expect(changed).to_be_visible(timeout=PATIENCE)
    await editor.save("", "keen")
    await expect(page.get_by_text("Saved, v1")).to_be_visible(timeout=PATIENCE)
    told = saved.get("keen").spec.nodes["navigate"].prompts["ChooseLink"]
    assert told.endswith("Prefer lighthouses.")


async def test_a_branch_and_a_parameter_are_set_and_asked_for(
    editor: Editor, saved: Library
) -> None:
    page = editor.page
    await editor.show("?graph=mango")
    await editor.add("branch")
    await editor.edge("reflect.continue -> select").click()
    await page.get_by_label("Target").select_option("branch")
    await editor.connect("branch.done", "answer")
    await editor.connect("branch.else", "select")
    await editor.choose("branch")
    cases = editor.shown("Cases")
    await expect(cases).to_have_value("open == 0 -> done", timeout=PATIENCE)
    await cases.fill("opn == 0 -> done")
    await cases.press("Control+Enter")
    found = page.locator(".st-key-graph-findings")
    await expect(found).to_contain_text("There is no figure 'opn'.", timeout=PATIENCE)
    await found.get_by_role("button", name="Write 'open' for 'opn'").click()
    await expect(page.get_by_text("None. The method can run")).to_be_visible(timeout=PATIENCE)
    side = page.locator(".st-key-graph-side")
    await side.get_by_role("button", name="Add a parameter").click()
    adding = page.get_by_test_id("stPopoverBody")
    await adding.get_by_label("Name", exact=True).fill("last")
    await adding.get_by_role("button", name="Add", exact=True).click()
    await expect(found).to_contain_text("No node refers to the parameter 'last'.", timeout=PATIENCE)
    await page.keyboard.press("Escape")
    await editor.shown("Cases").fill("open == 0 or rounds >= $last -> done")
    await editor.shown("Cases").press("Control+Enter")
    await expect(page.get_by_text("None. The method can run")).to_be_visible(timeout=PATIENCE)
    await editor.save("Rounds to be set", "rounds")
    await expect(page.get_by_text("Saved, v1")).to_be_visible(timeout=PATIENCE)
    spec = saved.get("rounds").spec
    assert spec.parameters["last"].type == "integer"
    assert spec.nodes["branch"].params["cases"] == ["open == 0 or rounds >= $last -> done"]
    await page.get_by_role("link", name="Run", exact=True).click()
    last = page.locator(".st-key-graph-values").get_by_label("Last", exact=True)
    await expect(last).to_have_value("1", timeout=PATIENCE)


async def test_the_cursor_stays_in_its_line_when_the_text_of_a_preset_becomes_a_copy(
    editor: Editor,
) -> None:
    page = editor.page
    await editor.show("?graph=mango")
    await page.get_by_text("YAML", exact=True).click()
    await page.get_by_role("textbox", name="YAML").click(timeout=PATIENCE)
    await editor.press("Control+End", "Enter")
    await page.keyboard.type("- no edge")
    line = page.locator(".cm-activeLineGutter").first
    number = await line.inner_text()
    await editor.press("Control+Enter")
    await expect(page.get_by_text("This cannot be read.")).to_be_visible(timeout=PATIENCE)
    await expect(line).to_have_text(number)
    await expect(line).to_be_in_viewport()
    assert number.strip() != "1"


async def test_one_draft_is_deleted_in_the_list_and_comes_back(
    editor: Editor, saved: Library
) -> None:
    page = editor.page
    saved.copy("mango", "listed")
    await editor.show("?graph=listed")
    await editor.choose("navigate")
    await editor.put("Steps", "12")
    await expect(page.get_by_text("Not saved").first).to_be_visible(timeout=PATIENCE)
    await page.goto(f"{editor.server.url}graphs")
    remove = page.get_by_role("button", name="Delete: listed")
    await remove.click(timeout=PATIENCE)
    await expect(page.get_by_text("1 draft was deleted.")).to_be_visible(timeout=PATIENCE)
    await expect(remove).to_have_count(0)
    await page.get_by_role("button", name="Undo").click()
    await expect(remove).to_be_visible(timeout=PATIENCE)


async def test_no_page_asks_for_what_is_not_there(editor: Editor) -> None:
    page = editor.page
    missing: list[str] = []
    page.on("response", lambda reply: missing.append(reply.url) if reply.status >= 400 else None)
    for path in ("", "sessions", "graphs", "graphs?graph=mango", "memory", "bench", "settings"):
        await page.goto(f"{editor.server.url}{path}")
        await editor.still()
    assert missing == []
