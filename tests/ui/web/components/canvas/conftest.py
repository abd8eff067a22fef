from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext

from bench.canvas.drag import serve_page

PAGE = Path(__file__).parent / "page.py"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The page with the canvas."""
    with serve_page(tmp_path_factory.mktemp("page"), PAGE) as address:
        yield address


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def tabs(chromium: Browser) -> AsyncIterator[BrowserContext]:
    """Tabs whose clipboard may be read."""
    async with await chromium.new_context(
        viewport={"width": 1280, "height": 860},
        permissions=["clipboard-read", "clipboard-write"],
    ) as context:
        yield context
