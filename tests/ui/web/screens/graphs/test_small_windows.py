"""The editor on a phone and in a small window."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import ViewportSize, expect

from graphs.spec.library import Library
from graphs.spec.spec import PRESETS, load_graph
from tests.browsers import needs_browser
from tests.ui.web.components.canvas.canvas_driver import PATIENCE
from tests.ui.web.screens.graphs.editor import Editor

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="session")]

PHONE = ViewportSize(width=400, height=860)
SMALL = ViewportSize(width=1280, height=800)
WIDE = ViewportSize(width=1280, height=900)
LEAST = 10
SIZES = """() => [...document.querySelectorAll('*')].flatMap((host) => [...host.shadowRoot
    ?.querySelectorAll('.board *') ?? host.querySelectorAll(':scope.board *')])
    .filter((each) => each.offsetWidth && [...each.childNodes]
        .some((child) => child.nodeType === Node.TEXT_NODE && child.textContent.trim()))
    .map((each) => [each.textContent, parseFloat(getComputedStyle(each).fontSize)
        * each.getBoundingClientRect().width / each.offsetWidth])"""
"""The texts on the board with the sizes of their letters on the screen."""
WIDER = """before => [...document.querySelectorAll('*')]
    .map(host => (host.shadowRoot ?? document).querySelector('.react-flow__node[data-id=answer]'))
    .some(node => node && node.getBoundingClientRect().width > before + 5)"""
"""Whether a node is drawn larger than before."""


@pytest_asyncio.fixture(loop_scope="session")
async def small(editor: Editor) -> AsyncIterator[Editor]:
    """The tab, of its usual size again afterwards."""
    yield editor
    await editor.page.set_viewport_size(WIDE)


async def show(editor: Editor, size: ViewportSize, graph: str) -> None:
    await editor.page.set_viewport_size(size)
    await editor.page.goto(f"{editor.server.url}graphs?graph={graph}")
    await expect(editor.node("start")).to_be_visible(timeout=PATIENCE)


async def test_on_a_phone_the_form_of_a_node_is_a_sheet_from_below(small: Editor) -> None:
    page = small.page
    await show(small, PHONE, "webwalker")
    sheet = page.locator(".st-key-graph-sheet")
    await small.node("survey").locator("b").click()
    await expect(sheet.get_by_label("Pages", exact=True)).to_be_visible(timeout=PATIENCE)
    box, node = await sheet.bounding_box(), await small.node("survey").bounding_box()
    assert box
    assert node
    assert (box["x"], box["width"]) == (0, 400)
    assert box["y"] + box["height"] == pytest.approx(860)
    assert box["height"] <= 860 / 2
    assert node["y"] + node["height"] <= box["y"], "the node stands above its form"
    await sheet.get_by_role("button", name="Close").click()
    await expect(sheet.get_by_label("Pages", exact=True)).to_have_count(0, timeout=PATIENCE)
    low = await sheet.bounding_box()
    assert low
    assert low["y"] > 860, "the form is below the drawing again"


@pytest.mark.parametrize("size", [PHONE, SMALL], ids=["phone", "small"])
async def test_what_the_drawing_says_can_be_read(small: Editor, size: ViewportSize) -> None:
    await show(small, size, "mango")
    await expect(small.page.locator(".board[aria-busy=true]")).to_have_count(0)
    await expect(small.edge("survey.found -> select")).to_be_visible(timeout=PATIENCE)
    texts = dict(await small.page.evaluate(SIZES))
    assert {"survey", "found"} <= texts.keys()
    assert not {text: height for text, height in texts.items() if height < LEAST - 0.05}


@pytest.mark.parametrize("size", [PHONE, SMALL], ids=["phone", "small"])
async def test_findings_are_in_sight_and_mended_there(small: Editor, size: ViewportSize) -> None:
    page = small.page
    await show(small, size, "mango")
    await small.edge("interpret.next -> survey").click()
    await small.press("Delete")
    count = page.get_by_role("button", name="1 error")
    await expect(count).to_be_in_viewport(timeout=PATIENCE)
    badge = await page.get_by_text("Not saved").first.bounding_box()
    bar = await count.bounding_box()
    assert badge
    assert bar
    assert badge["x"] + badge["width"] <= bar["x"] or badge["y"] + badge["height"] <= bar["y"]
    await count.click()
    found = page.get_by_test_id("stPopoverBody")
    await expect(found).to_contain_text("The route interpret.next has no edge.")
    fix = found.get_by_role("button", name="Connect interpret.next to survey")
    await expect(fix).to_be_in_viewport()
    await fix.click()
    await expect(small.route("interpret.next")).to_have_count(0, timeout=PATIENCE)
    await expect(count).to_have_count(0, timeout=PATIENCE)


LETTERS = """names => names.map(name => {
    const host = [...document.querySelectorAll('*')]
        .find(each => each.shadowRoot?.querySelector('.board'));
    const node = (host?.shadowRoot ?? document)
        .querySelector(`.react-flow__node[data-id="${name}"]`);
    const text = node.querySelector('.name');
    const range = document.createRange();
    range.selectNodeContents(text);
    const [box, words] = [node.getBoundingClientRect(), range.getBoundingClientRect()];
    return words.left >= box.left && words.right <= box.right && words.top >= box.top
        && words.bottom <= box.bottom && text.textContent === name;
})"""
"""For each node, whether its name stands whole in its box."""


@pytest.mark.parametrize("size", [PHONE, SMALL], ids=["phone", "small"])
@pytest.mark.parametrize("graph", ["webwalker", "mango", "forager", "weboperator"])
async def test_a_graph_is_read_whole(small: Editor, size: ViewportSize, graph: str) -> None:
    page = small.page
    await show(small, size, graph)
    await expect(page.locator(".board[aria-busy=true]")).to_have_count(0)
    await page.get_by_role("button", name="Fit", exact=True).click()
    names = list(load_graph(graph).nodes)
    for name in (*names, "start", "end"):
        await expect(small.node(name)).to_be_in_viewport(ratio=0.99, timeout=PATIENCE)
    assert all(await page.evaluate(LETTERS, names))
    texts = dict(await page.evaluate(SIZES))
    assert not {text: height for text, height in texts.items() if height < LEAST - 0.05}


async def test_palette_and_panel_make_room_for_a_long_graph(small: Editor) -> None:
    page = small.page
    await show(small, SMALL, "webwalker")
    field = page.get_by_role("searchbox", name="Find a node")
    narrow = await small.node("answer").bounding_box()
    assert narrow
    await page.get_by_role("button", name="Hide the palette").click()
    await page.get_by_role("button", name="Hide the panel").click()
    await expect(page.locator(".st-key-graph-side")).to_have_count(0, timeout=PATIENCE)
    await page.wait_for_function(WIDER, arg=narrow["width"], timeout=PATIENCE)
    await expect(small.node("answer")).to_be_in_viewport(ratio=0.99, timeout=PATIENCE)
    await expect(small.node("start")).to_be_in_viewport(ratio=0.99)
    await page.reload()
    await expect(small.node("start")).to_be_visible(timeout=PATIENCE)
    await expect(field).to_be_hidden()
    await small.node("start").focus()
    await page.keyboard.press("/")
    await expect(field).to_be_focused()


async def test_the_board_fills_the_window_above_what_is_said_of_findings(small: Editor) -> None:
    page = small.page
    await show(small, SMALL, "webwalker")
    await expect(page.get_by_text("None. The method can run")).to_be_in_viewport(ratio=1)
    board = await page.locator(".canvas").bounding_box()
    assert board
    assert board["y"] + board["height"] > SMALL["height"] - 80


async def test_the_panel_scrolls_by_itself_while_the_board_stays(small: Editor) -> None:
    page = small.page
    await show(small, SMALL, "webwalker")
    await small.choose("navigate")
    delete = page.locator(".st-key-graph-whole").get_by_role("button", name="Delete")
    await expect(delete).not_to_be_in_viewport(timeout=PATIENCE)
    board = small.node("survey")
    before = await board.bounding_box()
    side = await page.locator(".st-key-graph-side").bounding_box()
    assert side
    await page.mouse.move(side["x"] + 100, 500)
    await page.mouse.wheel(0, 3000)
    await expect(page.get_by_role("button", name="Add a parameter")).to_be_in_viewport(
        timeout=PATIENCE
    )
    assert await board.bounding_box() == before
    await expect(page.get_by_role("button", name="Save version")).to_be_in_viewport()


async def test_on_a_phone_what_a_node_did_stands_above_the_buttons_of_the_run(
    small: Editor, site: str
) -> None:
    page = small.page
    await show(small, PHONE, "webwalker")
    await page.get_by_role("button", name="Run here").click()
    panel = page.locator(".st-key-draft-run")
    await panel.get_by_label("Question").fill("Who built the Skarn lighthouse, and when?")
    await panel.get_by_label("Sites").fill(site)
    await panel.get_by_role("button", name="Start with one step").click()
    await expect(panel.get_by_role("status")).to_contain_text(
        "Paused before interpret", timeout=PATIENCE
    )
    await panel.get_by_role("button", name="Step").click()
    await expect(panel.get_by_role("status")).to_contain_text(
        "Paused before survey", timeout=PATIENCE
    )
    await small.still()
    await small.node("interpret").locator("b").click()
    work = page.get_by_role("region", name="Node interpret")
    for part in ("Input", "Prompt and reply", "Output"):
        shown = work.get_by_role("region", name=part)
        await expect(shown).to_be_in_viewport(ratio=0.9, timeout=PATIENCE)
    for verb in ("Continue", "Step", "Change the state", "Stop"):
        button = panel.get_by_role("button", name=verb)
        await expect(button).to_be_in_viewport(ratio=0.99)
    await panel.get_by_role("button", name="Change the state").click()
    await expect(panel.get_by_role("combobox", name="Key of the state")).to_be_in_viewport(
        ratio=0.99, timeout=PATIENCE
    )


async def test_a_lost_edge_is_drawn_and_three_findings_are_above_the_fold(
    small: Editor, saved: Library
) -> None:
    text = (PRESETS / "webwalker.yaml").read_text(encoding="utf-8")
    slips = {
        "name: webwalker": "name: slips",
        "judge.sufficient -> answer": "judge.sufficient -> answr",
        "extract.found ->": "extract.fond ->",
        "steps: 15": "steps: -2",
    }
    for right, wrong in slips.items():
        text = text.replace(right, wrong)
    saved.save("slips", text)
    await show(small, SMALL, "slips")
    lost = small.route("judge.sufficient")
    await expect(lost).to_contain_text("answr", timeout=PATIENCE)
    box = small.node("judge").locator(".box.fault")
    await expect(box).to_have_count(1)
    mends = small.page.locator('.st-key-graph-findings [class*="st-key-finding-"] button')
    for name in ("Write judge.sufficient", "Write extract.found", "Set steps to 1"):
        await expect(mends.filter(has_text=name).last).to_be_in_viewport(ratio=1)
