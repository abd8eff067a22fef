"""Every preset stands on the canvas, whole, and nothing of it covers anything else."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import BrowserContext, Page, expect

from graphs.spec.registry import REGISTRY
from graphs.spec.spec import load_graph, preset_names
from tests.browsers import needs_browser, only_tab
from ui.server.assets import asset_address
from ui.web.components.canvas_edit import describe_graph

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="session")]
BOXES = """nodes => nodes.map(node => {
    const {left, top, right, bottom} = node.getBoundingClientRect();
    return [left, top, right, bottom];
})"""

MOUNT_TWICE = """async ([address, data]) => {
    const { mount } = await import(address);
    const parentElement = document.body.appendChild(document.createElement("div"));
    const component = { data, parentElement, setStateValue() {}, setTriggerValue() {} };
    const leave = [mount(component), mount(component)];
    const nodes = () => parentElement.querySelectorAll(".react-flow__node").length;
    while (!nodes()) await new Promise(requestAnimationFrame);
    const counts = [nodes()];
    leave[0]();
    counts.push(nodes());
    parentElement.remove();
    leave[1]();
    return [...counts, nodes()];
}"""


@pytest_asyncio.fixture(loop_scope="session")
async def page(tabs: BrowserContext) -> AsyncIterator[Page]:
    async with only_tab(tabs, console=True) as page:
        yield page


@pytest.mark.parametrize("name", preset_names())
async def test_a_preset_is_shown_whole(page: Page, address: str, name: str) -> None:
    spec = load_graph(name)
    await page.goto(f"{address}?graph={name}")
    await expect(page.locator(".react-flow__edge")).to_have_count(len(spec.edges), timeout=30_000)
    for node in spec.nodes:
        await expect(page.locator(f'.react-flow__node[data-id="{node}"]')).to_be_visible()
    boxes: list[Any] = await page.locator(".react-flow__node").evaluate_all(BOXES)
    assert len(boxes) == len(spec.nodes) + 2
    assert [one for one in boxes for other in boxes if one is not other and cover(one, other)] == []


async def test_a_call_that_is_overtaken_takes_nothing_away(page: Page, address: str) -> None:
    spec = load_graph("mango")
    data = {
        **describe_graph(spec, 0, REGISTRY, ()),
        "readonly": True,
        "diff": None,
        "selected": [],
        "watch": None,
        "height": 400,
    }
    await page.goto(address)
    counts = await page.evaluate(MOUNT_TWICE, [asset_address("canvas.js"), data])
    assert counts == [len(spec.nodes) + 2, len(spec.nodes) + 2, 0]


def cover(one: list[float], other: list[float]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
