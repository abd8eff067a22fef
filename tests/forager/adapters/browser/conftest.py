import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext

from forager.adapters.browser.tabs import Tabs
from tests.browsers import browser
from tests.forager.adapters.browser.processes import below
from tests.servers import Site

PAGES = Path(__file__).parent / "pages"


@pytest_asyncio.fixture(scope="package", loop_scope="package")
async def chromium() -> AsyncIterator[Browser]:
    """One browser for the tests that ask for it and run in the package's loop."""
    async with browser() as running:
        yield running


@pytest_asyncio.fixture(scope="package", loop_scope="package")
async def context(chromium: Browser) -> AsyncIterator[BrowserContext]:
    """Cookies that the walks of these tests share."""
    opened = await chromium.new_context()
    yield opened
    await opened.close()


@pytest_asyncio.fixture(loop_scope="package")
async def tabs(context: BrowserContext) -> AsyncIterator[Tabs]:
    """The tabs of a walk."""
    opened = Tabs(context)
    yield opened
    await opened.close()


@pytest.fixture(scope="module")
def others() -> frozenset[int]:
    """What runs before a browser of the module's own begins."""
    return frozenset(below(os.getpid()))


@pytest.fixture
def pages() -> Iterator[Site]:
    """The pages beside, on loopback."""
    shown = {f"/{file.name}": file.read_text(encoding="utf-8") for file in PAGES.glob("*.html")}
    with Site(shown) as served:
        yield served
