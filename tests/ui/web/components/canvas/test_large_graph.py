"""A canvas with sixty nodes."""

import pytest
from playwright.async_api import BrowserContext, expect

from bench.canvas.drag import MOST_MS, DragTimes, drag_lines
from graphs.check.checker import find_faults
from tests.browsers import needs_browser
from tests.ui.web.components.canvas.canvas_driver import Hand

NODES = 60


@needs_browser
@pytest.mark.asyncio(loop_scope="session")
async def test_sixty_nodes_are_shown_and_one_is_dragged(tabs: BrowserContext, address: str) -> None:
    hand = Hand(await tabs.new_page())
    await hand.open(address, "crowd", f"&nodes={NODES}")
    await expect(hand.page.locator(".react-flow__node")).to_have_count(NODES + 2)
    await expect(hand.page.locator(".react-flow__edge")).to_have_count(2 * NODES + 1)
    before = await hand.kept(lambda spec: len(spec.nodes) == NODES)
    await hand.page.get_by_role("button", name="Fit", exact=True).click()
    await hand.drag(hand.node("critic_30"), (90, 40))
    after = await hand.kept(lambda spec: "critic_30" in spec.positions)
    assert len(after.positions) == NODES + 2
    assert after.hash == before.hash
    assert find_faults(after) == find_faults(before)
    await hand.page.close()


def test_the_bench_tells_the_median_and_the_worst() -> None:
    late, frames, after = (10.0, 20.0, 90.0), (16.0, 17.0, 50.0), (16.0, 33.0)
    told = list(drag_lines(DragTimes(NODES, late, frames, after, 0)))
    assert "20.0 ms" in told[1]
    assert "90.0 ms" in told[2]
    assert "33.0 ms" in told[5]
    assert f"{MOST_MS['drop']} ms" in told[5]
