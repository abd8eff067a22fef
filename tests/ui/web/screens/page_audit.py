"""Accessibility of a page in both colour schemes, with pictures."""

from collections.abc import Callable
from pathlib import Path
from typing import Final, Literal

from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page

SCHEMES: Final[tuple[Literal["dark", "light"], ...]] = ("dark", "light")
AUDITED = {"exclude": [['[data-testid="stFileUploaderDropzone"]']]}
"""Streamlit gives this element, which a script focuses, the role of a mere ornament."""


async def barriers(page: Page, picture: Callable[[str], Path] | None = None) -> list[str]:
    """What axe-core finds on the page, in both colour schemes, of which pictures are taken."""
    found: list[str] = []
    for scheme in SCHEMES:
        await page.emulate_media(color_scheme=scheme)
        if picture:
            await page.screenshot(path=picture(scheme), animations="disabled")
        results = await Axe().run(page, context=AUDITED, options={"resultTypes": ["violations"]})
        found += [
            f"{scheme}: {each['id']}: {node['html'][:200]}: {node.get('failureSummary', '')}"
            for each in results.response["violations"]
            for node in each["nodes"]
        ]
    return found
