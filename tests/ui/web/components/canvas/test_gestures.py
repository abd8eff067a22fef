"""A graph changed by gestures: a node put on an edge, a route pulled to an empty place."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import BrowserContext, expect

from graphs.check.checker import find_faults
from graphs.spec.spec import GraphSpec, load_graph
from tests.browsers import needs_browser, only_tab
from tests.ui.web.components.canvas.canvas_driver import CHOSEN, Hand

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="session")]


@pytest_asyncio.fixture(loop_scope="session")
async def hand(tabs: BrowserContext) -> AsyncIterator[Hand]:
    async with only_tab(tabs, console=True) as page:
        yield Hand(page)


def edges(spec: GraphSpec) -> set[str]:
    return set(map(str, spec.edges))


async def test_a_judge_dropped_on_an_edge_is_put_between_by_both_routes_and_undone_in_one_step(
    hand: Hand, address: str
) -> None:
    await hand.open(address, "mango")
    back = "aggregate.next -> navigate"
    await hand.carry("Add critic", hand.edge(back))
    aimed = hand.page.locator(".react-flow__edge.aimed:not(.barred)")
    await expect(aimed).to_have_attribute("data-id", back)
    await hand.page.mouse.up()
    await hand.says(
        "critic stands between aggregate and navigate. critic.insufficient leads to navigate. "
        "critic.sufficient leads to answer."
    )
    spec = await hand.kept(lambda spec: "critic" in spec.nodes)
    before = edges(load_graph("mango"))
    assert before - edges(spec) == {back}
    assert edges(spec) - before == {
        "aggregate.next -> critic",
        "critic.insufficient -> navigate",
        "critic.sufficient -> answer",
    }
    assert find_faults(spec) == ()
    await expect(aimed).to_have_count(0)
    await hand.until(CHOSEN, lambda text: text == "critic")
    await hand.press("Control+z")
    spec = await hand.kept(lambda spec: "critic" not in spec.nodes)
    assert spec == load_graph("mango")


async def test_a_branch_dropped_on_an_edge_leads_on_unless_its_rule_holds(
    hand: Hand, address: str
) -> None:
    await hand.open(address, "webwalker")
    await hand.carry("Add branch", hand.edge("survey.found -> select"))
    await hand.page.mouse.up()
    await hand.says("branch stands between survey and select. branch.else leads to select.")
    spec = await hand.kept(lambda spec: "branch" in spec.nodes)
    added = edges(spec) - edges(load_graph("webwalker"))
    out = "branch.done -> answer"  # taken when nothing is open
    assert added == {"survey.found -> branch", "branch.else -> select", out}


async def test_an_edge_of_branches_refuses_a_node_with_a_reason(hand: Hand, address: str) -> None:
    await hand.open(address, "abreast")
    await hand.carry("Add critic", hand.edge("select.arm => walk"))
    await expect(hand.page.locator(".react-flow__edge.aimed.barred")).to_have_count(1)
    await expect(hand.page.locator(".why")).to_contain_text("only a node of type graph")
    await hand.page.mouse.up()
    spec = await hand.kept(lambda spec: "critic" in spec.nodes)
    assert edges(spec) == edges(load_graph("abreast"))


async def test_a_loose_node_is_dragged_onto_an_edge(hand: Hand, address: str) -> None:
    await hand.open(address, "webwalker")
    await hand.page.get_by_role("searchbox", name="Find a node").fill("critic")
    await hand.press("Enter")
    before = (await hand.kept(lambda spec: "critic" in spec.nodes)).positions
    await hand.lift(hand.node("critic"), hand.edge("aggregate.next -> judge"))
    await expect(hand.page.locator(".react-flow__edge.aimed")).to_have_count(1)
    await hand.page.mouse.up()
    spec = await hand.kept(lambda spec: "aggregate.next -> critic" in edges(spec))
    assert {"critic.insufficient -> judge", "critic.sufficient -> answer"} <= edges(spec)
    places = spec.positions
    assert places["aggregate"][0] < places["critic"][0] < places["judge"][0] < places["answer"][0]
    assert places["extract"] == before["extract"], "the other rows stay"
    await hand.press("Control+z")
    await hand.kept(lambda spec: "aggregate.next -> judge" in edges(spec))


async def test_a_drop_does_not_move_the_view_and_zooms_in_where_it_cannot_be_read(
    hand: Hand, address: str
) -> None:
    await hand.open(address, "webwalker")
    board = hand.page.locator(".react-flow__pane")
    view = hand.page.locator(".react-flow__viewport")
    await hand.point_at(hand.node("select"))
    before = await view.get_attribute("style")
    await hand.page.get_by_role("button", name="Add reflector").drag_to(
        board, target_position={"x": 930, "y": 490}
    )
    await hand.kept(lambda spec: "reflector" in spec.nodes)
    await expect(hand.node("reflector")).to_be_focused()
    zoom = hand.page.locator(".zoom")
    assert await zoom.inner_text() == "50 %" or await view.get_attribute("style") == before
    box = await hand.node("reflector").bounding_box()
    pane = await board.bounding_box()
    assert box
    assert pane
    assert abs(box["x"] + box["width"] / 2 - pane["x"] - 930) < 3
    for _ in range(5):
        await hand.page.get_by_role("button", name="Zoom out").click()
    await expect(zoom).not_to_have_text("50 %")
    await hand.page.get_by_role("button", name="Add critic").drag_to(
        board, target_position={"x": 60, "y": 60}
    )
    await expect(zoom).to_have_text("50 %")


async def test_a_node_dropped_on_another_lies_above_it_and_the_other_makes_room(
    hand: Hand, address: str
) -> None:
    await hand.open(address, "webwalker")
    await hand.point_at(hand.node("judge"))
    before = await hand.node("judge").bounding_box()
    target = await hand.node("aggregate").bounding_box()
    assert before
    assert target
    await hand.page.mouse.down()
    x, y = target["x"] + target["width"] / 2 + 20, target["y"] + target["height"] / 2 + 12
    await hand.page.mouse.move(x - 30, y, steps=4)
    await hand.page.mouse.move(x, y)
    assert await hand.node("judge").evaluate("node => node.matches(':hover')"), "it lies above"
    await hand.page.mouse.up()
    spec = await hand.kept(lambda spec: "judge" in spec.positions)
    places = {name: place for name, place in spec.positions.items() if name in spec.nodes}
    for one, (left, top) in places.items():
        for other, (right, low) in places.items():
            assert one == other or abs(left - right) >= 160 or abs(top - low) >= 84, (one, other)
    await hand.press("Control+z")
    await hand.kept(lambda spec: not spec.positions)  # one step


async def test_a_copy_lands_in_view_and_on_no_other_node(hand: Hand, address: str) -> None:
    await hand.open(address, "webwalker")
    await hand.node("extract").locator("b").click()
    await hand.press("Control+d")
    await hand.kept(lambda spec: "extract_2" in spec.nodes)
    await expect(hand.node("extract_2")).to_be_in_viewport(ratio=0.99)
    for name in load_graph("webwalker").nodes:
        one, other = [await hand.node(each).bounding_box() for each in ("extract_2", name)]
        assert one
        assert other
        apart = one["x"] >= other["x"] + other["width"] or other["x"] >= one["x"] + one["width"]
        level = one["y"] < other["y"] + other["height"] and other["y"] < one["y"] + one["height"]
        assert apart or not level, name


async def test_a_route_pulled_to_an_empty_place_becomes_a_node(hand: Hand, address: str) -> None:
    await hand.open(address, "empty")
    await hand.pull(hand.route("start"), (180, 120))
    menu = hand.page.get_by_role("dialog", name="Continue start")
    await expect(menu.get_by_role("combobox")).to_be_focused()
    await hand.press("Escape")
    await expect(menu).to_have_count(0)
    await hand.pull(hand.route("start"), (180, 120))
    await hand.page.keyboard.type("surv")
    await hand.press("Enter")
    spec = await hand.kept(lambda spec: "surveyor" in spec.nodes)
    assert edges(spec) == {"start -> surveyor"}
    await expect(menu).to_have_count(0)
    await hand.until(CHOSEN, lambda text: text == "surveyor")
    await hand.press("Control+z")
    await hand.kept(lambda spec: not spec.nodes and not spec.edges)


async def test_a_route_is_led_on_to_a_node_that_is_there_by_a_click(
    hand: Hand, address: str
) -> None:
    await hand.open(address)
    await hand.edge("reflect.done -> answer").click()
    await hand.press("Delete")
    await hand.kept(lambda spec: len(spec.edges) == len(load_graph("mango").edges) - 1)
    await hand.pull(hand.route("reflect.done"), (0, 150))
    menu = hand.page.get_by_role("dialog", name="Continue reflect.done")
    await hand.page.keyboard.type("answer")
    await menu.get_by_role("option", name="answer", exact=True).click()
    spec = await hand.kept(lambda spec: "reflect.done -> answer" in edges(spec))
    assert spec.hash == load_graph("mango").hash


async def test_a_graph_is_typed_node_by_node(hand: Hand, address: str) -> None:
    await hand.open(address, "empty")
    await hand.node("start").focus()
    await hand.press("a")
    for word in ("surveyor", "answerer", "end", "answerer"):
        await expect(hand.page.get_by_role("combobox", name="Find a node")).to_have_value("")
        await hand.page.keyboard.type(word)
        await hand.press("Tab")
    await expect(hand.page.get_by_role("dialog")).to_have_count(0)
    spec = await hand.kept(lambda spec: "surveyor.none -> answerer" in edges(spec))
    assert edges(spec) == {
        "start -> surveyor",
        "surveyor.found -> answerer",
        "surveyor.none -> answerer",
        "answerer.end -> end",
    }
    assert not spec.positions


async def test_a_note_is_written_moved_coloured_resized_and_deleted(
    hand: Hand, address: str
) -> None:
    await hand.open(address, "webwalker")
    page, board = hand.page, hand.page.locator(".react-flow__pane")
    preset = load_graph("webwalker")
    await page.get_by_role("button", name="Add note").drag_to(
        board, target_position={"x": 872, "y": 490}
    )
    field = page.get_by_role("textbox", name="Text of the note")
    await expect(field).to_be_focused()
    await page.keyboard.type("Ask about clicks")
    await hand.press("Control+Enter")
    spec = await hand.kept(
        lambda spec: [*spec.notes] == ["note_1"] and spec.notes["note_1"].text != ""
    )
    assert spec.notes["note_1"].text == "Ask about clicks"
    assert spec.hash == preset.hash
    bar = page.get_by_role("toolbar", name="Note")
    await bar.get_by_role("button", name="Blue").click()
    await hand.kept(lambda spec: spec.notes["note_1"].colour == "blue")
    note = hand.node("note:note_1")
    left, top, width, height = spec.notes["note_1"].place
    await hand.drag(note.locator(".react-flow__resize-control.bottom.right"), (60, 40))
    spec = await hand.kept(lambda spec: spec.notes["note_1"].place[2] > width)
    assert spec.notes["note_1"].place[:2] == (left, top)
    assert spec.notes["note_1"].place[3] > height
    await hand.drag(note, (40, -30))
    spec = await hand.kept(lambda spec: spec.notes["note_1"].place[0] > left)
    await note.dblclick()
    await expect(field).to_be_focused()
    await page.keyboard.type("Never mind")
    await hand.press("Escape")
    await expect(note).to_contain_text("Ask about clicks")
    await hand.press("Delete")
    await hand.kept(lambda spec: not spec.notes)
    await hand.press("Control+z")
    spec = await hand.kept(lambda spec: bool(spec.notes))
    assert spec.notes["note_1"].text == "Ask about clicks"


async def test_a_bound_is_changed_in_its_place(hand: Hand, address: str) -> None:
    await hand.open(address, "webwalker")
    box = hand.node("navigate")
    await box.click()
    await hand.page.get_by_role("button", name="set to 100 %").click()
    await box.get_by_role("button", name="≤ 15 steps").click()
    await expect(hand.page.get_by_label("steps of navigate")).to_be_focused()
    await hand.page.keyboard.type("7")
    await hand.press("Enter")
    spec = await hand.kept(lambda spec: spec.nodes["navigate"].params["steps"] == 7)
    assert spec.nodes["navigate"].params == {
        **load_graph("webwalker").nodes["navigate"].params,
        "steps": 7,
    }
    await expect(box).to_contain_text("≤ 7 steps")
    await box.get_by_role("button", name="≤ 7 steps").click()
    await hand.page.keyboard.type("9")
    await hand.press("Escape")
    await expect(box).to_contain_text("≤ 7 steps")


async def test_a_note_is_found_in_the_palette_and_copied_with_a_node(
    hand: Hand, address: str
) -> None:
    await hand.open(address, "webwalker")
    page = hand.page
    await page.get_by_role("searchbox", name="Find a node").fill("note")
    await hand.press("Enter")
    await expect(page.get_by_role("textbox", name="Text of the note")).to_be_focused()
    await page.keyboard.type("Ask about clicks")
    await hand.press("Control+Enter")
    await page.keyboard.down("Control")
    await hand.node("judge").click()
    await page.keyboard.up("Control")
    await hand.press("Control+d")
    spec = await hand.kept(lambda spec: len(spec.notes) == 2)
    assert spec.notes["note_2"].text == "Ask about clicks"
    assert spec.nodes["judge_2"] == spec.nodes["judge"]


async def test_a_note_without_a_text_is_gone(hand: Hand, address: str) -> None:
    await hand.open(address, "webwalker")
    await hand.page.get_by_role("button", name="Add note").click()
    field = hand.page.get_by_role("textbox", name="Text of the note")
    await expect(field).to_be_focused()
    await hand.kept(lambda spec: bool(spec.notes))
    await hand.press("Escape")
    await hand.kept(lambda spec: not spec.notes)
    await expect(hand.page.locator(".note")).to_have_count(0)


async def test_escape_keeps_the_text_of_a_note(hand: Hand, address: str) -> None:
    await hand.open(address, "webwalker")
    await hand.page.get_by_role("button", name="Add note").click()
    field = hand.page.get_by_role("textbox", name="Text of the note")
    await field.fill("Clicks only")
    await field.press("Escape")
    spec = await hand.kept(lambda spec: any(each.text for each in spec.notes.values()))
    assert [each.text for each in spec.notes.values()] == ["Clicks only"]


async def test_what_can_be_done_with_a_node_stands_beside_it(hand: Hand, address: str) -> None:
    await hand.open(address, "empty")
    await hand.page.get_by_role("button", name="Add critic").drag_to(
        hand.page.locator(".react-flow__pane"), target_position={"x": 400, "y": 260}
    )
    bar = hand.page.get_by_role("toolbar", name="Selection")
    above, node = await bar.bounding_box(), await hand.node("critic").bounding_box()
    assert above
    assert node
    assert 0 < node["y"] - above["y"] - above["height"] < 30
    assert abs(above["x"] + above["width"] / 2 - node["x"] - node["width"] / 2) < 2
    await hand.drag(hand.node("critic"), (0, -210))
    await expect(bar).to_be_in_viewport()
    below, node = await bar.bounding_box(), await hand.node("critic").bounding_box()
    assert below
    assert node
    assert below["y"] > node["y"], "it does not leave the board"
    await bar.get_by_role("button", name="Duplicate").click()
    await hand.kept(lambda spec: "critic_2" in spec.nodes)
    await bar.get_by_role("button", name="Add what follows").click()
    menu = hand.page.get_by_role("dialog", name="Continue critic_2.sufficient")
    await menu.get_by_role("option", name="New answerer").click()
    spec = await hand.kept(lambda spec: "answerer" in spec.nodes)
    assert edges(spec) == {"critic_2.sufficient -> answerer"}


async def test_what_a_deleted_node_leaves_stays_where_it_was(hand: Hand, address: str) -> None:
    await hand.open(address, "webwalker")
    names = ("start", "survey", "aggregate", "judge", "answer")
    before = [await hand.node(name).bounding_box() for name in names]
    await hand.node("extract").click()
    await hand.press("Delete")
    await hand.kept(lambda spec: "extract" not in spec.nodes)
    assert [await hand.node(name).bounding_box() for name in names] == before
    await hand.press("Control+z")
    await hand.kept(lambda spec: spec == load_graph("webwalker"))
    await expect(hand.node("extract")).to_be_visible()
    assert [await hand.node(name).bounding_box() for name in names] == before


async def test_a_note_shows_its_markdown_and_never_html(hand: Hand, address: str) -> None:
    await hand.open(address, "webwalker")
    await hand.page.get_by_role("button", name="Add note").click()
    await hand.page.get_by_role("textbox", name="Text of the note").fill(
        "**Why** <img src=x>\n- [one](https://example.org/a)\n- [two](javascript:alert(1))"
    )
    await hand.press("Control+Enter")
    note = hand.page.locator(".note")
    await expect(note.locator("strong")).to_have_text("Why")
    await expect(note.locator("li")).to_have_count(2)
    await expect(note.get_by_role("link")).to_have_count(1)
    await expect(note.locator("img")).to_have_count(0)
    await expect(note).to_contain_text("[two](javascript:alert(1))")


async def test_what_the_graph_needs_is_first_in_the_menu(hand: Hand, address: str) -> None:
    await hand.open(address, "webwalker")
    await hand.node("aggregate").click()
    await hand.press("Delete")
    await hand.kept(lambda spec: "aggregate" not in spec.nodes)
    await hand.node("extract").focus()
    await hand.press("a")
    first = hand.page.get_by_role("listbox", name="Nodes").get_by_role("option").first
    await expect(first).to_contain_text("needed")
