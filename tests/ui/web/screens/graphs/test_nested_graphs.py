"""A node that a paused session waits on is deleted; the session goes on, and is moved."""

import asyncio
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.async_api import Locator, Page, expect

from graphs.spec.library import Library
from graphs.spec.spec import PRESETS
from tests.browsers import needs_browser
from tests.coast import ENGINEER, Coast
from tests.ui.server.process import Served
from tests.ui.web.components.canvas.canvas_driver import PATIENCE
from tests.ui.web.screens.graphs.editor import Editor

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="session")]


@pytest.fixture
def coast() -> Iterator[Coast]:
    with Coast() as site:
        yield site
        site.let_go.set()


async def test_the_session_goes_on_with_its_own_graph_and_is_moved_to_the_new_one(
    editor: Editor, server: Served, saved: Library, coast: Coast
) -> None:
    saved.save("round", with_memory())
    step = await pause_at_recall(server, coast)
    await delete_recall(editor)
    assert "recall" not in saved.get("round", 2).spec.nodes
    page = editor.page
    await page.goto(f"{server.url}sessions?session=held")
    await page.get_by_role("tab", name="Method").click(timeout=PATIENCE)
    await expect(page.get_by_text("round is different today")).to_be_visible(timeout=PATIENCE)
    await expect(page.get_by_text("round v1, as it was when the session began")).to_be_visible()
    await page.get_by_role("button", name="Resume").click()
    await answered(page)
    assert history(server, "held")[step]["ran"] == ["recall"]
    new = await move(editor, step)
    after = history(server, new)[step:]
    assert after
    assert not [each for each in after if "recall" in each["ran"]]
    assert "Marta Lindqvist" in server.ask(f"/api/sessions/{new}")[1]["answer"]


def with_memory() -> str:
    """WebWalker with a look into the memory on each page."""
    text = (PRESETS / "webwalker.yaml").read_text(encoding="utf-8")
    for old, new in (
        ("name: webwalker", "name: round"),
        ("{type: actor}", "{type: actor}\n  recall:    {type: recaller}"),
        ("act.moved -> extract", "act.moved -> recall\n  - recall.next -> extract"),
    ):
        assert old in text
        text = text.replace(old, new)
    return text


async def pause_at_recall(server: Served, coast: Coast) -> int:
    """A session `held` of the graph `round`, left before that node; after how many steps."""
    asked = {"question": ENGINEER, "sites": [coast.url()], "session": "held", "graph": "round"}
    assert server.ask("/api/sessions", asked)[0] == 201
    assert await asyncio.to_thread(coast.wanted.wait, 60)
    assert server.ask("/api/sessions/held/pause", {})[0] == 202
    coast.let_go.set()
    while server.ask("/api/sessions/held")[1]["status"] != "paused":
        await asyncio.sleep(0.05)
    steps = history(server, "held")
    assert steps[-1]["next"] == ["recall"]
    return len(steps)


async def delete_recall(editor: Editor) -> None:
    """On the canvas; what led to it leads where it led."""
    await editor.show("?graph=round")
    await editor.select("recall")
    await editor.press("Delete")
    await expect(editor.node("recall")).to_have_count(0, timeout=PATIENCE)
    await editor.connect("act.moved", "extract")
    can_run = editor.page.get_by_text("None. The method can run")
    await expect(can_run).to_be_visible(timeout=PATIENCE)
    await editor.save("Without its memory")
    await expect(editor.page.get_by_text("Saved, v2")).to_be_visible(timeout=PATIENCE)


async def move(editor: Editor, step: int) -> str:
    """Fork the session from a step into its graph of today; the id of the new one."""
    page = editor.page
    await page.get_by_role("tab", name="History").click()
    await page.get_by_role("button", name="Every step").click()
    await page.get_by_role("button", name=re.compile(rf"^{step} ")).click()
    await expect(page.get_by_text(f"Fork from step {step}")).to_be_visible(timeout=PATIENCE)
    await editor.pick(listed(page, "Method"), "round")
    await expect(page.get_by_text("It has no node 'recall'")).to_be_visible(timeout=PATIENCE)
    await editor.pick(listed(page, "recall continues at"), "extract")
    await page.get_by_role("button", name="Fork and run").click()
    await expect(page.get_by_role("link", name=f"Fork of step {step}")).to_be_visible(
        timeout=PATIENCE
    )
    await answered(page)
    return page.url.partition("session=")[2]


def listed(page: Page, label: str) -> Locator:
    return page.get_by_role("combobox", name=re.compile(rf"(^|\s){label}$"))


async def answered(page: Page) -> None:
    told = page.get_by_role("status").get_by_text("Answered")
    await expect(told.first).to_be_visible(timeout=2 * PATIENCE)


def history(server: Served, id: str) -> list[dict[str, Any]]:
    """Its steps, in their order."""
    found: list[dict[str, Any]] = server.ask(f"/api/sessions/{id}/history")[1]
    return found
