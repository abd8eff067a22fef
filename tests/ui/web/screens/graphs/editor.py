"""What a person does in the graph editor."""

import asyncio
import re
from contextlib import suppress
from dataclasses import dataclass

from playwright.async_api import Locator, expect

from graphs.spec.spec import PRESETS
from tests.ui.server.process import Served
from tests.ui.web.components.canvas.canvas_driver import PATIENCE, Hand

Place = tuple[float, float]
SOON = 5_000
BOUNDED = (
    (PRESETS / "webwalker.yaml")
    .read_text(encoding="utf-8")
    .replace("name: webwalker", "name: bounded\nparameters:\n  most: {type: integer, default: 15}")
    .replace("steps: 15", "steps: $most")
)
"""A graph whose walk has a parameter for its steps."""


@dataclass(frozen=True)
class Editor(Hand):
    """Acts in a tab that shows the editor of a server."""

    server: Served

    async def show(self, way: str) -> None:
        """Open an address of the page, and wait for the canvas."""
        await self.page.goto(f"{self.server.url}graphs{way}")
        await self.there()

    async def there(self) -> None:
        """Wait for the drawing, and for the page to stand still: a run would end a choice."""
        palette = self.page.get_by_role("navigation", name="Palette")
        await expect(palette).to_be_visible(timeout=PATIENCE)
        await expect(self.node("start")).to_be_visible(timeout=PATIENCE)
        await self.still()

    async def still(self) -> None:
        """Wait until no run of the script changes the page."""
        app = self.page.get_by_test_id("stApp")
        await expect(app).to_have_attribute(
            "data-test-script-state", "notRunning", timeout=PATIENCE
        )

    async def begin(self, template: str = "Empty") -> None:
        """A new graph, from nothing or from a template."""
        await self.page.goto(f"{self.server.url}graphs")
        await self.page.get_by_role("button", name="New method").click()
        await self.page.get_by_role("button", name=f"{template}.").click(timeout=PATIENCE)
        await self.there()

    async def add(self, kind: str) -> None:
        """A node from the palette, by keyboard."""
        field = self.page.get_by_role("searchbox", name="Find a node")
        await field.fill(kind)
        await field.press("Enter")
        await expect(self.node(kind)).to_be_visible(timeout=PATIENCE)

    async def carry_in(self, kind: str, to: Place) -> None:
        """A node from the palette, by mouse."""
        board = self.page.locator(".react-flow__pane")
        x, y = to
        await self.page.get_by_role("button", name=f"Add {kind}").drag_to(
            board, target_position={"x": x, "y": y}
        )
        await expect(self.node(kind)).to_be_visible()

    async def connect(self, source: str, target: str) -> None:
        """A route that leads nowhere to a node, by keyboard."""
        await self.route(source).focus()
        await self.press("Enter")
        await self.page.get_by_label("Target").select_option(target)
        await self.press("Enter")
        await expect(self.route(source)).to_have_count(0)

    async def choose(self, node: str) -> None:
        """The node in the form beside the canvas."""
        await self.pick(self.field("Node"), node)
        await expect(self.shown("Name").first).to_have_value(node, timeout=PATIENCE)

    async def select(self, node: str) -> None:
        """A node on the canvas, chosen again where a run of the script has ended the choice."""
        chosen = self.shown("Name").and_(self.page.locator(f'[value="{node}"]'))
        async with asyncio.timeout(PATIENCE / 1000):
            while not await chosen.count():
                await self.node(node).click()
                with suppress(AssertionError):
                    await expect(chosen).to_be_visible(timeout=SOON)

    async def pick(self, field: Locator, choice: str) -> None:
        """Choose from a list."""
        await field.click()
        await field.fill(choice)
        await self.page.get_by_role("option", name=choice, exact=True).click()

    async def put(self, param: str, value: str) -> None:
        """A number in the form."""
        field = self.shown(param)
        await field.fill(value)
        await field.press("Enter")

    def shown(self, label: str) -> Locator:
        """What stands in the form now; that of the run before may stand beside it for a moment."""
        form = self.page.locator('.st-key-graph-side [data-stale="false"]')
        return form.get_by_label(label, exact=True)

    def field(self, label: str) -> Locator:
        """A list in the form beside the canvas."""
        side = self.page.locator(".st-key-graph-side")
        return side.get_by_role("combobox", name=re.compile(rf"(^|\s){label}$"))

    async def save(self, note: str, name: str = "") -> None:
        """A version with a note."""
        await self.page.get_by_role("button", name="Save version").click()
        dialog = self.page.get_by_role("dialog")
        if name:
            await dialog.get_by_label("Name", exact=True).fill(name)
        await dialog.get_by_label("Note", exact=True).fill(note)
        await dialog.get_by_role("button", name="Save", exact=True).click()

    async def ask(self, question: str, site: str) -> str:
        """Run the graph; the answer."""
        await self.page.get_by_role("link", name="Run", exact=True).click()
        await self.page.get_by_label("Question", exact=True).fill(question, timeout=PATIENCE)
        await self.page.get_by_label("Sites", exact=True).fill(site)
        await self.page.get_by_role("button", name="Start").click()
        answered = self.page.get_by_role("status").get_by_text("Answered")
        await expect(answered).to_be_visible(timeout=2 * PATIENCE)
        return await self.page.get_by_role("region", name="Answer").inner_text()
