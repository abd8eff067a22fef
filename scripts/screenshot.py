"""Takes docs/images/ui.png anew: an example of the web UI, answered, with a citation open."""

import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from bench.ui.server import serve_ui
from forager.adapters.browser.process.chromium import find_chromium
from forager.settings import Settings
from ui.server.examples.example_sites import QUESTIONS

TARGET = Path(__file__).resolve().parents[1] / "docs" / "images" / "ui.png"
SHOWN = 0
"""The example that needs two pages."""
MILLISECONDS = 90_000


def main() -> None:
    """Ask it, open its first citation, and keep what is seen."""
    with (
        tempfile.TemporaryDirectory() as data,
        serve_ui(Path(data)) as server,
        sync_playwright() as playwright,
    ):
        path = find_chromium(Settings().chromium)
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 860})
        page.set_default_timeout(MILLISECONDS)
        page.goto(server.url)
        page.get_by_role("button", name=QUESTIONS[SHOWN].text).click()
        page.get_by_label("Follow-up question").wait_for()
        page.locator(".answer .cite").first.click()
        page.get_by_text("Word for word on the page").wait_for()
        page.mouse.move(0, 0)
        page.screenshot(path=TARGET, animations="disabled")
        browser.close()


if __name__ == "__main__":
    main()
