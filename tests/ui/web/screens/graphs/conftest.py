import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext

from graphs.spec.library import Library
from tests.browsers import only_tab
from tests.ui.server.process import Served, serving
from tests.ui.web.screens.graphs.editor import Editor
from ui.server.handbook.handbook_site import HOST


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The web UI, with an empty data folder."""
    data: Path = tmp_path_factory.mktemp("graphs")
    with serving(data, "--port", "0", FORAGER_ALLOW_PRIVATE=json.dumps([HOST])) as server:
        yield server


@pytest.fixture
def saved(server: Served) -> Library:
    """The graphs that it has saved."""
    return Library(server.data / "graphs.sqlite")


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def tabs(chromium: Browser) -> AsyncIterator[BrowserContext]:
    """Tabs of a wide window."""
    async with await chromium.new_context(viewport={"width": 1280, "height": 900}) as context:
        yield context


@pytest_asyncio.fixture(loop_scope="session")
async def editor(tabs: BrowserContext, server: Served) -> AsyncIterator[Editor]:
    """A tab."""
    async with only_tab(tabs) as page:
        yield Editor(page, server)
