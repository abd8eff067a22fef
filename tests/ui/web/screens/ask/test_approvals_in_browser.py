"""A run that wants to change something asks in the page, and does what is answered there."""

import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from graphs.spec.spec import load_graph
from tests.browsers import needs_browser
from tests.servers import Asked, Reply, Site
from tests.ui.server.process import Served, serving
from tests.ui.web.screens.ask_driver import PATIENCE
from tests.ui.web.screens.page_audit import barriers

pytestmark = [needs_browser, pytest.mark.asyncio(loop_scope="session")]
QUESTION = "Which engineer built the lighthouse Skarn in the county Nord?"
NOTIFIED = """
window.notified = [];
window.Notification = class {
  static permission = "granted";
  constructor(words, { body }) { window.notified.push(`${words}: ${body}`); }
};
document.hasFocus = () => false;
"""
"""Notes what the browser would show to somebody who looks at another tab."""
CARD = '[class*="st-key-plea-"]'
FORM = """<title>Register of lights</title><h1>Register of lights</h1>
<p>The register holds every light of the coast.</p>
<form action="/found" method="post">
<label>County <select name="county"><option>Syd</option><option>Nord</option></select></label>
<label>Lighthouse <input name="light"></label>
<button>Apply</button></form>"""
SKARN = """<title>Skarn</title><h1>Skarn</h1><p>The lighthouse Skarn in the county Nord was built by
the engineer Marta Lindqvist in 1874.</p>"""


class Register(Site):
    """What was applied for is written down in it, and told to whoever did."""

    def __init__(self) -> None:
        super().__init__({"/": FORM, "/found": self._found})
        self.written: list[str] = []
        self._lock = threading.Lock()

    def _found(self, asked: Asked) -> Reply:
        with self._lock:
            if asked.method == "POST":
                self.written.append(asked.body.decode())
        return Reply(SKARN)


@pytest.fixture
def register() -> Iterator[Register]:
    with Register() as site:
        yield site


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    words = "--port", "0", "--allow-private", "127.0.0.1"
    with serving(tmp_path_factory.mktemp("deciding"), *words) as server:
        yield server


async def asking(chromium: Browser, server: Served, site: Site, id: str) -> Page:
    """The page of a run in a browser, one action after the other, once it asks."""
    spec = load_graph("weboperator")
    params = {"params": {"mode": "browser", "steps": 8}}
    nodes = {**spec.nodes, "navigate": spec.nodes["navigate"].model_copy(update=params)}
    graph = spec.model_copy(update={"nodes": nodes}).model_dump(mode="json")
    body = {"question": QUESTION, "sites": [site.url()], "graph": graph, "session": id}
    status, told = server.ask("/api/sessions", body)
    assert status == 201, told
    page = await chromium.new_page(viewport={"width": 1280, "height": 800})
    await page.add_init_script(NOTIFIED)
    await page.goto(f"{server.url}?session={id}")
    title = page.get_by_role("heading", name="Allow this action?")
    await expect(title).to_be_visible(timeout=PATIENCE)
    await expect(page.get_by_role("status").get_by_text("Needs your approval")).to_be_visible()
    return page


async def refused(page: Page) -> None:
    """Refuse, and again when another way is asked for, until the run came to its end."""
    card = page.locator(CARD)
    ended = page.get_by_label("Follow-up question")
    await expect(card.or_(ended).first).to_be_visible(timeout=PATIENCE)
    while not await ended.count():
        named = await card.first.get_attribute("class") or ""
        key = next(each for each in named.split() if each.startswith("st-key-plea-"))
        await page.locator(f".{key}").get_by_role("button", name="Refuse").click()
        await expect(page.locator(f".{key}")).to_have_count(0, timeout=PATIENCE)
        await expect(card.or_(ended).first).to_be_visible(timeout=PATIENCE)


async def test_refused_it_changes_nothing(
    chromium: Browser, server: Served, register: Register
) -> None:
    page = await asking(chromium, server, register, "refused")
    await expect(page.get_by_text("into the field “Lighthouse”").first).to_be_visible()
    await expect(page.get_by_text("sends a form by POST")).to_be_visible()
    await expect(page.locator(f"{CARD} a")).to_have_count(0)
    await refused(page)
    assert register.written == []
    await expect(page.get_by_text("Marta Lindqvist")).to_have_count(0)
    await page.close()


async def test_approved_it_is_done_once_and_answered(
    chromium: Browser,
    server: Served,
    register: Register,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    page = await asking(chromium, server, register, "approved")
    await expect(page).to_have_title(f"Needs your approval · {QUESTION}", timeout=PATIENCE)
    shown = page.locator(f"{CARD} img")
    await expect(shown).to_have_js_property("complete", True)
    assert await shown.evaluate("image => image.naturalWidth") > 100
    assert register.written == []
    await decision_in_view(page)
    await decision_pictured(page, tmp_path_factory.mktemp("decision"))
    await page.set_viewport_size({"width": 1280, "height": 800})
    await page.get_by_role("button", name="Approve").click()
    answered = page.get_by_role("status").get_by_text("Answered")
    await expect(answered).to_be_visible(timeout=PATIENCE)
    answer = page.get_by_role("region", name="Answer")
    await expect(answer).to_contain_text("Marta Lindqvist")
    assert register.written == ["county=Nord&light=Skarn"]
    await expect(page).to_have_title(f"Answered · {QUESTION}", timeout=PATIENCE)
    # That it waits is news only to a page that was open before.
    assert (await page.evaluate("window.notified"))[-1] == f"Answered: {QUESTION}"
    await page.close()


async def decision_in_view(page: Page) -> None:
    """The buttons are in the window: at its foot if it is narrow, else above the picture."""
    approve, picture = page.get_by_role("button", name="Approve"), page.locator(f"{CARD} img")
    composer = page.get_by_role("textbox", name="Hint")
    await expect(approve).to_be_in_viewport()
    button, shown = await approve.bounding_box(), await picture.bounding_box()
    assert button
    assert shown
    assert button["y"] + button["height"] < shown["y"]
    for width, height in ((400, 860), (360, 640)):
        await page.set_viewport_size({"width": width, "height": height})
        for block in ("end", "start"):
            await picture.evaluate("(image, block) => image.scrollIntoView({ block })", block)
            await expect(approve).to_be_in_viewport(ratio=0.99)
            bottom, top = await approve.bounding_box(), await composer.bounding_box()
            assert bottom
            assert bottom["y"] > height - 80
            assert top
            assert top["y"] + top["height"] < bottom["y"], "the composer stays in reach"


async def decision_pictured(page: Page, album: Path) -> None:
    """At both widths and in both themes, as `test_appearance` does with the other pages."""
    for width, height in ((400, 860), (1280, 800)):
        await page.set_viewport_size({"width": width, "height": height})
        await page.get_by_role("heading", name="Allow this action?").scroll_into_view_if_needed()
        assert await barriers(page, partial(_picture, album, width)) == []


def _picture(album: Path, width: int, scheme: str) -> Path:
    return album / f"{width}-{scheme}.png"
