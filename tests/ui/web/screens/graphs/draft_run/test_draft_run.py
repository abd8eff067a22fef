"""A draft is run beside its drawing: to a breakpoint, mended by hand, and on to its answer."""

import asyncio
import re
from contextlib import closing

import pytest
from playwright.async_api import Locator, Page, expect

from forager.adapters.store.sessions.session_store import SessionStore
from graphs.spec.library import Library
from graphs.spec.spec import graph_of
from tests.browsers import needs_browser
from tests.ui.web.components.canvas.canvas_driver import PATIENCE
from tests.ui.web.screens.ask_driver import at_rest
from tests.ui.web.screens.graphs import gestures
from tests.ui.web.screens.graphs.editor import BOUNDED, Editor

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="session")]

QUESTION = "Who built the Skarn lighthouse, and when?"
MOST_GESTURES = 20


async def asked(page: Page, site: str) -> Locator:
    """The panel, with the question and its site."""
    await page.get_by_role("button", name="Run here").click()
    panel = page.locator(".st-key-draft-run")
    await panel.get_by_label("Question").fill(QUESTION)
    await panel.get_by_label("Sites").fill(site)
    return panel


async def started(page: Page, site: str) -> Locator:
    """The panel, once the draft was asked the question."""
    panel = await asked(page, site)
    await panel.get_by_role("button", name="Start", exact=True).click()
    return panel


async def test_a_run_is_halted_mended_by_hand_and_goes_on(editor: Editor, site: str) -> None:
    page = editor.page
    await gestures.listen(page)
    await editor.show("?graph=webwalker")
    await gestures.begin(page)
    await editor.node("navigate").click()
    await editor.press("b")
    await expect(editor.node("navigate").get_by_label("Pauses before this node")).to_be_visible()
    await expect(page.get_by_role("heading", name="my-webwalker")).to_be_visible(timeout=PATIENCE)
    panel = await started(page, site)
    status = panel.get_by_role("status")
    await expect(status).to_contain_text("Paused before navigate", timeout=PATIENCE)
    await expect(editor.node("navigate")).to_contain_text("next")
    await expect(editor.node("select").get_by_label("ran once")).to_be_visible()
    await panel.get_by_role("button", name="Change the state").click()
    keys = panel.get_by_role("combobox", name="Key of the state")
    await keys.click()
    await keys.fill("draw")
    await page.get_by_role("option", name="draw", exact=True).click()
    urls = panel.get_by_role("textbox", name="Urls", exact=True)
    await expect(urls).to_have_value(site, timeout=PATIENCE)
    number = panel.get_by_role("spinbutton", name="Round", exact=True)
    await number.fill("-1")
    await urls.fill(f"{site}skarn.html")
    await at_rest(page)  # a button of the run before stands beside its successor for a moment
    await panel.get_by_role("button", name="Fork with this state").click()
    fault = panel.get_by_text("It has to be at least 0.")
    await expect(fault).to_be_visible(timeout=PATIENCE)
    await expect(panel).not_to_contain_text("State changed by hand")
    await number.fill("1")
    await at_rest(page)
    await panel.get_by_role("button", name="Fork with this state").click()
    await expect(panel).to_contain_text("State changed by hand: draw", timeout=PATIENCE)
    await expect(status).to_contain_text("Paused before navigate", timeout=PATIENCE)
    await at_rest(page)
    await editor.node("navigate").click()
    await editor.press("b", "b", "b")
    await expect(editor.node("navigate").get_by_label("Pauses before this node")).to_have_count(0)
    await at_rest(page)
    await panel.get_by_role("button", name="Continue").click()
    await expect(status).to_contain_text("Answered", timeout=PATIENCE)
    await expect(panel.get_by_role("region", name="Answer")).to_contain_text("Marta Lindqvist")
    work = page.get_by_role("region", name="Node navigate")
    await expect(work.get_by_role("heading", name="Input")).to_be_visible(timeout=PATIENCE)
    await expect(work).to_contain_text("skarn.html")
    assert await gestures.made(page) <= MOST_GESTURES


async def form_of_state(editor: Editor, site: str, before: str) -> tuple[Locator, Locator]:
    """The panel of a run that pauses before a node, and the list of keys of its state."""
    await editor.show("?graph=webwalker")
    await editor.select(before)
    await editor.press("b")
    await expect(editor.node(before).get_by_label("Pauses before this node")).to_be_visible()
    panel = await started(editor.page, site)
    status = panel.get_by_role("status")
    await expect(status).to_contain_text(f"Paused before {before}", timeout=PATIENCE)
    await panel.get_by_role("button", name="Change the state").click()
    return panel, panel.get_by_role("combobox", name=re.compile("Key of the state"))


async def test_models_of_a_state_are_rows_to_add_fill_and_remove(editor: Editor, site: str) -> None:
    page = editor.page
    panel, keys = await form_of_state(editor, site, before="navigate")
    await editor.pick(keys, "lessons")
    await panel.get_by_role("button", name="Add to lessons").click()
    await expect(panel.get_by_role("button", name="Remove lessons 1")).to_be_visible()
    await panel.get_by_role("textbox", name="Id", exact=True).fill("lesson-1")
    await panel.get_by_role("textbox", name="Text", exact=True).fill("The keeper page has it.")
    await panel.get_by_role("switch", name="Retired").check(force=True)
    await at_rest(page)
    await editor.pick(panel.get_by_role("combobox", name=re.compile("Outcome")), "infeasible")
    await at_rest(page)
    await panel.get_by_role("button", name="Add to lessons").click()
    await panel.get_by_role("button", name="Remove lessons 2").click(timeout=PATIENCE)
    await expect(panel.get_by_role("button", name="Remove lessons 2")).to_have_count(0)
    await editor.pick(keys, "proposal")
    await panel.get_by_role("switch", name="proposal", exact=True).check(force=True)
    await panel.get_by_role("button", name="Action").click(timeout=PATIENCE)
    await editor.pick(panel.get_by_role("combobox", name=re.compile("Kind")), "stop")
    await at_rest(page)
    await panel.get_by_role("button", name="Fork with this state").click()
    told = "State changed by hand: lessons, proposal"
    await expect(panel).to_contain_text(told, timeout=PATIENCE)
    await panel.get_by_role("link", name="Open the run").click()
    await expect(page).to_have_url(re.compile("session="), timeout=PATIENCE)
    id = page.url.rpartition("session=")[2]
    status_code, state = await asyncio.to_thread(editor.server.ask, f"/api/sessions/{id}/state")
    assert status_code == 200
    values = {each["key"]: each["value"] for each in state}
    [lesson] = values["lessons"]
    assert (lesson["id"], lesson["text"]) == ("lesson-1", "The keeper page has it.")
    assert (lesson["outcome"], lesson["retired"]) == ("infeasible", True)
    assert values["proposal"]["action"]["kind"] == "stop"


async def test_a_dictionary_of_a_state_has_rows_of_names_and_values(
    editor: Editor, site: str
) -> None:
    page = editor.page
    panel, keys = await form_of_state(editor, site, before="answer")
    await editor.pick(keys, "survey")
    await panel.get_by_role("button", name="Add to Pages").click(timeout=PATIENCE)
    name = panel.get_by_role("textbox", name="new: name", exact=True)
    await name.fill("https://a.example/", timeout=PATIENCE)
    await name.press("Enter")
    count = panel.get_by_role("spinbutton", name="https://a.example/: value", exact=True)
    await count.fill("7", timeout=PATIENCE)
    await count.press("Enter")
    await at_rest(page)
    await panel.get_by_role("button", name=f"Remove Pages {site}").click()
    await at_rest(page)
    await panel.get_by_role("button", name="Fork with this state").click()
    told = "State changed by hand: survey"
    await expect(panel).to_contain_text(told, timeout=PATIENCE)
    await expect(panel).to_contain_text(re.compile(r"Fork after step \d+, before answer"))
    await panel.get_by_role("link", name="Open the run").click()
    await expect(page).to_have_url(re.compile("session="), timeout=PATIENCE)
    id = page.url.rpartition("session=")[2]
    _, state = await asyncio.to_thread(editor.server.ask, f"/api/sessions/{id}/state")
    values = {each["key"]: each["value"] for each in state}
    assert values["survey"]["pages"] == {"https://a.example/": 7}


async def test_each_key_of_a_state_has_its_fields(editor: Editor, site: str) -> None:
    page = editor.page
    panel, keys = await form_of_state(editor, site, before="answer")
    for key, shown in {
        "meaning": panel.get_by_label("Context"),
        "survey": panel.get_by_role("button", name="1 · Who built the Skarn lighthouse"),
        "arms": panel.get_by_role("button", name="Remove arms 1"),
        "recall": panel.get_by_role("switch", name="Recipe"),
        "proposal": panel.get_by_role("button", name="Action"),
        "frontier": panel.get_by_role("button", name="Add to frontier"),
        "steps": panel.get_by_role("button", name="Remove steps 1"),
        "reading": panel.get_by_role("button", name="Remove Passages 1"),
        "feedback": panel.get_by_label("Gain"),
        "verdict": panel.get_by_role("switch", name="Sufficient"),
        "answer": panel.get_by_role("switch", name="answer", exact=True),
        "evidence": panel.get_by_role("button", name="Remove evidence 1"),
    }.items():
        await editor.pick(keys, key)
        await expect(shown).to_be_visible(timeout=PATIENCE)
        await at_rest(page)
    await expect(page.get_by_test_id("stException")).to_have_count(0)
    await panel.get_by_role("button", name="Remove evidence 1").click()
    await at_rest(page)
    await panel.get_by_role("button", name="Fork with this state").click()
    await expect(panel).to_contain_text("State changed by hand: evidence", timeout=PATIENCE)


async def test_a_node_is_run_alone_and_the_run_again_from_there(editor: Editor, site: str) -> None:
    page = editor.page
    await editor.show("?graph=webwalker")
    panel = await started(page, site)
    status = panel.get_by_role("status")
    await expect(status).to_contain_text("Answered", timeout=PATIENCE)
    await editor.choose("judge")
    await editor.put("Lowest score", "50")
    await expect(page.get_by_role("heading", name="my-webwalker")).to_be_visible(timeout=PATIENCE)
    work = page.get_by_role("region", name="Node judge")
    await work.get_by_role("button", name="Run this node alone").click()
    alone = work.get_by_role("region", name="Alone, as drawn now")
    await expect(alone).to_contain_text("→ insufficient", timeout=PATIENCE)
    await expect(work.get_by_role("region", name="As recorded")).to_contain_text("→ sufficient")
    await work.get_by_role("button", name="Run again from here").click()
    await expect(panel).to_contain_text("Fork after step", timeout=PATIENCE)
    await expect(status).not_to_contain_text("Running", timeout=PATIENCE)
    await at_rest(page)
    await panel.get_by_role("link", name="Open the run").click()
    back = page.get_by_role("link", name=re.compile("my-webwalker.*, a draft that was never saved"))
    await back.click(timeout=PATIENCE)
    await editor.there()
    await expect(page.get_by_role("heading", name="my-webwalker")).to_be_visible(timeout=PATIENCE)


async def test_the_drawing_follows_what_is_chosen_and_where_the_run_halts(
    editor: Editor, site: str
) -> None:
    page = editor.page
    await page.set_viewport_size({"width": 1280, "height": 800})
    await editor.show("?graph=webwalker")
    for _ in range(4):
        await page.get_by_role("button", name="Zoom in").click()
    await expect(editor.node("judge")).not_to_be_in_viewport(timeout=PATIENCE)
    await editor.choose("judge")
    await expect(editor.node("judge")).to_be_in_viewport(ratio=0.99, timeout=PATIENCE)
    delete = page.locator(".node-bar").get_by_role("button", name="Delete")
    await expect(delete).to_be_in_viewport(ratio=0.99)
    await editor.node("judge").click()
    await editor.press("b")
    await expect(page.get_by_role("heading", name="my-webwalker")).to_be_visible(timeout=PATIENCE)
    await editor.choose("interpret")
    await expect(editor.node("judge")).not_to_be_in_viewport(timeout=PATIENCE)
    panel = await started(page, site)
    await expect(panel.get_by_role("status")).to_contain_text(
        "Paused before judge", timeout=PATIENCE
    )
    await expect(editor.node("judge")).to_be_in_viewport(ratio=0.99, timeout=PATIENCE)
    await page.set_viewport_size({"width": 1280, "height": 900})


async def test_a_run_that_waits_is_there_after_a_reload_and_goes_on_in_steps(
    editor: Editor, site: str
) -> None:
    page = editor.page
    await page.set_viewport_size({"width": 1280, "height": 800})
    await editor.show("?graph=webwalker")
    panel = await asked(page, site)
    await panel.get_by_role("button", name="Start with one step").click()
    await expect(editor.node("interpret")).to_contain_text("next", timeout=PATIENCE)
    await page.reload()
    await expect(editor.node("interpret")).to_contain_text("next", timeout=PATIENCE)
    for node in ("survey", "select", "navigate"):
        await at_rest(page)
        await panel.get_by_role("button", name="Step").click()
        await expect(editor.node(node)).to_contain_text("next", timeout=PATIENCE)
    await editor.select("select")
    work = page.get_by_role("region", name="Node select")
    for part in ("Input", "Prompt and reply", "Output"):
        shown = work.get_by_role("region", name=part)
        await expect(shown).to_be_in_viewport(ratio=0.9, timeout=PATIENCE)
    await page.set_viewport_size({"width": 1280, "height": 900})


async def test_the_parameters_of_a_draft_are_set_where_it_is_run(
    editor: Editor, site: str, saved: Library
) -> None:
    page = editor.page
    saved.save("bounded", BOUNDED)
    await editor.show("?graph=bounded")
    panel = await asked(page, site)
    most = panel.get_by_role("spinbutton", name="Most", exact=True)
    await expect(most).to_have_value("15", timeout=PATIENCE)
    await most.fill("1")
    await panel.get_by_role("button", name="Start", exact=True).click()
    done = panel.get_by_role("status").get_by_text(re.compile("Answered|Not found|Partly"))
    await expect(done).to_be_visible(timeout=PATIENCE)
    await page.get_by_role("link", name="Open the run").click()
    await expect(page).to_have_url(re.compile("session="), timeout=PATIENCE)
    session = page.url.partition("session=")[2]
    with closing(SessionStore(editor.server.data / "sessions.sqlite")) as store:
        assert graph_of(store.get(session)).parameters["most"].default == 1
