import sys
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser
from typer.testing import CliRunner, Result

from tests.browsers import browser
from tests.endpoint import Endpoint
from tests.loopback_model import Surveyed, endpoint, observatory
from tests.observatory import TWO_PAGES
from ui.cli import app
from ui.server.handbook.handbook_site import HOST, serve_pages

__all__ = ["endpoint", "observatory"]

Forager = Callable[..., Result]

PAGES = {
    "/": """<title>Lighthouses</title><h1>Lighthouses</h1><p>A small site about lighthouses of the
        northern coast, with one page for each of them.</p>
        <ul><li><a href="/skarn.html">Skarn lighthouse</a>
        <li><a href="/holm.html">Holm lighthouse</a>""",
    "/skarn.html": """<title>Skarn lighthouse</title><h1>Skarn lighthouse</h1><p>The Skarn
        lighthouse was built by the engineer Marta Lindqvist in 1874. Its lamp burned rape oil
        for twenty years, and was then turned over to paraffin.</p>""",
    "/holm.html": """<title>Holm lighthouse</title><h1>Holm lighthouse</h1><p>The Holm lighthouse
        stands 41 metres high on the island of Holm. It is painted in red and white bands.</p>""",
}


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    """A site of three pages on loopback."""
    with serve_pages({path: page.encode() for path, page in PAGES.items()}) as root:
        yield root


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chromium() -> AsyncIterator[Browser]:
    """One browser for the tests that run in the session's loop; each has a context of its own."""
    async with browser() as running:
        yield running


@pytest.fixture
def forager(tmp_path: Path) -> Forager:
    """The command line, with a data folder of the test's own."""
    runner = CliRunner()

    def run(*words: str, **env: str) -> Result:
        ours = {"FORAGER_DATA": str(tmp_path / "data"), **env}
        return runner.invoke(app, words, env=ours, prog_name="forager")

    return run


@pytest.fixture
def here() -> tuple[str, str]:
    """The option that permits this machine."""
    return "--allow-private", HOST


@pytest.fixture
def observed(forager: Forager, observatory: Surveyed, tmp_path: Path) -> Forager:
    """The command line, in a data folder that knows the observatory."""
    observatory.copied(tmp_path / "data")
    return forager


@pytest.fixture
def ask(observed: Forager, observatory: Surveyed, endpoint: Endpoint) -> Forager:
    """Ask the observatory's question of a language model; more options may be added."""

    def run(*words: str, **env: str) -> Result:
        options = ["--site", observatory.site.url(), "--seed", "7", "--allow-private", HOST]
        if "--model" not in words:
            options += ["--model", "openai:any"]
        if not any(word.startswith("replay:") for word in words):
            options += ["--base-url", endpoint.url]
        quick = {"FORAGER_MODEL_PATIENCE": "0.2", "FORAGER_MODEL_PAUSE": "0.01", **env}
        return observed("ask", TWO_PAGES, *options, *words, **quick)

    return run


@pytest.fixture(autouse=True)
def own_main() -> Iterator[None]:
    """AppTest leaves its script as `__main__`, which processes that are begun later would run."""
    main = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = main
