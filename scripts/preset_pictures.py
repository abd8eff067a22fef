"""Takes the pictures of the graph editor in docs/images anew: each preset at three widths, a node
with its form, and a draft that is run."""

import io
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Locator, Page, expect, sync_playwright

from bench.ui.server import serve_ui
from forager.adapters.browser.process.chromium import find_chromium
from forager.data_folder import read_ports
from forager.settings import Settings
from graphs.spec.spec import preset_names
from ui.server.examples.example_sites import QUESTIONS

IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"
FOLDER = IMAGES / "presets"
SIZES = ((1440, 900), (1280, 800), (400, 860))
MILLISECONDS = 90_000
COLOURS = 64
STILL = """async () => {
  const drawn = () => document.querySelector(".react-flow__viewport")?.style.transform;
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  for (let same = 0, before = ""; same < 20; await frame()) {
    same = drawn() === before ? same + 1 : 0;
    before = drawn();
  }
}"""
"""Waits until the drawing stands still."""


def main() -> None:
    """Open each preset at each size, and keep what is seen."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as data,
        serve_ui(Path(data)) as server,
        sync_playwright() as playwright,
    ):
        path = find_chromium(Settings().chromium)
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        for width, height in SIZES:
            page = browser.new_page(viewport={"width": width, "height": height})
            page.set_default_timeout(MILLISECONDS)
            for name in preset_names():
                _show(page, f"{server.url}graphs?graph={name}")
                _keep(page.screenshot(animations="disabled"), FOLDER / f"{name}-{width}.png")
            page.close()
        page = browser.new_page(viewport={"width": 1440, "height": 800})
        page.set_default_timeout(MILLISECONDS)
        _show(page, f"{server.url}graphs?graph=abreast")
        _node(page, "select").click()
        page.get_by_role("combobox", name="Strategy").wait_for()
        expect(page.get_by_test_id("stSkeleton")).to_have_count(0, timeout=MILLISECONDS)
        _keep(page.screenshot(animations="disabled"), IMAGES / "graph-editor.png")
        _run_draft(page, server.url, read_ports(Path(data) / QUESTIONS[0].site.port_file)[-1])
        _keep(page.screenshot(animations="disabled"), IMAGES / "graph-run.png")
        browser.close()


def _show(page: Page, address: str) -> None:
    page.goto(address)
    expect(page.locator('.react-flow__node[data-id="answer"]')).to_be_attached(timeout=MILLISECONDS)
    expect(page.locator(".board[aria-busy=true]")).to_have_count(0, timeout=MILLISECONDS)
    expect(page.get_by_test_id("stApp")).to_have_attribute(
        "data-test-script-state", "notRunning", timeout=MILLISECONDS
    )
    page.evaluate(STILL)


def _node(page: Page, name: str) -> Locator:
    return page.locator(f'.react-flow__node[data-id="{name}"]')


def _run_draft(page: Page, address: str, port: int) -> None:
    """A question for one of the example sites, paused before the judge, looking into a node."""
    _show(page, f"{address}graphs?graph=webwalker")
    _node(page, "judge").click()
    page.keyboard.press("b")
    page.get_by_label("Pauses before this node").wait_for()
    page.get_by_role("button", name="Run here").click()
    panel = page.locator(".st-key-draft-run")
    panel.get_by_label("Question").fill(QUESTIONS[0].text)
    panel.get_by_label("Sites").fill(f"http://127.0.0.1:{port}/")
    panel.get_by_role("button", name="Start", exact=True).click()
    panel.get_by_text("Paused before judge").wait_for()
    _node(page, "extract").click()
    page.get_by_role("region", name="Output").wait_for()


def _keep(picture: bytes, path: Path) -> None:
    """In few colours, those of thin lines among them: so the files stay small."""
    with Image.open(io.BytesIO(picture)) as image:
        image.convert("RGB").quantize(COLOURS, Image.Quantize.MAXCOVERAGE).save(path, optimize=True)


if __name__ == "__main__":
    main()
