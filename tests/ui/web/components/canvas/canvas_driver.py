"""Acts on the canvas as a person does, and reads the result on the server."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from playwright.async_api import Locator, Page, expect

from graphs.spec.spec import GraphSpec

PATIENCE = 30_000
CHOSEN, TOLD, REVISION, KEPT = range(4)
SAID = """document.querySelectorAll('[data-testid="stText"]')"""
FRAME = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
LATER = f"([which, old]) => {SAID}[which]?.innerText !== old"


@dataclass(frozen=True)
class Hand:
    """Acts in a tab that shows the test's page."""

    page: Page

    async def open(self, address: str, graph: str = "mango", more: str = "") -> None:
        """Show a graph."""
        await self.page.goto(f"{address}?graph={graph}{more}")
        await expect(self.page.locator(".react-flow__node").first).to_be_visible(timeout=PATIENCE)
        await self.until(KEPT, lambda text: f'"name":"{graph}"' in text)

    async def until(self, which: int, fits: Callable[[str], bool]) -> str:
        """The text that the server shows, once it fits."""
        where = self.page.get_by_test_id("stText").nth(which)
        text = await where.inner_text(timeout=PATIENCE)
        while not fits(text):
            await self.page.wait_for_function(LATER, arg=[which, text], timeout=PATIENCE)
            text = await where.inner_text()
        return text

    async def kept(self, fits: Callable[[GraphSpec], bool]) -> GraphSpec:
        """The graph that the server holds, once it fits."""
        text = await self.until(KEPT, lambda text: fits(GraphSpec.model_validate_json(text)))
        return GraphSpec.model_validate_json(text)

    def node(self, name: str) -> Locator:
        """A node on the canvas."""
        return self.page.locator(f'.react-flow__node[data-id="{name}"]')

    def edge(self, text: str) -> Locator:
        """The name of a route on its edge."""
        return self.page.get_by_role("button", name=f"Edge {text}", exact=True)

    def route(self, text: str) -> Locator:
        """A route that leads nowhere."""
        return self.page.get_by_role("button", name=f"Connect {text}", exact=True)

    async def drag(self, thing: Locator, by: tuple[float, float]) -> None:
        """Carry a thing so far away, and let go of it."""
        x, y = await self.point_at(thing)
        await self.page.mouse.down()
        await self.page.mouse.move(x + 8, y + 8)
        await self.page.mouse.move(x + by[0], y + by[1], steps=6)
        await self.page.mouse.up()

    async def frame(self, first: str, last: str) -> None:
        """Draw a frame around two nodes, from beside the upper left one."""
        begin, end = [await self.node(name).bounding_box() for name in (first, last)]
        assert begin
        assert end
        await self.page.keyboard.down("Shift")
        await self.page.mouse.move(begin["x"] - 8, begin["y"] - 8)
        await self.page.mouse.down()
        await self.page.mouse.move(
            end["x"] + end["width"] + 8, end["y"] + end["height"] + 8, steps=6
        )
        await self.page.mouse.up()
        await self.page.keyboard.up("Shift")

    async def draw(self, route: str, target: str) -> None:
        """Lead a route that leads nowhere to a node by mouse; show all if it is out of sight."""
        if not await self.in_sight(self.node(target)):
            await self.page.get_by_role("button", name="Fit", exact=True).click()
        await self.join(self.route(route), self.node(target))
        await expect(self.route(route)).to_have_count(0)

    async def in_sight(self, thing: Locator) -> bool:
        """Whether the middle of a thing is on the part of the board that is shown."""
        board = await self.page.locator(".react-flow__pane").bounding_box()
        assert board
        x, y = await middle(thing)
        return (
            board["x"] < x < board["x"] + board["width"]
            and board["y"] < y < board["y"] + board["height"]
        )

    async def join(self, end: Locator, to: Locator) -> None:
        """Carry an end of an edge to a node, and let go of it."""
        await self.lead(end, to)
        await self.page.mouse.up()

    async def lead(self, end: Locator, to: Locator) -> None:
        """Take hold of an end of an edge, and hold it over a node, which may come near."""
        x, y = await self.point_at(end)
        await self.page.mouse.down()
        await self.page.mouse.move(x + 8, y + 8)
        await expect(self.page.locator(".react-flow__connection")).to_have_count(1)
        while (place := await middle(to)) != (x, y):
            x, y = place
            await self.page.mouse.move(x, y)
            await self.page.evaluate(FRAME)

    async def carry(self, entry: str, to: Locator) -> None:
        """Take an entry of the palette, and hold it over a thing."""
        await self.lift(self.page.get_by_role("button", name=entry), to)

    async def lift(self, thing: Locator, to: Locator) -> None:
        """Take a thing, and hold it over another one."""
        x, y = await self.point_at(thing)
        await self.page.mouse.down()
        await self.page.mouse.move(x + 8, y + 8)
        x, y = await middle(to)
        await self.page.mouse.move(x + 8, y, steps=4)
        for before in (4, 2, 0):  # a drag skips places while the page draws
            await self.page.evaluate(FRAME)
            await self.page.mouse.move(x + before, y)

    async def pull(self, route: Locator, by: tuple[float, float]) -> None:
        """Carry a route that leads nowhere to an empty place; the menu opens there."""
        await self.drag(route, by)
        menu = self.page.get_by_role("combobox", name="Find a node")
        await expect(menu).to_be_focused(timeout=PATIENCE)

    async def point_at(self, thing: Locator) -> tuple[float, float]:
        """Move the mouse to a thing, after it if it moves meanwhile; where it is then."""
        async with asyncio.timeout(PATIENCE / 1000):
            await expect(self.page.locator(".board[aria-busy=true]")).to_have_count(0)
            while True:
                x, y = await middle(thing)
                await self.page.mouse.move(x, y)
                hit = await thing.evaluate("thing => thing.matches(':hover')")
                await self.page.evaluate(FRAME)
                if hit and await middle(thing) == (x, y):
                    return x, y

    async def press(self, *keys: str) -> None:
        """Keys, one after the other."""
        for key in keys:
            await self.page.keyboard.press(key)

    async def says(self, text: str) -> None:
        """What the canvas says under itself."""
        await expect(self.page.locator(".said")).to_contain_text(text, timeout=PATIENCE)


async def middle(thing: Locator) -> tuple[float, float]:
    box = await thing.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
