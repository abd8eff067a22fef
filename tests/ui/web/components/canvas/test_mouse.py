"""A graph changed by mouse."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import BrowserContext, expect

from graphs.spec.spec import load_graph
from tests.browsers import needs_browser, only_tab
from tests.ui.web.components.canvas.canvas_driver import CHOSEN, TOLD, Hand

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="session")]


@pytest_asyncio.fixture(loop_scope="session")
async def hand(tabs: BrowserContext) -> AsyncIterator[Hand]:
    async with only_tab(tabs, console=True) as page:
        yield Hand(page)


async def test_a_dragged_node_stays_where_it_was_put(hand: Hand, address: str) -> None:
    await hand.open(address)
    await hand.drag(hand.node("reflect"), (120, 60))
    spec = await hand.kept(lambda spec: "reflect" in spec.positions)
    assert set(spec.positions) == {*spec.nodes, "start", "end"}
    assert spec.hash == load_graph("mango").hash


async def test_a_deleted_edge_is_drawn_anew_by_mouse(hand: Hand, address: str) -> None:
    await hand.open(address)
    await hand.edge("reflect.done -> answer").click()
    await hand.until(CHOSEN, lambda text: text == "reflect.done -> answer")
    await hand.press("Delete")
    await hand.kept(lambda spec: len(spec.edges) == len(load_graph("mango").edges) - 1)
    await hand.draw("reflect.done", "answer")
    await hand.says("reflect.done leads to answer.")
    await expect(hand.page.locator(".why")).to_have_count(0)
    spec = await hand.kept(lambda spec: len(spec.edges) == len(load_graph("mango").edges))
    assert spec.hash == load_graph("mango").hash


async def test_what_is_impossible_is_refused_and_said(hand: Hand, address: str) -> None:
    await hand.open(address)
    await hand.edge("reflect.done -> answer").click()
    await hand.press("Delete")
    await hand.kept(lambda spec: len(spec.edges) == len(load_graph("mango").edges) - 1)
    await hand.drag(hand.node("start"), (0, 260))  # near an edge the canvas would pan
    await hand.lead(hand.route("reflect.done"), hand.node("start"))
    await expect(hand.page.locator(".why")).to_have_text("Nothing leads into start.")
    await hand.says("Nothing leads into start.")
    await hand.page.mouse.up()
    await expect(hand.page.locator(".why")).to_be_visible()
    await hand.press("Escape")
    await expect(hand.page.locator(".why")).to_have_count(0)
    await expect(hand.route("reflect.done")).to_be_visible()
    spec = await hand.kept(lambda spec: len(spec.edges) == len(load_graph("mango").edges) - 1)
    assert not [edge for edge in spec.edges if edge.target == "start"]


async def test_a_wired_route_has_no_second_edge_and_end_has_none(hand: Hand, address: str) -> None:
    await hand.open(address)
    await hand.drag(hand.node("act").locator(".dot.o-failed"), (60, 30))
    words = "act.failed already leads to navigate. Lead that edge elsewhere, or delete it first."
    await expect(hand.page.locator(".why")).to_have_text(words)
    await hand.says(words)
    await hand.node("end").focus()
    await hand.press("c")
    await expect(hand.page.get_by_role("dialog")).to_contain_text("Nothing leads out of end.")
    spec = await hand.kept(lambda spec: True)
    assert spec.edges == load_graph("mango").edges


async def test_an_end_of_an_edge_is_dragged_to_another_node(hand: Hand, address: str) -> None:
    await hand.open(address)
    await hand.drag(hand.node("start"), (160, 200))  # near an edge the canvas would pan
    await hand.edge("reflect.done -> answer").click()
    await hand.join(hand.page.locator(".react-flow__edgeupdater-target"), hand.node("select"))
    await hand.kept(lambda spec: "reflect.done -> select" in map(str, spec.edges))
    await hand.until(CHOSEN, lambda text: text == "reflect.done -> select")
    await hand.join(hand.page.locator(".react-flow__edgeupdater-source"), hand.node("recall"))
    await hand.says("Every route of recall leads somewhere already.")
    await hand.edge("reflect.done -> select").click()
    await hand.join(hand.page.locator(".react-flow__edgeupdater-target"), hand.node("start"))
    await hand.says("Nothing leads into start.")
    spec = await hand.kept(lambda spec: True)
    assert len(spec.edges) == len(load_graph("mango").edges)


async def test_a_type_is_dragged_in_from_the_palette(hand: Hand, address: str) -> None:
    await hand.open(address)
    board = hand.page.locator(".react-flow__pane")
    await hand.page.get_by_role("button", name="Add critic").drag_to(
        board, target_position={"x": 880, "y": 90}
    )
    spec = await hand.kept(lambda spec: "critic" in spec.nodes)
    assert spec.nodes["critic"].type == "critic"
    await expect(hand.route("critic.insufficient")).to_be_visible()
    await hand.until(CHOSEN, lambda text: text == "critic")


async def test_several_nodes_are_framed_moved_and_deleted(hand: Hand, address: str) -> None:
    await hand.open(address)
    await hand.page.get_by_test_id("stText").nth(CHOSEN).click()
    await hand.frame("survey", "select")
    await hand.until(CHOSEN, lambda text: set(text.split()) == {"survey", "select"})
    await expect(hand.page.get_by_role("toolbar", name="Selection")).to_contain_text("2 nodes")
    near = hand.page.locator(".react-flow__edge.near")
    own = [e for e in load_graph("mango").edges if {e.source, e.target} & {"survey", "select"}]
    await expect(near).to_have_count(len(own))
    assert await hand.page.evaluate("getSelection().toString()") == ""
    await hand.press("Escape")
    await hand.until(CHOSEN, lambda text: text == "none")
    await hand.page.keyboard.down("Shift")
    for name in ("extract", "aggregate"):
        await hand.node(name).click()
    await hand.page.keyboard.up("Shift")
    await hand.until(CHOSEN, lambda text: set(text.split()) == {"extract", "aggregate"})
    await hand.page.get_by_role("button", name="Fold", exact=True).click()
    await hand.until(TOLD, lambda text: set(text.split()) == {"fold", "extract", "aggregate"})
    await (
        hand.page.get_by_role("toolbar", name="Selection")
        .get_by_role("button", name="Delete")
        .click()
    )
    spec = await hand.kept(lambda spec: "extract" not in spec.nodes)
    assert not [edge for edge in spec.edges if "aggregate" in (edge.source, edge.target)]


async def test_an_edge_is_led_elsewhere_and_made_parallel(hand: Hand, address: str) -> None:
    await hand.open(address, "abreast")
    await hand.edge("select.arm => walk").click()
    await hand.page.get_by_label("one branch for each arm").uncheck()
    await hand.kept(lambda spec: "select.arm -> walk" in map(str, spec.edges))
    await hand.page.get_by_label("Target").select_option("judge")
    await hand.kept(lambda spec: "select.arm -> judge" in map(str, spec.edges))


async def test_a_fix_is_a_button_on_its_finding(hand: Hand, address: str) -> None:
    await hand.open(address, "mango", "&mend=1")
    await hand.page.get_by_role("button", name="1 finding: It is not wanted.").click()
    await hand.page.get_by_role("button", name="Remove select").click()
    await hand.until(TOLD, lambda text: text == "fix select: Remove select")
    await expect(hand.node("select")).to_have_count(0)


async def test_a_graph_inside_is_opened(hand: Hand, address: str) -> None:
    await hand.open(address, "abreast")
    await hand.page.get_by_role("button", name="Open walk").click()
    await hand.until(TOLD, lambda text: text == "open walk")
