from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from ui.cli import app
from ui.serve import HOST, served

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
    with served({path: page.encode() for path, page in PAGES.items()}) as root:
        yield root


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
