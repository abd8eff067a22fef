"""A graph changed by keyboard alone, and kept in step with a server that is slow."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import BrowserContext, Page, expect

from graphs.spec.spec import load_graph
from tests.browsers import needs_browser, only_tab
from tests.ui.web.components.canvas.canvas_driver import CHOSEN, KEPT, REVISION, TOLD, Hand

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="session")]


@pytest_asyncio.fixture(loop_scope="session")
async def hand(tabs: BrowserContext) -> AsyncIterator[Hand]:
    async with only_tab(tabs, console=True) as page:
        yield Hand(page)


async def focus(page: Page) -> None:
    """As Tab from outside would bring it to the canvas."""
    await page.get_by_role("searchbox", name="Find a node").focus()


async def test_two_nodes_are_added_and_connected(hand: Hand, address: str) -> None:
    await hand.open(address, "empty")
    await focus(hand.page)
    for word in ("selector", "answerer"):
        await hand.page.keyboard.type(word)
        await hand.press("Enter")
        await expect(hand.node(word)).to_be_focused()
        await hand.press("/")
    await expect(hand.page.get_by_role("searchbox", name="Find a node")).to_be_focused()
    await hand.page.keyboard.type("selector")
    await hand.press("Enter")
    await expect(hand.node("selector")).to_be_focused()
    await hand.press("c")
    await expect(hand.page.get_by_label("Route", exact=True)).to_be_focused()
    await hand.press("ArrowDown", "Tab")
    await hand.page.keyboard.type("ans")
    await hand.press("Enter")
    spec = await hand.kept(lambda spec: len(spec.edges) == 1)
    assert set(map(str, spec.edges)) == {"selector.exhausted -> answerer"}
    assert set(spec.nodes) == {"selector", "answerer"}


async def test_the_entry_is_drawn_from_start(hand: Hand, address: str) -> None:
    await hand.open(address, "empty")
    await focus(hand.page)
    await hand.page.keyboard.type("answerer")
    await hand.press("Enter")
    await hand.kept(lambda spec: "answerer" in spec.nodes)
    await hand.route("start").focus()
    await hand.press("Enter")
    await hand.page.get_by_label("Target").select_option("answerer")
    await hand.press("Enter")
    await hand.kept(lambda spec: "start -> answerer" in map(str, spec.edges))


async def test_a_node_is_moved_duplicated_deleted_and_all_undone(hand: Hand, address: str) -> None:
    await hand.open(address)
    await hand.node("reflect").focus()
    await hand.press("Enter", "ArrowRight")
    spec = await hand.kept(lambda spec: bool(spec.positions))
    before = spec.positions["reflect"]
    await hand.press("Shift+ArrowDown")
    await hand.kept(lambda spec: spec.positions["reflect"] != before)
    await hand.press("Control+d")
    spec = await hand.kept(lambda spec: "reflect_2" in spec.nodes)
    assert spec.nodes["reflect_2"].params == spec.nodes["reflect"].params
    await hand.until(CHOSEN, lambda text: text == "reflect_2")
    await hand.press("Delete")
    await hand.kept(lambda spec: "reflect_2" not in spec.nodes)
    await hand.press("Control+z")
    await hand.kept(lambda spec: "reflect_2" in spec.nodes)
    await hand.press("Control+Shift+Z")
    await hand.kept(lambda spec: "reflect_2" not in spec.nodes)
    for _ in range(4):
        await hand.press("Control+z")
    spec = await hand.kept(lambda spec: not spec.positions)
    assert spec == load_graph("mango")
    await hand.press("Control+s")
    await hand.until(TOLD, lambda text: text == "save")


async def test_nodes_go_by_the_clipboard_from_graph_to_graph(hand: Hand, address: str) -> None:
    await hand.open(address)
    await hand.node("extract").focus()
    await hand.press("Enter")
    await hand.node("aggregate").focus()
    await hand.press("Shift+Enter", "Control+c")
    await hand.says("Copied extract, aggregate.")
    await hand.open(address, "webwalker")
    await hand.node("survey").focus()
    await hand.press("Control+v")
    spec = await hand.kept(lambda spec: "extract_2" in spec.nodes)
    assert "extract_2.found -> aggregate_2" in map(str, spec.edges)
    await expect(hand.route("extract_2.nothing")).to_be_visible()


async def test_what_is_on_the_clipboard_and_no_graph_is_left_alone(
    hand: Hand, address: str
) -> None:
    await hand.open(address)
    await hand.page.evaluate("navigator.clipboard.writeText('<b>{\"nodes\": 3}</b>')")
    await hand.node("survey").focus()
    await hand.press("Control+v")
    await hand.says("The clipboard holds no nodes.")


async def test_nodes_are_drawn_as_one_and_apart_again(hand: Hand, address: str) -> None:
    await hand.open(address)
    for name in ("extract", "aggregate"):
        await hand.node(name).focus()
        await hand.press("Shift+Enter")
    await hand.press("g")
    await expect(hand.node("fold:group")).to_be_visible()
    await expect(hand.node("extract")).to_have_count(0)
    await hand.page.get_by_role("button", name="Open group").click()
    await expect(hand.node("extract")).to_be_visible()
    await hand.page.get_by_role("button", name="Close group").click()
    await expect(hand.node("extract")).to_have_count(0)


async def test_a_node_is_renamed_and_all_that_names_it_follows(hand: Hand, address: str) -> None:
    await hand.open(address)
    await hand.node("extract").focus()
    await hand.press("F2")
    name = hand.page.get_by_label("Name of extract")
    await expect(name).to_be_focused()
    for wrong, word in (("aggregate", "already"), ("9 lives", "beginning with a letter")):
        await name.fill(wrong)
        await hand.press("Enter")
        await expect(hand.page.get_by_role("alert")).to_contain_text(word)
        await hand.says(word)
    await name.fill("quote")
    await hand.press("Enter")
    await expect(hand.node("quote")).to_be_focused()
    spec = await hand.kept(lambda spec: "quote" in spec.nodes)
    before = load_graph("mango")
    assert list(spec.nodes) == [{"extract": "quote"}.get(name, name) for name in before.nodes]
    assert "navigate.aggregate -> quote" in map(str, spec.edges)
    assert "quote.found -> aggregate" in map(str, spec.edges)
    assert set(spec.positions) == {*spec.nodes, "start", "end"}
    await hand.until(CHOSEN, lambda text: text == "quote")


async def test_a_group_is_renamed_by_a_double_click_and_its_nodes_follow(
    hand: Hand, address: str
) -> None:
    await hand.open(address)
    for name in ("extract", "aggregate"):
        await hand.node(name).focus()
        await hand.press("Shift+Enter")
    await hand.press("g")
    await hand.node("fold:group").get_by_text("group", exact=True).dblclick()
    await hand.page.get_by_label("Name of group").fill("evidence")
    await hand.press("Enter")
    spec = await hand.kept(lambda spec: "evidence" in spec.folds)
    assert spec.folds == {"evidence": ("extract", "aggregate")}
    await hand.page.get_by_role("button", name="Open evidence").click()
    await hand.node("extract").focus()
    await hand.press("F2")
    await hand.page.get_by_label("Name of extract").fill("quote")
    await hand.press("Enter")
    spec = await hand.kept(lambda spec: "quote" in spec.nodes)
    assert spec.folds == {"evidence": ("quote", "aggregate")}


async def test_a_slow_server_undoes_no_newer_edit(hand: Hand, address: str, tmp_path: Path) -> None:
    gate = tmp_path / "open"
    await hand.open(address, "mango", f"&gate={gate}")
    for name in ("extract", "aggregate", "reflect"):
        await hand.node(name).focus()
        await hand.press("Enter", "Delete")
        await expect(hand.node(name)).to_have_count(0)
    gate.touch()
    await hand.kept(lambda spec: "reflect" not in spec.nodes)
    await hand.until(REVISION, lambda text: text == "3")
    for name in ("extract", "aggregate", "reflect"):
        await expect(hand.node(name)).to_have_count(0)


async def test_edits_and_a_save_in_one_go_are_all_taken_in_order(
    hand: Hand, address: str, tmp_path: Path
) -> None:
    gate = tmp_path / "open"
    await hand.open(address, "mango", f"&gate={gate}")
    await hand.node("reflect").focus()
    await hand.press("Enter", *["ArrowRight"] * 6, "Control+s")
    gate.touch()
    await hand.until(TOLD, lambda text: text == "save")
    await hand.until(REVISION, lambda text: text == "6")
    await hand.press(*["Control+z"] * 5, "Control+Shift+Z", "Control+z", "Control+z")
    await hand.until(REVISION, lambda text: text == "14")
    assert await hand.kept(lambda spec: True) == load_graph("mango")


async def test_a_graph_that_is_only_read_changes_by_nothing(hand: Hand, address: str) -> None:
    await hand.open(address, "mango", "&readonly=1")
    await expect(hand.page.get_by_role("navigation", name="Palette")).to_have_count(0)
    await hand.node("reflect").click()
    await hand.until(CHOSEN, lambda text: text == "reflect")
    await hand.press("Delete", "ArrowRight", "Control+d", "Control+v", "l", "c")
    await hand.drag(hand.node("reflect"), (90, 60))
    await hand.edge("reflect.done -> answer").click()
    await hand.press("Delete")
    await hand.until(CHOSEN, lambda text: text == "reflect.done -> answer")
    assert await hand.until(KEPT, bool) == load_graph("mango").model_dump_json()
    assert await hand.until(REVISION, bool) == "0"


async def test_a_difference_is_shown_by_sign_word_and_colour(hand: Hand, address: str) -> None:
    await hand.open(address, "mango", "&diff=1")
    for name, word in (("recall", "changed"), ("reflect", "added"), ("critic", "removed")):
        await expect(hand.node(name)).to_contain_text(word)
