"""Asks questions in a browser as a person does, waiting until the page is ready."""

import re

from playwright.async_api import Page, expect

from tests.ui.server.process import Served

PATIENCE = 60_000
QUESTION = "Who built the Skarn lighthouse, and when?"
"""What the fixture `answered` was asked."""


async def ask(page: Page, server: Served, question: str, site: str) -> None:
    """Fill in the form, and start."""
    await page.goto(server.url)
    await page.get_by_label("Question", exact=True).fill(question, timeout=PATIENCE)
    await page.get_by_label("Sites", exact=True).fill(site)
    await page.get_by_role("button", name="Start").click()
    await page.wait_for_url(re.compile(r"[?&]session="), timeout=PATIENCE)


async def at_rest(page: Page) -> None:
    """The script has run: what was drawn stays where it is."""
    await expect(page.get_by_test_id("stApp")).to_have_attribute(
        "data-test-script-state", "notRunning", timeout=PATIENCE
    )
