"""A new graph: from a template, and from nothing in few gestures."""

from dataclasses import dataclass, field

import pytest
from playwright.async_api import Locator, Page, expect

from graphs.check.checker import find_faults
from graphs.spec.drafts import Drafts
from graphs.spec.library import Library
from graphs.spec.spec import END, START, GraphSpec, load_graph
from tests.browsers import needs_browser
from tests.ui.web.components.canvas.canvas_driver import PATIENCE, Hand
from tests.ui.web.screens.graphs.editor import Editor

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="session")]

MOST = 20
MAIN_PATH = "interpreter surveyor selector navigator actor extractor aggregator critic answerer end"
"""What is typed from the start on; the routes of the main path follow each other."""
OTHERS = "answerer answerer extractor navigator answerer navigator navigator"
"""Where the others lead, in the order in which they are asked for: `surveyor.none` first."""


@dataclass(frozen=True)
class Gestures(Hand):
    """Counts what a person does: clicks, drags and typed words, with the key that ends them."""

    made: list[str] = field(default_factory=list)

    async def click(self, thing: Locator) -> None:
        """Once."""
        self.made.append("click")
        await thing.click(timeout=PATIENCE)

    async def haul_out(self, thing: Locator, by: tuple[float, float]) -> None:
        """A drag to an empty place."""
        self.made.append("drag")
        await self.pull(thing, by)

    async def type(self, word: str) -> None:
        """A word and Tab, into the menu that waits for one."""
        self.made.append(f"word {word}")
        menu = self.page.get_by_role("combobox", name="Find a node")
        await expect(menu).to_have_value("", timeout=PATIENCE)
        await self.page.keyboard.type(word)
        await self.press("Tab")


def drafted(editor: Editor, page: Page) -> GraphSpec:
    """The draft that the address names."""
    data = editor.server.data
    drafts = Drafts(data / "drafts.sqlite", Library(data / "graphs.sqlite"))
    return drafts.get(page.url.partition("draft=")[2].partition("&")[0]).spec


async def test_webwalker_is_built_from_nothing_in_twenty_gestures(editor: Editor) -> None:
    page, hand = editor.page, Gestures(editor.page)
    await page.goto(f"{editor.server.url}graphs")
    await hand.click(page.get_by_role("button", name="New method"))
    await hand.click(page.get_by_role("button", name="Empty."))
    await editor.there()
    await hand.haul_out(hand.route("start"), (90, 60))
    for word in f"{MAIN_PATH} {OTHERS}".split():
        await hand.type(word)
    await expect(page.get_by_role("dialog")).to_have_count(0)
    assert len(hand.made) <= MOST, hand.made
    await expect(page.get_by_text("None. The method can run")).to_be_visible(timeout=PATIENCE)
    built, preset = drafted(editor, page), load_graph("webwalker")
    kinds = {name: node.type for name, node in preset.nodes.items()} | {START: START, END: END}
    assert sorted(node.type for node in built.nodes.values()) == sorted(
        node.type for node in preset.nodes.values()
    )
    assert {(edge.source, edge.route, edge.target, edge.fan) for edge in built.edges} == {
        (kinds[edge.source], edge.route, kinds[edge.target], edge.fan) for edge in preset.edges
    }
    assert not [each for each in find_faults(built) if each.severity == "error"]


async def test_a_graph_begins_with_a_pattern_that_is_shown_as_a_drawing(editor: Editor) -> None:
    page = editor.page
    await page.goto(f"{editor.server.url}graphs")
    await page.get_by_role("button", name="New method").click()
    card = page.get_by_role("button", name="Second opinion.")
    await expect(card).to_contain_text("has to agree before there is an answer")
    await expect(card.locator("svg rect")).to_have_count(12, timeout=PATIENCE)
    await card.click()
    await editor.there()
    await expect(page.get_by_role("heading", name="my-second-opinion")).to_be_visible()
    await expect(editor.node("doubt")).to_be_visible()
    assert drafted(editor, page).nodes["doubt"].prompts
    await expect(page.get_by_text("None. The method can run")).to_be_visible(timeout=PATIENCE)


async def test_a_graph_begins_as_a_copy_of_a_preset(editor: Editor) -> None:
    await editor.begin("Site map first")
    await expect(editor.page.get_by_role("heading", name="my-mango")).to_be_visible()
    await expect(editor.page.get_by_text("copy of mango")).to_be_visible()
    assert drafted(editor, editor.page).nodes == load_graph("mango").nodes


async def test_a_name_that_no_graph_can_have_is_replaced_before_it_is_saved(
    editor: Editor, saved: Library
) -> None:
    await editor.begin("Second opinion")
    await editor.save("first", "My Method")
    dialog = editor.page.get_by_role("dialog")
    await expect(dialog).to_contain_text("cannot be called “My Method”", timeout=PATIENCE)
    await expect(dialog.get_by_label("Name", exact=True)).to_have_value("my-method")
    assert "my-method" not in saved.list_names()
    await dialog.get_by_role("button", name="Save", exact=True).click()
    await expect(editor.page.get_by_text("Saved, v1")).to_be_visible(timeout=PATIENCE)
    assert saved.get("my-method").note == "first"
